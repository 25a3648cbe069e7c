/**
 * How a blob that was handed to the ledger can end, and what each kind of blob does then. The end is stored beside the
 * blob until whoever submitted it was told, so that the same request gets the same answer, however often it was lost.
 * Nothing of it is confidential: it is what the ledger shows anyway.
 */
import type { Fault, FaultName } from '@symbolon/core/faults/faults';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { AuditEvent } from '../audit/audit-entry.ts';
import type { BlobKind, Queries } from '../database/schema.ts';
import type { UnsignedTransaction } from '../ledger/issuer-transactions.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import type { Blob } from './blob-rows.ts';

/** What a blob waits with: the transaction, whose signature it needs, and what its kind needs to go on. */
export interface LedgerBlob<Terms> {
  readonly blob: string;
  readonly hash: string;
  /** The DID whose key signs. */
  readonly signer: string;
  readonly terms: Terms;
}

export interface BlobOffer<Terms> {
  readonly kind: BlobKind;
  readonly signer: string;
  readonly transaction: UnsignedTransaction;
  readonly terms: Terms;
  /** Prepares what is saved together with the blob. */
  readonly alongside?: (blobId: string) => Promise<(queries: Queries) => Promise<void>>;
}

/**
 * One kind of blob: what it does in the database in the same transaction as each of its steps, in the order in which the
 * steps come (`blob-submits.ts`, `blob-ends.ts`).
 */
export interface BlobOutcomes<Terms, Reply extends JsonObject = JsonObject> {
  readonly kinds: readonly BlobKind[];
  /** What it is about: another blob of the kind with the same words is another try at the same. */
  about(terms: Terms): string;
  /** Before the ledger is called, after the blob is claimed; throws to refuse. */
  begin(queries: Queries, beginning: BegunBlob<Terms>): Promise<void>;
  /** Answers what was done, for the audit log: nothing where another blob held the very same transaction. */
  executed(queries: Queries, ended: EndedBlob<Terms>): Promise<readonly AuditEvent[]>;
  /** What the submitter hears then. */
  reply(ended: EndedBlob<Terms>): Reply;
  /** The ledger has not taken it and never will. */
  dropped(queries: Queries, ended: BegunBlob<Terms>): Promise<void>;
  /** The same once more, for the account as it is now; throws what stands in its way. */
  rebuild(parts: ServiceParts, begun: Omit<BegunBlob<Terms>, 'now'>): Promise<BlobOffer<Terms>>;
}

export interface BegunBlob<Terms> {
  readonly row: Blob;
  readonly terms: Terms;
  readonly now: number;
}

export interface EndedBlob<Terms> extends BegunBlob<Terms> {
  readonly txHash: string;
}

/** The end of a blob, as it is stored. */
export type BlobEnd =
  | { readonly kind: 'executed'; readonly reply: JsonObject }
  /** The cause is for the log. */
  | { readonly kind: 'refused'; readonly fault: FaultName; readonly detail: string; readonly cause?: string }
  /** Another transaction of the account came first: the same was prepared anew, to be signed. */
  | { readonly kind: 'replaced'; readonly blobId: string };

export const writeEnd = (end: BlobEnd): string => JSON.stringify(end);
export const readEnd = (text: string): BlobEnd => JSON.parse(text) as BlobEnd;

export const refusedBy = ({ code, message, cause }: Fault): BlobEnd => ({
  kind: 'refused',
  fault: code,
  detail: message,
  ...(cause !== undefined && { cause: String(cause) }),
});
