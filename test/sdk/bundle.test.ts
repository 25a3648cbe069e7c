/**
 * What of the SDK reaches a browser: a page that only verifies is small, loads the proof engine when it needs it and
 * carries nothing of a server; whoever imports one function carries that one.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');
const verifierBytesMax = 76_000;

interface Bundle {
  readonly meta: Metafile;
  /** The entry and what it imports before it runs. */
  readonly first: readonly string[];
  readonly firstBytes: number;
  inputsOf(outputs: readonly string[]): string[];
}

/** A page's script, bundled as pages are: for browsers, minified, what is loaded on demand in files of its own. */
async function bundle(source: string): Promise<Bundle> {
  const { metafile: meta, outputFiles } = await build({
    stdin: {
      contents: source,
      resolveDir: path.join(root, 'packages/sdk'),
      sourcefile: 'page.ts',
      loader: 'ts',
    },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    outdir: 'out',
    logLevel: 'silent',
  });
  const entry = Object.keys(meta.outputs).find((name) => meta.outputs[name]?.entryPoint?.endsWith('page.ts'));
  assert.ok(entry);
  const first = [entry];
  for (const name of first) {
    for (const { path: imported, kind } of meta.outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && !first.includes(imported)) first.push(imported);
    }
  }
  const bytesOf = (name: string): number => {
    const file = outputFiles.find((output) => output.path === path.join(root, name));
    assert.ok(file, name);
    return gzipSync(file.contents, { level: 9 }).length;
  };
  return {
    meta,
    first,
    firstBytes: first.reduce((sum, name) => sum + bytesOf(name), 0),
    inputsOf: (outputs) => outputs.flatMap((name) => Object.keys(meta.outputs[name]?.inputs ?? {})),
  };
}

const isEngine = (input: string): boolean => /crypto-wasm|dock-(engine|library)/.test(input);
const isServer = (input: string): boolean =>
  /^packages\/(host|ledger-node|credential-service|cli|contract-kit)\//.test(input);

describe('a page that only verifies', () => {
  const page = bundle(`
    import { askVerdict, createVerifierClient, fetchOfflineFacts, verifyPresentationOffline } from '@symbolon/sdk/verifier';
    const client = createVerifierClient('https://credentials.example');
    export const online = (presentation) => askVerdict(client, { presentation });
    export async function offline(presentation, issuer, vcIds) {
      const facts = await fetchOfflineFacts(client, { issuer, vcIds });
      return verifyPresentationOffline(presentation, { facts, takenFrom: 'self', now: Date.now() });
    }
  `);

  test(`weighs less than ${verifierBytesMax} bytes before a proof is checked`, async (context) => {
    const { firstBytes } = await page;
    context.diagnostic(`${firstBytes} bytes gzipped`);
    assert.ok(firstBytes <= verifierBytesMax, `${firstBytes} bytes`);
  });

  test('loads the proof engine on demand', async () => {
    const { meta, first, inputsOf } = await page;
    assert.deepEqual(inputsOf(first).filter(isEngine), []);
    const late = Object.keys(meta.outputs).filter((name) => !first.includes(name));
    assert.ok(inputsOf(late).some(isEngine), 'the engine is in a file of its own');
  });

  test('carries nothing of a server, nothing of Node and no schema of a ledger', async () => {
    const { meta, first, inputsOf } = await page;
    assert.deepEqual(Object.keys(meta.inputs).filter(isServer), []);
    const imports = Object.values(meta.outputs).flatMap((output) => output.imports);
    assert.deepEqual(
      imports.filter(({ external }) => external),
      [],
    );
    assert.deepEqual(
      inputsOf(first).filter((input) => /protobuf|ledger-routes|all-routes|credential-routes/.test(input)),
      [],
    );
  });
});

describe('the whole SDK', () => {
  test('bundles for a browser without anything of Node or a server', async () => {
    const { meta } = await bundle(`export * from '@symbolon/sdk';`);
    assert.deepEqual(Object.keys(meta.inputs).filter(isServer), []);
    const imports = Object.values(meta.outputs).flatMap((output) => output.imports);
    assert.deepEqual(
      imports.filter(({ external }) => external),
      [],
    );
  });

  const shaken: readonly [name: string, bytesMax: number, foreign: RegExp][] = [
    ['signerFromSeed', 15_000, /zod|protobuf|wire\/src\/.*routes/],
    ['waitForReceipt', 8_000, /zod|protobuf|wire\/src\/.*routes/],
    ['watchLedger', 40_000, /zod|wire\/src\/.*routes/],
    ['createLedgerClient', 67_000, /crypto-wasm|credential-(routes|client)|payment|custody/],
    ['askVerdict', 5_000, /zod|protobuf|wire\/src\/.*routes/],
  ];
  for (const [name, bytesMax, foreign] of shaken) {
    test(`${name} alone brings little else along`, async (context) => {
      const source = `import { ${name} } from '@symbolon/sdk'; globalThis.used = ${name};`;
      const { firstBytes, first, inputsOf } = await bundle(source);
      context.diagnostic(`${firstBytes} bytes gzipped`);
      assert.ok(firstBytes <= bytesMax, `${firstBytes} bytes`);
      assert.deepEqual(
        inputsOf(first).filter((input) => foreign.test(input)),
        [],
      );
    });
  }
});
