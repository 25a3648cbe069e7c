/**
 * Puts the two registries on a chain, or makes sure that what is there already is ours: the very same code, set up
 * for the same network and registrar. Nobody owns them, so nobody can change them afterwards.
 */

import { createHash } from 'node:crypto';
import { registryLimits, serviceWorkLimits } from '@symbolon/core/limits/limits';
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
import { readChainTerms } from './chain-terms.ts';
import { readContractSources, unboundRegistryHashes } from './contract-sources.ts';

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
  const sources = readContractSources();

  const settled = async (address: string | undefined, code: string, params: object): Promise<string> => {
    if (address === undefined) return deploy(client, { signer, code, params });
    await assertOurs(client, { address, code, params });
    return address;
  };

  const templates = await settled(known.templates, sources.templates, { didMethod });
  if (known.templates === undefined) await remember?.({ ...known, templates });
  const params = { didMethod, templateRegistry: templates, registrar: signer.address };
  const credentials = await settled(known.credentials, sources.credentials, params);
  if (known.credentials === undefined) await remember?.({ templates, credentials });
  if (known.unbound === undefined) return { templates, credentials };
  await assertUnbound(client, known.unbound, params);
  return { templates, credentials, unbound: known.unbound };
}

interface Contract {
  readonly code: string;
  readonly params: object;
}

async function deploy(client: LedgerClient, order: Contract & { readonly signer: Signer }): Promise<string> {
  const { signer, code, params } = order;
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

async function assertOurs(client: LedgerClient, expected: Contract & { address: string }): Promise<void> {
  await assertCode(client, expected.address, (payload) => payload === expected.code);
  await assertSettings(client, expected.address, expected.params);
}

async function assertUnbound(client: LedgerClient, address: string, params: object): Promise<void> {
  await assertCode(client, address, (payload) => unboundRegistryHashes.includes(sha256Hex(payload)));
  await assertSettings(client, address, params);
}

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

async function assertCode(
  client: LedgerClient,
  address: string,
  isOurs: (payload: string) => boolean,
): Promise<void> {
  const payload = await codeAt(client, address);
  if (payload === undefined) throw new RegistryMismatch(`There is no contract at ${address} on this chain.`);
  if (!isOurs(payload)) throw new RegistryMismatch(`The contract at ${address} has other code than ours.`);
}

async function assertSettings(client: LedgerClient, address: string, params: object): Promise<void> {
  const settings = await readMetadata(client, address, 'settings');
  if (settings !== JSON.stringify(params)) {
    throw new RegistryMismatch(
      `The contract at ${address} is set up for another network, registry or registrar.`,
    );
  }
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
