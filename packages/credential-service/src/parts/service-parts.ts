/**
 * What the handlers of every room work with: each seam once, made by whoever starts the service (`wiring`) or by a
 * test. Handlers load facts from these, call a pure rule, save and answer; none of them knows where a part comes from.
 * What only one room works with is that room's own: `SessionParts`, `PaymentParts`.
 */

import type { KeyFormat } from '@symbolon/core/keys/keys';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import type { CredentialFormat } from '@symbolon/core/presentation/credential-format';
import type { Clock } from '@symbolon/host/work/clock';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ServiceDatabase } from '../database/schema.ts';
import type { Resolver } from '../identity/resolver.ts';
import type { CredentialLedger } from '../ledger/credential-ledger.ts';
import type { IssuerLines } from '../ledger/issuer-lines.ts';
import type { OwnChain } from '../ledger/own-chain.ts';
import type { Pursuits } from '../ledger/pursuits.ts';
import type { Registrar } from '../ledger/registrar.ts';
import type { ProofDesk } from '../proofs/proof-desk.ts';
import type { CallerProofs } from '../proofs/proof-job.ts';
import type { KeyVault } from '../vault/vault.ts';

export interface ServiceSettings {
  readonly blobLifetimeSeconds: number;
  readonly downloadWindowSeconds: number;
  readonly acceptPrivateKeys: boolean;
  /** Where wallets and relying services reach the service. */
  readonly publicUrl: string;
  /** Whether a signed address, which never expires, gets everything that waits for the holder. */
  readonly allowAddressDownloads: boolean;
}

export interface ServiceParts {
  readonly profile: NetworkProfile;
  readonly keys: KeyFormat;
  readonly settings: ServiceSettings;
  readonly clock: Clock;
  readonly database: ServiceDatabase;
  readonly vault: KeyVault;
  readonly ledger: CredentialLedger;
  /** Whether the ledger is the one that the service has recorded to. */
  readonly chain: OwnChain;
  readonly registrar: Registrar;
  readonly resolver: Resolver;
  /** Of the credentials that are issued and verified here. */
  readonly format: CredentialFormat;
  /** For what the service does of itself, and for what was paid for in money. */
  readonly proofs: CallerProofs;
  /** For what callers ask for. */
  readonly proofDesk: ProofDesk;
  readonly audit: AuditLog;
  /** What goes on whether or not somebody waits for it. */
  readonly pursuits: Pursuits;
  readonly issuerLines: IssuerLines;
  /** Under which id this process holds what it works on. */
  readonly worker: string;
  /** Parameters of set-membership ranges that this service made, so that it may trust them as a verifier. */
  readonly rangeParameters: Uint8Array;
  /** Called between the durable steps of a handler, so that a test can end the process exactly there. */
  readonly crashPoint: (name: string) => void;
}

/** The same parts, with a caller paying for each proof that is made with them. */
export const paidBy = <Parts extends ServiceParts>(parts: Parts, caller: Caller): Parts => ({
  ...parts,
  proofs: parts.proofDesk.metered(caller),
});
