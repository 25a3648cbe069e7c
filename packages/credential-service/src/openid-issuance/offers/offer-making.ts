/**
 * What every offer is made of, whoever it is for: a dataset of values of a template, signed with the key that its issuer has
 * left here or to be signed, and the row by which wallets take it.
 */
import { readAttributeValues } from '@symbolon/core/credential/template-rules';
import type { Template } from '@symbolon/core/documents/model';
import type { AttributePlaces, GivenAttributes } from '@symbolon/wire/credentials/request-encodings';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Actor } from '../../audit/audit-entry.ts';
import type { Queries } from '../../database/schema.ts';
import { arrivedValues } from '../../issuance/credential-drafts.ts';
import { requireUnpriced } from '../../payments/price-rows.ts';
import { contexts } from '../../vault/encryption-contexts.ts';
import { addDataset, type NewDataset } from '../datasets/dataset-rows.ts';
import {
  datasetDigestHex,
  entryTermsOf,
  type KeptContents,
  makeDataset,
  signingReply,
} from '../datasets/datasets.ts';
import { keptSignature } from '../datasets/kept-signatures.ts';
import { makeOwnContents } from '../datasets/own-contents.ts';
import type { OpenidParts } from '../parts/openid-parts.ts';
import { addStandardsOffer, type NewStandardsOffer } from './standards-offer-rows.ts';

export interface OfferedTerms {
  readonly template: Template;
  readonly attributes: GivenAttributes;
  readonly places: AttributePlaces;
  readonly validFrom: string | undefined;
  readonly validUntil: string;
  /** DID of the only one who can take it: then it is a credential of our own, and else a dataset. */
  readonly holder?: string | undefined;
}

export interface PreparedDataset {
  readonly row: Omit<NewDataset, 'now'>;
  /** What the issuer is to sign; nothing where its key has signed. */
  readonly toSign: { readonly ed25519Blob?: string; readonly unsigned?: JsonObject };
}

/** Nothing is stored yet: keys are read from the database, which nobody may inside of a transaction. */
export async function prepareDataset(parts: OpenidParts, terms: OfferedTerms): Promise<PreparedDataset> {
  const { template } = terms;
  await requireUnpriced(parts.database.kysely, template.id);
  const kept = await contentsFor(parts, terms);
  const { credential: vcId } = entryTermsOf(kept);
  const signature = await keptSignature(parts, kept, template.issuer);
  const row = {
    ...{ issuer: template.issuer, templateId: template.id, templateVersion: template.version, vcId },
    digest: datasetDigestHex(kept),
    signature,
    contents: await parts.vault.encryptDocument(kept, contexts.openidDataset(vcId)),
  };
  return {
    row,
    toSign: signature === null ? (signingReply(parts, kept) as unknown as { unsigned: JsonObject }) : {},
  };
}

function contentsFor(parts: OpenidParts, terms: OfferedTerms): Promise<KeptContents> | KeptContents {
  const { template, attributes, places, validFrom, validUntil, holder } = terms;
  if (holder !== undefined) return makeOwnContents(parts, { ...terms, holder });
  const values = readAttributeValues(template, arrivedValues(attributes, places), { pointer: places.whole });
  return makeDataset(parts, { template, values, validFrom, validUntil });
}

/** How an offer is named by wallets, and until when. */
export type OfferNames = Omit<
  NewStandardsOffer,
  'issuer' | 'templateId' | 'templateVersion' | 'vcId' | 'state'
>;

/** Dataset and offer, in the transaction of whoever makes them. */
export async function storeOffered(
  { audit }: Pick<OpenidParts, 'audit'>,
  queries: Queries,
  {
    prepared: { row },
    names,
    actor,
  }: { readonly prepared: PreparedDataset; readonly names: OfferNames; readonly actor: Actor },
): Promise<void> {
  const { issuer, templateId, templateVersion, vcId } = row;
  await addDataset(queries, { ...row, now: names.now });
  await addStandardsOffer(queries, { ...names, issuer, templateId, templateVersion, vcId });
  const details = { templateId, issuer, vcId };
  await audit.record({ actor, action: 'openidOffer.make', subject: names.id, details }, queries);
}
