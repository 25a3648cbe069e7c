/**
 * The SDK in a project of somebody's own, outside of the checkout: installed with nothing but `npm install`, it verifies
 * without a service in Node, and in a real Chromium the page of docs/sdk.md, bundled by the commands that stand there.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { JsonValue } from '@symbolon/wire/json/json';
import { findChromium, openPage } from '../support/chromium.ts';
import {
  factsAbout,
  firstOf,
  forge,
  forgery,
  issueTo,
  present,
  startPresentationWorld,
} from '../support/credential-fixtures.ts';
import { allowedNodes } from '../support/nodes.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { installSdk, linkPackage, packSdk, readManifest, sdkIn, unpackSdk } from '../support/packed-sdk.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { servePage } from './served-page.ts';

const root = path.resolve(import.meta.dirname, '../..');
const manual = readFileSync(path.join(root, 'docs/sdk.md'), 'utf8');
const section = /^## A page that verifies$([\s\S]*?)^## /m.exec(manual)?.[1] ?? '';
const blocks = (language: string): string[] =>
  [...section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );

const run = promisify(execFile);
const timeout = 120_000;
/** A page that never tells is a failure, on a busy machine, too. */
const pageMsMax = 240_000;
/** With what they need themselves. A documentation tool alone would bring five times as many. */
const packagesMax = 10;
const owner = ownerOfSuite();
const project = tempFolder(owner);
const chromium = await findChromium();
const tarball = await packSdk(path.join(project, 'packed here'));
writeFileSync(path.join(project, 'package.json'), '{"private":true,"type":"module"}');
const notInstalled = await installSdk(project, tarball);
if (notInstalled !== undefined) await unpackSdk(project, tarball);

/** What is laid before the verifier, by name, as files. */
const shown: Record<string, string> = {};
const answers: Readonly<Record<string, RegExp>> = {
  adult: /^Yes: 18 or older, says City library\.$/,
  minor: /^No\. disclosure: /,
  'a minor who claims more': /^No\. bbsProof: /,
  'changed on the way': /^No\. holderSignature: /,
  'no presentation': /^Not checked: /,
};

before(async () => {
  const world = await startPresentationWorld(owner);
  const { holder } = world;
  const vc = await issueTo(world, holder, { birthDate: '1990-05-17' });
  const young = await issueTo(world, holder, { birthDate: `${new Date().getUTCFullYear() - 10}-01-31` });
  const challenge = 'at the door';
  const request = { revealAttributes: ['city'], age: { attribute: 'birthDate', minAge: 18 } };
  const adult = await present(world, holder, { vc, ...request, challenge });
  const minor = await present(world, holder, {
    ...request,
    vc: young,
    age: { ...request.age, minAge: 3 },
    challenge,
  });
  const claimed = firstOf(adult).proof.ranges as JsonValue;
  const presentations = {
    adult,
    minor,
    'a minor who claims more': await forge(minor, holder, forgery.proof({ ranges: claimed })),
    'changed on the way': { ...adult, holder: world.otherHolder.did },
    'no presentation': { adult: true },
  };
  for (const [name, presentation] of Object.entries(presentations))
    shown[name] = JSON.stringify(presentation);
  const facts = await factsAbout(world, [vc, young]);
  const trustedIssuers = [{ did: world.service.issuer.did, name: 'City library' }];
  mkdirSync(path.join(project, 'public'));
  writeFileSync(
    path.join(project, 'public/door.json'),
    JSON.stringify({ facts, trustedIssuers, request, challenge }),
  );
});

/** The page's own condition and words, for Node. */
const program = `
import { readFileSync } from 'node:fs';
import { verifyPresentationOffline } from '@symbolon/sdk/verifier';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const door = read('public/door.json');
const said = {};
for (const [name, text] of Object.entries(read(process.argv[2]))) {
  try {
    const conditions = { ...door, takenFrom: 'self', now: Date.now() };
    const verdict = await verifyPresentationOffline(JSON.parse(text), conditions);
    const [{ issuer, ranges } = {}] = verdict.credentials ?? [];
    said[name] = verdict.verified
      ? 'Yes: ' + ranges.map(({ text }) => text).join() + ', says ' + issuer.name + '.'
      : 'No. ' + verdict.errors.join(' ');
  } catch (error) {
    said[name] = 'Not checked: ' + error.message;
  }
}
console.log(JSON.stringify(said));
`;

function assertAnswers(said: Readonly<Record<string, string>>): void {
  assert.deepEqual(Object.keys(said), Object.keys(answers));
  for (const [name, answer] of Object.entries(answers)) assert.match(said[name] ?? '', answer, name);
}

describe('a project of its own', () => {
  const skip = notInstalled ?? false;
  test('gets the SDK with `npm install` alone, and few packages with it', { skip }, (context) => {
    const { packages } = JSON.parse(readFileSync(path.join(project, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, unknown>>;
    };
    const fetched = Object.keys(packages).filter((place) => /^node_modules\/(?!@symbolon\/)/.test(place));
    context.diagnostic(`${fetched.length} packages beside the SDK`);
    assert.ok(fetched.length <= packagesMax, fetched.join());
    assert.deepEqual(
      fetched.filter((place) => /typedoc|jsdoc|markdown|shiki/.test(place)),
      [],
    );
  });

  test('verifies in Node, without a service', async () => {
    writeFileSync(path.join(project, 'door.mjs'), program);
    writeFileSync(path.join(project, 'shown.json'), JSON.stringify(shown));
    for (const node of await allowedNodes(readManifest(sdkIn(project)).engines.node)) {
      const { stdout } = await run(node, ['door.mjs', 'shown.json'], { cwd: project, timeout });
      assertAnswers(JSON.parse(stdout) as Readonly<Record<string, string>>);
    }
  });
});

/** The numbers of the document's table. */
function documentedSizes(bundler: string): { readonly page: number; readonly onDemand: number } {
  const row = new RegExp(`^\\| ${bundler} \\| (\\d+) kB \\| ([\\d.]+) MB \\|$`, 'm').exec(section);
  assert.ok(row, `sdk.md says what a page by ${bundler} weighs`);
  return { page: Number(row[1]) * 1_000, onDemand: Number(row[2]) * 1_000_000 };
}

/** What a document says is true if it is no less, and at most a twentieth more. */
function assertTrue(said: number, measured: number, what: string): void {
  assert.ok(measured <= said && measured >= said * 0.95, `${what}: ${measured} bytes, documented ${said}`);
}

describe('the page of the document', { skip: 'missing' in chromium ? chromium.missing : false }, () => {
  for (const [index, bundler] of ['esbuild', 'Vite'].entries()) {
    const name = `bundled with ${bundler}, verifies in Chromium without a service`;
    test(name, { timeout: pageMsMax }, async (context) => {
      if ('missing' in chromium) return;
      const folder = path.join(project, bundler);
      const command = blocks('sh')[index] ?? '';
      assert.match(command, new RegExp(`^npx ${bundler.toLowerCase()} `));
      cpSync(path.join(project, 'public'), path.join(folder, 'public'), { recursive: true });
      writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
      writeFileSync(path.join(folder, 'index.html'), blocks('html')[0] ?? '');
      writeFileSync(path.join(folder, 'page.js'), blocks('js')[0] ?? '');
      // `npx` finds what a project has installed; here the bundlers are those of the checkout.
      linkPackage(folder, '.bin');
      await run('sh', ['-euc', command], { cwd: folder, timeout });

      const { url, told, loads } = await servePage(owner, path.join(folder, 'dist'), shown);
      openPage(owner, chromium, { url, names: [] });
      assertAnswers(await told);
      const { page, onDemand, paths } = loads();
      context.diagnostic(`${page} bytes, ${onDemand} more on demand, compressed: ${paths.join(' ')}`);
      const said = documentedSizes(bundler);
      assertTrue(said.page, page, 'the page');
      assertTrue(said.onDemand, onDemand, 'on demand');
    });
  }
});
