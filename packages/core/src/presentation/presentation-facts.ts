/**
 * What a verifier knows beside the presentation, and what an examination finds: only types. Every fact is vouched for
 * by the caller; a service reads them from the ledger, a verifier without a network brings them along.
 */
import type { Sha256 } from '../basics/bytes.ts';
import type { VerifyEd25519 } from '../credential/credential-assembly.ts';
import type {
  CredentialFrame,
  DisclosureRequest,
  LedgerStatus,
  Presentation,
  PresentationCheck,
} from '../documents/model.ts';
import type { NetworkProfile } from '../keys/profile.ts';
import type { ProofOrder } from '../proofs/proof-engine.ts';
import type { RecordedTemplate, RecordedTerms } from './ledger-terms.ts';
import type { CredentialOrigin, TrustFacts } from './trust-rules.ts';

/** A BBS key from the issuer's DID document, and when it may be relied upon. */
export interface IssuerKey {
  /** 96 bytes. */
  readonly publicKey: Uint8Array;
  readonly validFrom?: string;
  readonly validUntil?: string;
  /** Since when the issuer says that others may have the secret key. */
  readonly compromisedSince?: string;
}

/** What the ledger says about a credential. */
export interface StatusFact {
  readonly status: LedgerStatus;
  /** The credential names a registry that this verifier does not read. */
  readonly isElsewhere?: true;
  /** When the ledger recorded the credential: the moment at which its key must have been valid. */
  readonly issuedAt?: string;
  readonly since?: string;
  /** The block of the last change. */
  readonly ledgerSeq?: string;
  readonly reason?: string;
  readonly transaction?: string;
  /** What the entry holds under this issuer. Without it nothing is known to have been issued. */
  readonly terms?: RecordedTerms;
}

export interface VerificationFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly profile: Pick<NetworkProfile, 'didMethod'>;
  readonly expectedChallenge?: string;
  readonly expectedDomain?: string;
  readonly request?: DisclosureRequest | readonly DisclosureRequest[];
  /** Never taken from the presentation. */
  readonly issuerKeys: (issuer: string, verificationMethod: string) => IssuerKey | undefined;
  /** Keys that the verifier says are the issuer's: then no other will do, whatever the ledger has. */
  readonly namedKeys?: { readonly bbs?: Uint8Array; readonly ed25519?: Uint8Array };
  /** By the frame's `id`, `issuer` and `credentialStatus`; a registry that the caller does not know is `unknown`. */
  readonly status: (frame: CredentialFrame) => StatusFact | undefined;
  /** The registered version that the frame names. */
  readonly template: (frame: CredentialFrame) => RecordedTemplate | undefined;
  readonly verifyEd25519: VerifyEd25519;
  readonly sha256: Sha256;
  /** Parameters of set-membership ranges that this verifier made itself: nobody else's prove anything. */
  readonly ownRangeParameters?: readonly Uint8Array[];
  /** Whom the verifier trusts, and what is known about names. */
  readonly trust?: TrustFacts;
}

export interface CheckFailure {
  readonly check: PresentationCheck;
  readonly detail: string;
  /** Position in `verifiableCredential`, if it is about one of them. */
  readonly credential?: number;
}

export interface Examination {
  readonly presentation: Presentation;
  readonly failures: readonly CheckFailure[];
  /** At most one for each credential; a credential without one has failed already or was not looked at. */
  readonly proofOrders: readonly { readonly credential: number; readonly order: ProofOrder }[];
  /** What the facts say about each credential, for a verdict that turns out well. */
  readonly origins: readonly CredentialOrigin[];
  /** Where the verifier said what it asked for: whether each credential answers it. */
  readonly answers?: readonly boolean[];
}
