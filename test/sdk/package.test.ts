/**
 * The SDK as another project gets it: packed by `npm run pack-sdk`, unpacked outside of the checkout, its third-party
 * packages beside it. There a plain program issues, presents and verifies, and a TypeScript file type-checks.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { allowedNodes } from '../support/nodes.ts';
import { ownerOfSuite } from '../support/owner.ts';
import {
  linkPackage,
  type PackedManifest,
  packScript,
  packSdk,
  readManifest,
  sdkIn,
  unpackSdk,
} from '../support/packed-sdk.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const timeout = 60_000;
const owner = ownerOfSuite();
const project = tempFolder(owner);
const sdk = sdkIn(project);
let manifest: PackedManifest;

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

before(async () => {
  const tarball = await packSdk(path.join(project, 'packed here'));
  manifest = await unpackSdk(project, tarball);
  assert.equal(path.basename(tarball), `symbolon-sdk-${manifest.version}.tgz`);
  linkPackage(project, '@types/node');
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
      const { code, stderr } = await failing([packScript, ...words]);
      assert.equal(code, 2, words.join(' '));
      assert.match(String(stderr), /Usage: npm run pack-sdk/);
    }
  });

  test('a folder that is none, before it compiles', async () => {
    const { code, stderr } = await failing([packScript, '--out', packScript]);
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
    assert.deepEqual(Object.keys(manifest.exports), ['.', './verifier', './wallet', './*']);
    assert.deepEqual(manifest.bundleDependencies, ['@symbolon/core', '@symbolon/formats', '@symbolon/wire']);
    for (const version of Object.values(manifest.dependencies)) assert.match(version, /^\d+\.\d+\.\d+$/);
    for (const name of manifest.bundleDependencies) {
      const inner = readManifest(path.join(sdk, 'node_modules', name));
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

describe('a program of another project', () => {
  let service: RunningService;

  before(async () => {
    service = await startService(owner);
    writeFileSync(path.join(project, 'program.mjs'), program);
  });

  test('registers, issues, presents, verifies, pays and hears of it', async () => {
    const demo = path.join(service.folder, 'demo.json');
    for (const node of await allowedNodes(manifest.engines.node)) {
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

/** What a consumer writes, with all that must not compile marked as such: a mark over what compiles is an error. */
const typed = `
import {
  attributeTypeCodes, createCredentialClient, type CredentialClient, type DeclaredAttribute, generateKey, ledgerCodes,
  registerTemplate, type Receipt, type Signer, sendTransaction, signerFromSeed, type TemplateOrder,
} from '@symbolon/sdk';
import { askVerdict, createVerifierClient, type ServiceVerdict, verifyPresentationOffline } from '@symbolon/sdk/verifier';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';

export const client: CredentialClient = createCredentialClient('http://localhost', { apiKey: 'key' });
export const signer: Promise<Signer> = signerFromSeed(new Uint8Array(32));
export const verdict: Promise<ServiceVerdict> = askVerdict(createVerifierClient('http://localhost'), {
  presentation: {} as never, challenge: 'text',
});
export const broken: boolean = (await createDockEngine()).isBroken;
export const made: string = (await generateKey()).privateKey;
export const isDone = (receipt: Receipt): boolean => receipt.code === ledgerCodes.success;
// @ts-expect-error: an address is a text.
createCredentialClient(42);
// @ts-expect-error: a signer needs its seed.
await signerFromSeed();
// @ts-expect-error: an amount is a bigint.
export const order: Parameters<typeof sendTransaction>[1] = { signers: [], operations: [{ payCoin: { destAddress: '', amount: 1 } }] };

const named = { attribute: 'Name', key: 'name', mandatory: true } as const;
export const declared: readonly DeclaredAttribute[] = [
  { ...named, format: 'string' },
  { ...named, format: 'decimal(4)', type: 'decimal' },
  { ...named, format: 'date', type: attributeTypeCodes.date },
  // @ts-expect-error: there is no such format.
  { ...named, format: 'strin' },
  // @ts-expect-error: there are at most nine digits.
  { ...named, format: 'decimal(10)' },
  // @ts-expect-error: there is no such type.
  { ...named, format: 'string', type: 8 },
  // @ts-expect-error: nor of this name.
  { ...named, format: 'string', type: 'txt' },
  // @ts-expect-error: a program needs its key.
  { attribute: 'Name', format: 'string', mandatory: true },
];
const template: Omit<TemplateOrder, 'credentialFormat'> = { signer: await signer, templateName: 'Card', version: '1.0.0' };
await registerTemplate(client, { ...template, credentialFormat: [{ ...named, format: 'string' }] });
// @ts-expect-error: there is no such format.
await registerTemplate(client, { ...template, credentialFormat: [{ ...named, format: 'strin' }] });
// @ts-expect-error: nor for whoever calls the route.
await client.createTemplateBlob({ templateName: 'Card', version: '1.0.0', credentialFormat: [{ ...named, format: 'strin' }] });
const { credentialFormat } = await client.getTemplate({ templateId: 'did:zid:0' });
await registerTemplate(client, { ...template, credentialFormat });
// @ts-expect-error: facts are taken from somebody.
await verifyPresentationOffline({}, { facts: {} as never, now: 0 });
`;

describe('a TypeScript file of another project', () => {
  before(() => {
    writeFileSync(path.join(project, 'typed.ts'), typed);
  });

  for (const compiler of ['typescript', 'typescript-5']) {
    const { version } = readManifest(path.join(root, 'node_modules', compiler));
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      test(`type-checks with TypeScript ${version}, ${moduleResolution}, and what is wrong is found`, async () => {
        const compilerOptions = {
          module,
          moduleResolution,
          target: 'es2023',
          lib: ['es2023', 'dom', 'dom.iterable'],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          verbatimModuleSyntax: true,
          isolatedModules: true,
          noEmit: true,
          // The declarations themselves are checked, too.
          skipLibCheck: false,
          types: ['node'],
        };
        const file = `tsconfig.${compiler}.${moduleResolution}.json`;
        writeFileSync(path.join(project, file), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
        const tsc = path.join(root, 'node_modules', compiler, 'bin/tsc');
        const { code, stdout = '' } = await failing([
          tsc,
          '--pretty',
          'false',
          '-p',
          path.join(project, file),
        ]);
        assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
      });
    }
  }
});
