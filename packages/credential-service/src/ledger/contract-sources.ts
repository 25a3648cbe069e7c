/**
 * The two registries as the ledger gets them: files of this package, read once. What a chain runs under their
 * addresses must be these very bytes (`deploy-registries.ts`).
 */
import { readFileSync } from 'node:fs';

const read = (name: string): string =>
  readFileSync(new URL(`../../contracts/${name}.js`, import.meta.url), 'utf8');

export interface ContractSources {
  readonly templates: string;
  readonly credentials: string;
}

export const readContractSources = (): ContractSources => ({
  templates: read('template-registry'),
  credentials: read('credential-registry'),
});

/** SHA-256 of the code of credential registries whose entries bind no contents: what they hold can still be read. */
export const unboundRegistryHashes: readonly string[] = [
  'cdcb2ea3f18da9787ed93fd474505efe2072505bba20a42806841587b54af7cb',
];
