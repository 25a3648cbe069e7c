/**
 * `npm run pack-sdk`: the SDK as a package for other projects, symbolon-sdk-<version>.tgz, with declarations, the core and
 * the wire formats inside.
 */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {
  addWords,
  allDependencies,
  compilePackages,
  layOut,
  manifestOf,
  outFolder,
  pack,
  packages,
} from './lib/packing.mjs';
import { Complaint, main, say, step } from './lib/say.mjs';

const usage = 'Usage: npm run pack-sdk [-- --out FOLDER]';
const bundled = ['core', 'formats', 'wire'];
/** What servers print of themselves. */
const documents = /^wire\/src\/openapi\/(?!all-routes\.ts)/;

/** The oldest Node with all that the SDK asks of its platform: docs/sdk.md, "What it needs", says why. */
const engines = { node: '>=22.1' };

const target = (name) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });

/** `./src/x.ts` of the workspace as what the package has in its place. */
const shippedExports = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([entry, file]) => {
      const [, name] = /^\.\/src\/(.+)\.ts$/.exec(file) ?? [];
      if (name === undefined) throw new Complaint(`The SDK cannot ship the export ${entry}: ${file}`);
      return [entry, target(name)];
    }),
  );

function shippedManifest({ name, version, license, exports, dependencies }) {
  return {
    name,
    version,
    license,
    type: 'module',
    sideEffects: false,
    exports: shippedExports(exports),
    files: ['dist'],
    engines,
    dependencies,
  };
}

function sdkManifest() {
  const own = manifestOf('sdk');
  const shipped = shippedManifest(own);
  const { '.': index, ...others } = shipped.exports;
  return {
    ...shipped,
    description: 'Clients, signers and flows for a Symbolon ledger and its credential service',
    exports: { '.': index, './verifier': target('verifier'), './wallet': target('wallet'), ...others },
    dependencies: allDependencies([own, ...bundled.map(manifestOf)]),
    bundleDependencies: bundled.map((name) => manifestOf(name).name),
  };
}

const readme = `# @symbolon/sdk

Clients, signers and flows for a Symbolon ledger and its credential service, for Node 22.1 or newer and for browsers.

    import { createCredentialClient, signerFromPrivateKey } from '@symbolon/sdk';
    import { askVerdict, createVerifierClient } from '@symbolon/sdk/verifier';
    import { createOpenidWallet } from '@symbolon/sdk/wallet';
`;

/** Beside the code that is generated from them, for whoever generates code in another language. */
function addProtoFiles(dist) {
  const source = path.join(packages, 'core', 'proto');
  for (const name of readdirSync(source).filter((file) => file.endsWith('.proto'))) {
    copyFileSync(path.join(source, name), path.join(dist, 'proto', name));
  }
}

function layOutAll(folder, compiled) {
  layOut(folder, { manifest: sdkManifest(), compiled: path.join(compiled, 'sdk', 'src') });
  for (const name of bundled) {
    const manifest = manifestOf(name);
    const place = path.join(folder, 'node_modules', manifest.name);
    layOut(place, { manifest: shippedManifest(manifest), compiled: path.join(compiled, name, 'src') });
    if (name === 'core') addProtoFiles(path.join(place, 'dist'));
  }
  addWords(folder, readme);
}

await main(async () => {
  const out = outFolder(process.argv.slice(2), { usage, usual: 'sdk' });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-pack-'));
  try {
    const compiled = await step('compile', () =>
      compilePackages(folder, ['sdk', ...bundled], { without: documents }),
    );
    const staged = path.join(folder, 'package');
    layOutAll(staged, compiled);
    const file = await step('pack', () => pack(staged, out));
    say(`\n  In your project: npm install ${file}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
