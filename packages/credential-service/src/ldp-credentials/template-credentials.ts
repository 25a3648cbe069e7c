/**
 * Credentials of data model 2.0 with a proof of data integrity, of a template and its values: bbs-2023, of which a holder
 * shows parts, and eddsa-rdfc-2022, which is shown as a whole. Times are whole days: a moment would tell a holder from
 * others. Every credential has a place in the two lists of its issuer.
 */
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { type Fields, given } from '@symbolon/core/basics/plain-values';
import type { Template } from '@symbolon/core/documents/model';
import type { Dataset } from '@symbolon/core/openid/standards-dataset';
import { buildCredential, type StatusEntry } from '@symbolon/formats/credential/credential-builder';
import { startOfDay } from '@symbolon/formats/sd-jwt/issuing';
import { bitstringEntry } from '@symbolon/formats/status-lists/bitstring-list';
import { purposes, type StatusPurpose } from '@symbolon/formats/status-lists/slots';
import { listUri } from '../status-lists/list-requests.ts';
import type { TakenSlot } from '../status-lists/slot-rows.ts';
import { eddsaSigner, type ProvingParts, secureByParts, secureWhole } from './issuer-proofs.ts';
import { contextPlaceOf, templateLoader } from './template-contexts.ts';

export interface LdpIssuerParts extends ProvingParts {
  /** Where contexts and status lists are published. */
  readonly publicUrl: string;
}

export const ldpSuites = ['bbs-2023', 'eddsa-rdfc-2022'] as const;
export type LdpSuite = (typeof ldpSuites)[number];

export interface LdpInstance {
  /** Of whom it is. */
  readonly subject?: string;
  readonly id?: string;
  readonly slot: TakenSlot;
}

export interface LdpOrder {
  /** A DID of the ledger. */
  readonly issuer: string;
  readonly template: Template;
  readonly dataset: Dataset;
  readonly suite: LdpSuite;
  /** A credential for each, in this order. */
  readonly instances: readonly LdpInstance[];
  /** Of bbs-2023: pointers to what is always shown beside what is of every credential. */
  readonly alwaysShown?: readonly string[];
}

/** With a proof each, in the order of the instances. */
export async function issueLdpCredentials(
  parts: LdpIssuerParts,
  order: LdpOrder,
): Promise<readonly Fields[]> {
  const { publicUrl } = parts;
  const { issuer, template, suite, alwaysShown } = order;
  const documents = order.instances.map((instance) => documentOf(parts, order, instance));
  const { contextUrl } = contextPlaceOf(publicUrl, template);
  const load = templateLoader(publicUrl, (url) => (url === contextUrl ? template : undefined));
  if (suite === 'bbs-2023')
    return secureByParts(parts, issuer, { documents, load, ...given({ alwaysShown }) });
  const signer = await eddsaSigner(parts, issuer);
  return Promise.all(documents.map((document) => secureWhole(document, { signer, load })));
}

/** As it stands in these credentials: the day, and nothing of its hours. */
export const wholeDayText = (instant: string): string =>
  instantTextOfUnixMs(startOfDay(Date.parse(instant)) * 1_000);

const documentOf = (
  { publicUrl, webDidOf }: LdpIssuerParts,
  { issuer, template, dataset }: LdpOrder,
  { subject, id, slot }: LdpInstance,
): Fields =>
  buildCredential({
    template,
    place: contextPlaceOf(publicUrl, template),
    values: dataset.values,
    issuer: webDidOf(issuer),
    ...given({ subject, id }),
    validFrom: wholeDayText(dataset.validFrom),
    validUntil: wholeDayText(dataset.validUntil),
    statuses: statusesOf(publicUrl, issuer, slot),
  });

const statusesOf = (publicUrl: string, issuer: string, { list, slot }: TakenSlot): readonly StatusEntry[] =>
  (Object.keys(purposes) as StatusPurpose[]).map(
    (purpose) => bitstringEntry(listUri(publicUrl)({ issuer, list }, purpose), purpose, slot) as StatusEntry,
  );
