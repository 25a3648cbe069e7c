/**
 * The service's way to the ledger, apart from the registrar (`registrar.ts`): the seam, and its implementation over a
 * ledger client and the addresses of the two registries. Whatever the ledger does not answer or refuses comes out as
 * a fault; only what became of a submitted transaction is a value, because an unknown outcome is one too.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { LedgerClient } from '@symbolon/sdk/index';
import { readEntry, readMetadata, readTemplate } from '@symbolon/sdk/ledger/registries';
import {
  hash,
  micros,
  parseStored,
  type RegisteredTemplate,
  type RegistryEntry,
} from '@symbolon/wire/credentials/registry-records';
import * as z from 'zod';
import type { Registries } from './deploy-registries.ts';
import {
  type HandInOutcome,
  handInSigned,
  type LookedUpOutcome,
  outcomeOf,
  type SignedBlob,
  signatureOf,
} from './hand-in.ts';
import {
  type RegistrationOrder,
  registerTemplateTransaction,
  type StatusOrder,
  statusTransaction,
  type UnsignedTransaction,
} from './issuer-transactions.ts';
import { withFaults } from './ledger-faults.ts';

interface RecordedAuditHead {
  readonly head: string;
  readonly count: number;
  readonly anchoredAtMicros: bigint;
}

export interface CredentialLedger {
  readonly registries: Registries;
  /** Faults: issuerAccountMissing, templateExists, issuerMismatch, requestMalformed, overloaded, ledgerFailed. */
  registerTemplateTransaction(order: RegistrationOrder): Promise<UnsignedTransaction>;
  /** Faults: issuerAccountMissing, credentialUnknown, statusForbids, requestMalformed, overloaded, ledgerFailed. */
  statusTransaction(order: StatusOrder): Promise<UnsignedTransaction>;
  submitSigned(signed: SignedBlob, signal?: AbortSignal): Promise<HandInOutcome>;
  outcomeOf(hash: string): Promise<LookedUpOutcome>;
  signatureOf(hash: string, publicKey: string): Promise<string | undefined>;
  /** The newest version if none is named. */
  readTemplate(id: string, version?: string): Promise<RegisteredTemplate | undefined>;
  /** From the registry that binds contents; where that has none, from the one that does not. */
  readEntry(issuerAddress: string, credential: string): Promise<RegistryEntry | undefined>;
  readAuditAnchor(): Promise<RecordedAuditHead | undefined>;
}

export function createCredentialLedger(client: LedgerClient, registries: Registries): CredentialLedger {
  const { templates, credentials, unbound } = registries;

  const findEntry: CredentialLedger['readEntry'] = (issuer, credential) =>
    withFaults(async () => {
      const entry = await readEntry(client, credentials, { issuer, credential });
      if (entry || unbound === undefined) return entry;
      return readEntry(client, unbound, { issuer, credential });
    });

  /** One transaction calls one registry. */
  const registryOf = async ({ issuerAddress, credentials: ones }: StatusOrder): Promise<string> => {
    if (unbound === undefined) return credentials;
    const entries = await Promise.all(ones.map((one) => findEntry(issuerAddress, one)));
    const used = new Set(entries.map((entry) => entry?.registry ?? credentials));
    if (used.size === 1) return [...used][0];
    throw new Fault('requestMalformed', {
      detail: 'The credentials are kept by two registries: change the status of those of each by themselves',
    });
  };

  return {
    registries,
    registerTemplateTransaction: (order) => registerTemplateTransaction(client, templates, order),
    statusTransaction: async (order) => statusTransaction(client, await registryOf(order), order),
    submitSigned: (signed, signal) => handInSigned(client, signed, signal),
    outcomeOf: (hash) => outcomeOf(client, hash),
    signatureOf: (hash, publicKey) => withFaults(() => signatureOf(client, hash, publicKey)),
    readTemplate: (id, version) => withFaults(() => readTemplate(client, templates, { id, version })),
    readEntry: findEntry,
    readAuditAnchor: () => withFaults(() => readAuditAnchor(client, credentials)),
  };
}

const auditSchema = z.object({ head: hash, count: z.int().min(1), anchoredAt: micros });

/** Read at the ledger's head, as everything is: no contract has to run for it. */
async function readAuditAnchor(
  client: LedgerClient,
  registry: string,
): Promise<RecordedAuditHead | undefined> {
  const text = await readMetadata(client, registry, 'audit__head');
  if (text === undefined) return undefined;
  const { anchoredAt, ...anchor } = parseStored(auditSchema, text);
  return { ...anchor, anchoredAtMicros: anchoredAt };
}
