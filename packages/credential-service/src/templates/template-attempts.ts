/**
 * A registration that its issuer ordered with the private key and heard nothing of: the same order again goes on with it
 * instead of meeting it as another's. Whoever asks must have shown the issuer's key.
 */
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { openBlob } from '../blobs/blob-offers.ts';
import { readEnd } from '../blobs/blob-outcomes.ts';
import { type Blob, listUntoldBlobs } from '../blobs/blob-rows.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import type { RegistrationReply, TemplateTerms } from './template-handlers.ts';
import { findTemplate } from './template-rows.ts';

type Ordered = Pick<TemplateTerms, 'template' | 'acceptsUnbound'>;

export type Attempt =
  /** On its way to the ledger: to be signed and submitted as before. */
  | { readonly kind: 'underWay'; readonly blobId: string; readonly blob: string }
  | { readonly kind: 'registered'; readonly blobId: string; readonly reply: RegistrationReply };

export async function findAttempt(parts: ServiceParts, ordered: Ordered): Promise<Attempt | undefined> {
  const choice = { owner: ordered.template.issuer, kind: 'template' } as const;
  for (const row of await listUntoldBlobs(parts.database.kysely, choice)) {
    const attempt = await (row.state === 'claimed' ? underWay : registered)(parts, row, ordered);
    if (attempt) return attempt;
  }
  return undefined;
}

async function underWay(parts: ServiceParts, row: Blob, ordered: Ordered): Promise<Attempt | undefined> {
  const { blob, terms } = await openBlob<TemplateTerms>(parts, row);
  return isSame(terms, ordered) ? { kind: 'underWay', blobId: row.id, blob } : undefined;
}

async function registered(
  { database }: Pick<ServiceParts, 'database'>,
  { id, outcome }: Blob,
  ordered: Ordered,
): Promise<Attempt | undefined> {
  const end = outcome === null ? undefined : readEnd(outcome);
  if (end?.kind !== 'executed') return undefined;
  const reply = end.reply as RegistrationReply;
  const stored = await findTemplate(database.kysely, ordered.template.id, ordered.template.version);
  if (stored?.txHash !== reply.txHash || !isSame(stored, { template: ordered.template })) return undefined;
  return { kind: 'registered', blobId: id, reply };
}

const isSame = (one: Ordered, other: Ordered): boolean => textOf(one) === textOf(other);

const textOf = ({ template, acceptsUnbound = false }: Ordered): string =>
  canonicalJson({ template: JSON.parse(JSON.stringify(template)), acceptsUnbound });
