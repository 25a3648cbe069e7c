/**
 * Puts the two registries on a chain, or makes sure that what is there already is ours: the very same code, set up
 * for the same network and registrar. Nobody owns them, so nobody can change them afterwards.
 */

import { readFileSync } from 'node:fs';
import { sha256Hex } from '@symbolon/host/work/sha256';
import {
  buildTransaction,
  createdContract,
  type LedgerClient,
  LedgerError,
  type Signer,
  settleTransaction,
  signTransaction,
} from '@symbolon/sdk/index';
import { readMetadata } from '@symbolon/sdk/ledger/registries';
import { registryLimits, serviceWorkLimits } from '../limits/service-limits.ts';
import { readChainTerms } from './chain-terms.ts';

/** A contract as the ledger gets it: what a chain runs under its address must be these very bytes. */
const codeOf = (name: 'template-registry' | 'credential-registry'): string =>
  readFileSync(new URL(`../../contracts/${name}.js`, import.meta.url), 'utf8');

/** SHA-256 of the code of credential registries whose entries bind no contents: what they hold can still be read. */
const unboundRegistryHashes: readonly string[] = [
  'cdcb2ea3f18da9787ed93fd474505efe2072505bba20a42806841587b54af7cb',
];

/** The addresses of the two contracts. */
export interface Registries {
  readonly templates: string;
  readonly credentials: string;
  /** A credential registry from before contents were bound, where this database has used one. Nothing new gets there. */
  readonly unbound?: string;
}

export interface DeployOrder {
  /** Pays for both, and becomes the registrar. */
  readonly signer: Signer;
  readonly didMethod: string;
  /** What an earlier start has remembered. */
  readonly known?: Partial<Registries>;
  /** Called after each contract, so that a start that breaks off goes on where it was. */
  readonly remember?: (registries: Partial<Registries>) => Promise<void>;
}

/** The addresses given are not those of our registries: another chain, another version, or another registrar. */
export class RegistryMismatch extends Error {
  override readonly name = 'RegistryMismatch';
}

export async function deployRegistries(client: LedgerClient, order: DeployOrder): Promise<Registries> {
  const { signer, didMethod, known = {}, remember } = order;

  const settled = async (address: string | undefined, code: string, params: object): Promise<string> => {
    if (address === undefined) return deploy(client, { signer, code, params });
    await assertContract(client, { address, params, isOurs: (found) => found === code });
    return address;
  };

  const templates = await settled(known.templates, codeOf('template-registry'), { didMethod });
  if (known.templates === undefined) await remember?.({ ...known, templates });
  const params = { didMethod, templateRegistry: templates, registrar: signer.address };
  const credentials = await settled(known.credentials, codeOf('credential-registry'), params);
  if (known.credentials === undefined) await remember?.({ templates, credentials });
  if (known.unbound === undefined) return { templates, credentials };
  const isUnbound = (code: string): boolean => unboundRegistryHashes.includes(sha256Hex(code));
  await assertContract(client, { address: known.unbound, params, isOurs: isUnbound });
  return { templates, credentials, unbound: known.unbound };
}

async function deploy(
  client: LedgerClient,
  { signer, code, params }: { readonly signer: Signer; readonly code: string; readonly params: object },
): Promise<string> {
  const createAccount = {
    contract: { payload: code },
    priv: { thresholds: { txThreshold: 1n } },
    initInput: JSON.stringify({ params }),
  };
  const { chainId, gasPrice } = await readChainTerms(client);
  const transaction = await buildTransaction(client, {
    source: signer.address,
    operations: [{ createAccount }],
    chainId,
    gasPrice,
    feeLimitMax: gasPrice * BigInt(serviceWorkLimits.deployGas),
    withRoom: true,
  });
  const signed = await signTransaction(transaction, [signer]);
  await settleTransaction(client, signed, { pollIntervalMs: registryLimits.pollMs });
  return createdContract(transaction);
}

interface ExpectedContract {
  readonly address: string;
  readonly params: object;
  isOurs(code: string): boolean;
}

async function assertContract(
  client: LedgerClient,
  { address, params, isOurs }: ExpectedContract,
): Promise<void> {
  const code = await codeAt(client, address);
  if (code === undefined) throw new RegistryMismatch(`There is no contract at ${address} on this chain.`);
  if (!isOurs(code)) throw new RegistryMismatch(`The contract at ${address} has other code than ours.`);
  if ((await readMetadata(client, address, 'settings')) !== JSON.stringify(params))
    throw new RegistryMismatch(
      `The contract at ${address} is set up for another network, registry or registrar.`,
    );
}

/** Whether there is any contract at an address. */
export const isDeployed = async (client: LedgerClient, address: string): Promise<boolean> =>
  (await codeAt(client, address)) !== undefined;

async function codeAt(client: LedgerClient, address: string): Promise<string | undefined> {
  try {
    const { result } = await client.getAccountBase({ address });
    return result?.contract?.payload;
  } catch (error) {
    if (error instanceof LedgerError) return undefined;
    throw error;
  }
}
