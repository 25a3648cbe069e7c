/**
 * The SDK as another project gets it: packed by `npm run pack-sdk`, unpacked outside of the checkout, its third-party
 * packages beside it. There a plain program issues, presents and verifies, and a TypeScript file type-checks.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly engines: { readonly node: string };
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly sideEffects: boolean;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bundleDependencies: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');
const script = path.join(root, 'scripts/pack-sdk.mjs');
const run = promisify(execFile);
const timeout = 60_000;
const owner = ownerOfSuite();
const project = tempFolder(owner);
const sdk = path.join(project, 'node_modules/@symbolon/sdk');
const readJson = <Content>(...at: string[]): Content =>
  JSON.parse(readFileSync(path.join(...at), 'utf8')) as Content;
let manifest: Manifest;

interface Failure {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** What a program that should fail said. */
const failing = (words: readonly string[]): Promise<Failure> =>
  run(process.execPath, words as string[], { cwd: project, timeout }).then(
    (): Failure => ({ code: 0 }),
    (error: Failure) => error,
  );

/** Where a package lies in the checkout, in exactly this version. */
function installed(name: string, version: string): string {
  const homes = ['packages/sdk', 'packages/wire', 'packages/core', '.'];
  const places = homes.map((home) => path.join(root, home, 'node_modules', name));
  const place = places.find(
    (folder) =>
      existsSync(path.join(folder, 'package.json')) &&
      readJson<Manifest>(folder, 'package.json').version === version,
  );
  assert.ok(place, `${name} ${version}`);
  return place;
}

function link(name: string, place: string): void {
  const at = path.join(project, 'node_modules', name);
  mkdirSync(path.dirname(at), { recursive: true });
  symlinkSync(place, at);
}

before(async () => {
  const out = path.join(project, 'packed here');
  await run(process.execPath, [script, '--out', out], { timeout });
  const [tarball, ...others] = readdirSync(out).map((name) => path.join(out, name));
  assert.ok(tarball);
  assert.deepEqual(others, []);
  mkdirSync(sdk, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', sdk, '--strip-components=1']);
  manifest = readJson(sdk, 'package.json');
  assert.equal(path.basename(tarball), `symbolon-sdk-${manifest.version}.tgz`);
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    if (!manifest.bundleDependencies.includes(name)) link(name, installed(name, version));
  }
  link('@types/node', path.join(root, 'node_modules/@types/node'));
  writeFileSync(path.join(project, 'package.json'), '{"private":true,"type":"module"}');
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      assert.ok(entry.isFile(), `${file} is neither a file nor a folder`);
      return path.relative(folder, file);
    });

describe('the command refuses', () => {
  test('words that it does not know', async () => {
    for (const words of [['--nope'], ['here'], ['--out'], ['--out=']]) {
      const { code, stderr } = await failing([script, ...words]);
      assert.equal(code, 2, words.join(' '));
      assert.match(String(stderr), /Usage: npm run pack-sdk/);
    }
  });

  test('a folder that is none, before it compiles', async () => {
    const { code, stderr } = await failing([script, '--out', script]);
    assert.equal(code, 1);
    assert.match(String(stderr), /is no folder to write to \(EEXIST\)/);
    assert.doesNotMatch(String(stderr), /compile/);
  });
});

describe('the tarball', () => {
  test('holds code, declarations and manifests, and nothing else', () => {
    const allowed =
      /^(README\.md|LICENSE|(node_modules\/@symbolon\/(core|wire)\/)?(package\.json|dist\/[\w/-]+\.(js|d\.ts)))$/;
    const proto = /^node_modules\/@symbolon\/core\/dist\/proto\/\w+\.proto$/;
    const files = filesIn(sdk);
    assert.deepEqual(
      files.filter((file) => !allowed.test(file) && !proto.test(file)),
      [],
    );
    assert.ok(files.includes('node_modules/@symbolon/core/dist/proto/ledger.proto'));
    assert.deepEqual(
      files.filter((file) => /[./-](test|conformance)\.|\/testing\//.test(file)),
      [],
    );
  });

  test('names no path of this machine', () => {
    const machinePath = /(?<![\w.~-])\/(work|root|home|Users|mnt|tmp)\/[\w.-]+/;
    for (const file of filesIn(sdk)) {
      const text = readFileSync(path.join(sdk, file), 'utf8');
      for (const place of [root, project, `${os.homedir()}/`]) assert.ok(!text.includes(place), file);
      assert.doesNotMatch(text, machinePath, file);
    }
  });

  test('finds whatever it imports in itself or among its declared dependencies', () => {
    const imports = /(?:\bfrom |^import |\bimport\()['"]([^'"\n]+)['"]/gm;
    for (const file of filesIn(sdk).filter((name) => /\.(js|d\.ts)$/.test(name))) {
      const text = readFileSync(path.join(sdk, file), 'utf8');
      for (const [, from = ''] of text.matchAll(imports)) {
        if (from.startsWith('.')) {
          const target = path.join(sdk, path.dirname(file), from);
          assert.match(from, /\.js$/, file);
          assert.ok(existsSync(target) && existsSync(target.replace(/\.js$/, '.d.ts')), `${file}: ${from}`);
        } else {
          const name = from.split('/', from.startsWith('@') ? 2 : 1).join('/');
          assert.ok(name in manifest.dependencies, `${file}: ${from}`);
        }
      }
    }
  });

  test('has a manifest that an installer can use', () => {
    assert.equal(manifest.private, undefined);
    assert.equal(manifest.sideEffects, false);
    assert.deepEqual(Object.keys(manifest.exports), ['.', './verifier', './*']);
    assert.deepEqual(manifest.bundleDependencies, ['@symbolon/core', '@symbolon/wire']);
    for (const version of Object.values(manifest.dependencies)) assert.match(version, /^\d+\.\d+\.\d+$/);
    for (const name of manifest.bundleDependencies) {
      const inner = readJson<Manifest>(sdk, 'node_modules', name, 'package.json');
      assert.equal(inner.version, manifest.dependencies[name]);
      for (const [of, version] of Object.entries(inner.dependencies))
        assert.equal(manifest.dependencies[of], version, of);
    }
  });
});

const program = `
import { readFileSync } from 'node:fs';
import * as sdk from '@symbolon/sdk';
import { askVerdict, createVerifierClient, fetchOfflineFacts, verifyPresentationOffline } from '@symbolon/sdk/verifier';

const demo = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const issuerClient = sdk.createCredentialClient(demo.service, { apiKey: demo.issuer.apiKey });
const holderClient = sdk.createCredentialClient(demo.service, { apiKey: demo.holder.apiKey, sealed: true });
const issuer = await sdk.signerFromPrivateKey(demo.issuer.privateKey);
const holder = await sdk.signerFromPrivateKey(demo.holder.privateKey);
const field = (key) => ({ attribute: key, key, format: 'string', type: demo.attributeTypes.string, mandatory: true });
const { templateId } = await sdk.registerTemplate(issuerClient, {
  signer: issuer, templateName: 'Card ' + process.versions.node, version: '1.0.0', credentialFormat: [field('name'), field('city')],
});
const attributes = { name: 'Aroha Ngata', city: 'Wellington' };
const { vcId } = await sdk.applyForCredential(holderClient, { signer: holder, templateId, attributes });
const bbsKey = { publicKeyMultibase: demo.issuer.bbsPublicKeyMultibase };
const order = { ...(await sdk.readApplication(issuerClient, { vcId })), signer: issuer, bbsKey, expiredDate: '2099-12-31' };
const { vcObject: vc } = await sdk.issueCredential(issuerClient, order);
const challenge = crypto.randomUUID();
const shown = { signer: holder, vc, revealAttributes: ['city'], challenge };
const presentation = await sdk.presentCredential(holderClient, shown);
const verifier = createVerifierClient(demo.service);
const online = await askVerdict(verifier, { presentation, challenge });
const facts = await fetchOfflineFacts(verifier, { issuer: demo.issuer.did, vcIds: [vcId] });
const offline = (asked) => verifyPresentationOffline(presentation, { facts, takenFrom: 'self', challenge: asked, now: Date.now() });
const ledger = sdk.createLedgerClient(sdk.httpTransport(demo.ledger));
const { websocket_address: port } = await ledger.hello();
const events = sdk.watchLedger('ws://127.0.0.1:' + port, { signal: AbortSignal.timeout(30_000) });
const event = events.next();
const operations = [{ payCoin: { destAddress: holder.address, amount: 5n } }];
const receipts = [];
// The events begin when the connection stands: until one is there, there is another payment.
do receipts.push(await sdk.sendTransaction(ledger, { signers: [issuer], operations }));
while ((await Promise.race([event, new Promise((resolve) => setTimeout(resolve, 100))])) === undefined);
const { value } = await event;
await events.return();
const refused = await issuerClient.getApplication({ vcId: 'did:zid:' + '0'.repeat(64) }).catch((error) => error);
console.log(JSON.stringify({
  city: online.vcDetails?.city, name: online.vcDetails?.name ?? null, online: online.verified,
  offline: (await offline(challenge)).verified, otherChallenge: (await offline('another')).verified,
  refused: refused instanceof sdk.ServiceError, paid: receipts.every(({ code }) => code === 0), heard: typeof value?.kind,
}));
`;

/** This Node, and one on the path that is older and that the package allows, where there is one. */
async function allowedNodes(): Promise<string[]> {
  const [, oldestMajor = '', oldestMinor = ''] = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node) ?? [];
  assert.notEqual(oldestMajor, '', manifest.engines.node);
  const newest = Number(process.versions.node.split('.')[0]);
  const folders = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
  for (const file of folders.filter((name) => existsSync(name))) {
    const { stdout } = await run(file, ['--version'], { timeout }).catch(() => ({ stdout: '' }));
    const [major = 0, minor = 0] = stdout.slice(1).split('.').map(Number);
    const isAllowed =
      major > Number(oldestMajor) || (major === Number(oldestMajor) && minor >= Number(oldestMinor));
    if (isAllowed && major < newest) return [process.execPath, file];
  }
  return [process.execPath];
}

describe('a program of another project', () => {
  let service: RunningService;

  before(async () => {
    service = await startService(owner);
    writeFileSync(path.join(project, 'program.mjs'), program);
  });

  test('registers, issues, presents, verifies, pays and hears of it', async () => {
    const demo = path.join(service.folder, 'demo.json');
    for (const node of await allowedNodes()) {
      const { stdout } = await run(node, ['program.mjs', demo], { cwd: project, timeout });
      assert.deepEqual(JSON.parse(stdout), {
        city: 'Wellington',
        name: null,
        online: true,
        offline: true,
        otherChallenge: false,
        refused: true,
        paid: true,
        heard: 'string',
      });
    }
  });

  test('imports modules of the SDK, and none that are not for it', async () => {
    const allowed = "await import('@symbolon/sdk/proofs/dock-engine')";
    assert.deepEqual(await failing(['--input-type=module', '-e', allowed]), { code: 0 });
    for (const name of [
      '@symbolon/core/limits/documents',
      '@symbolon/sdk/src/index.ts',
      '@symbolon/sdk/nothing',
    ]) {
      const { stderr } = await failing(['--input-type=module', '-e', `await import('${name}')`]);
      assert.match(String(stderr), /ERR_MODULE_NOT_FOUND/, name);
    }
  });
});

test('a TypeScript file type-checks against the declarations, and what is wrong in it is found', async () => {
  const source = `
import { createCredentialClient, type CredentialClient, type Signer, sendTransaction, signerFromSeed } from '@symbolon/sdk';
import { askVerdict, createVerifierClient, type ServiceVerdict } from '@symbolon/sdk/verifier';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';

export const client: CredentialClient = createCredentialClient('http://localhost', { apiKey: 'key' });
export const signer: Promise<Signer> = signerFromSeed(new Uint8Array(32));
export const verdict: Promise<ServiceVerdict> = askVerdict(createVerifierClient('http://localhost'), {
  presentation: {} as never, challenge: 'text',
});
export const broken: boolean = (await createDockEngine()).isBroken;
// @ts-expect-error: an address is a text.
createCredentialClient(42);
// @ts-expect-error: a signer needs its seed.
await signerFromSeed();
// @ts-expect-error: an amount is a bigint.
export const order: Parameters<typeof sendTransaction>[1] = { signers: [], operations: [{ payCoin: { destAddress: '', amount: 1 } }] };
`;
  writeFileSync(path.join(project, 'typed.ts'), source);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    noEmit: true,
    // As most projects have it. A declaration that cannot be resolved is still found: what it declares is `any` then,
    // and nothing is wrong any more where something has to be.
    skipLibCheck: true,
    types: ['node'],
  };
  writeFileSync(
    path.join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['typed.ts'] }),
  );
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout = '' } = await failing([tsc, '--pretty', 'false', '-p', project]);
  assert.equal(stdout, '');
});
