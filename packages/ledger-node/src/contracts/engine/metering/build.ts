/**
 * Makes the metered interpreter from the one that npm installed and writes it beside the package, together with
 * a note of what it was made from. The same input gives the same bytes; a test holds the committed file to it.
 * `scripts/build-contract-engine.mjs` runs this file.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { type MeteringOptions, meterModule } from './meter-module.ts';
import { engineFolder, engineSha256, meteredModuleFile, meteringOptions } from './metered-module.ts';

const inputPackage = 'quickjs-wasi';

export const provenanceFile = path.join(engineFolder, 'provenance.json');

export interface Provenance {
  readonly input: {
    readonly package: string;
    readonly version: string;
    readonly file: string;
    readonly sha256: string;
  };
  readonly metering: MeteringOptions;
  readonly output: { readonly file: string; readonly sha256: string; readonly bytes: number };
}

export function buildMeteredModule(): { readonly module: Uint8Array; readonly provenance: Provenance } {
  const { resolve } = createRequire(import.meta.url);
  const input = readFileSync(resolve(`${inputPackage}/quickjs.wasm`));
  const manifest = JSON.parse(readFileSync(resolve(`${inputPackage}/package.json`), 'utf8')) as {
    version: string;
  };
  const module = meterModule(input, meteringOptions);
  const provenance = {
    input: {
      package: inputPackage,
      version: manifest.version,
      file: 'quickjs.wasm',
      sha256: sha256Hex(input),
    },
    metering: meteringOptions,
    output: { file: path.basename(meteredModuleFile), sha256: sha256Hex(module), bytes: module.length },
  };
  return { module, provenance };
}

if (import.meta.main) {
  const { module, provenance } = buildMeteredModule();
  writeFileSync(meteredModuleFile, module);
  writeFileSync(provenanceFile, `${JSON.stringify(provenance, undefined, 2)}\n`);
  const { sha256 } = provenance.output;
  process.stdout.write(`${meteredModuleFile}\n${sha256}\n`);
  if (sha256 !== engineSha256.module) {
    process.stdout.write(
      'This is another module than metered-module.ts names: a new version of the protocol.\n',
    );
  }
}
