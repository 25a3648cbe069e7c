/**
 * What the ledger records of a credential that this service issued in a format of the field, compared with all that the
 * credential says: that it is recorded for a dataset and which, its template, how long it holds, and that it counts now.
 * The slot of its status list names its entry; the list itself is not asked, because the ledger is.
 */

import { parseHex } from '@symbolon/core/basics/bytes';
import { unixMsOf } from '@symbolon/core/basics/calendar';
import { isDatasetCommitment } from '@symbolon/core/openid/standards-dataset';
import type { FieldCredential } from '@symbolon/wire/sessions/field-replies';
import { addressOfIssuer } from '../../access/signatures.ts';
import { findDataset } from '../../openid-issuance/datasets/dataset-rows.ts';
import { wholeDay } from '../../openid-issuance/datasets/datasets.ts';
import type { ServiceParts } from '../../parts/service-parts.ts';
import { readEntryAsOwed } from '../../status/ledger-facts.ts';
import { readListPath } from '../../status-lists/list-requests.ts';
import { findSlotEntry } from '../../status-lists/slot-rows.ts';
import { ownPathOf } from '../parts/own-names.ts';

/** What a credential says that the ledger knows, too. */
export interface RecordClaims {
  /** The DID of the issuer on the ledger. */
  readonly issuer: string;
  /** Address and slot of the status lists that it refers to: at least one. */
  readonly slots: readonly { readonly uri: string; readonly slot: number }[];
  /** Digits and version of the template. */
  readonly template: { readonly hex: string; readonly version: string } | undefined;
  /** Milliseconds since 1970. */
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
}

export type ComparedRecord =
  | { readonly complaints: readonly string[] }
  | { readonly record: NonNullable<FieldCredential['record']> };

type Sources = Pick<ServiceParts, 'database' | 'ledger' | 'keys' | 'profile' | 'settings' | 'resolver'>;

const none = (complaint: string): ComparedRecord => ({ complaints: [complaint] });

export async function compareRecord(sources: Sources, claims: RecordClaims): Promise<ComparedRecord> {
  const { database, keys, profile, resolver } = sources;
  const { issuer } = claims;
  const vcId = await entryOfSlots(sources, claims);
  if (vcId === undefined) return none('the credential refers to no entry of the ledger');
  const dataset = await findDataset(database.kysely, vcId);
  if (dataset?.issuer !== issuer) return none('the entry is not one of this issuer');
  const [entry, found] = await Promise.all([
    readEntryAsOwed(sources, { address: addressOfIssuer(issuer, keys), vcId }),
    resolver.resolveDid(issuer),
  ]);
  if (!entry) return none('the ledger does not have the credential');
  if (typeof found === 'object' && found.metadata.deactivated) return none('the issuer is one no longer');
  const commitment = entry.commitment === undefined ? undefined : parseHex(entry.commitment);
  const template = claims.template && `did:${profile.didMethod}:${claims.template.hex}`;
  const dayOf = (text: string): number => wholeDay(unixMsOf(text) ?? Number.NaN);
  const compared: readonly (readonly [isSame: boolean, complaint: string])[] = [
    [
      commitment !== undefined && isDatasetCommitment(commitment),
      'the entry is of a credential of another suite',
    ],
    [entry.digest === dataset.digest, 'the entry is of other contents'],
    [
      entry.template === template && entry.templateVersion === claims.template?.version,
      'the entry is of another template',
    ],
    [dayOf(entry.validFrom) === dayNumber(claims.fromMs), 'the entry is valid from another day'],
    [dayOf(entry.validUntil) === dayNumber(claims.untilMs), 'the entry is valid until another day'],
    [entry.status === 'active', `the credential is ${entry.status}`],
  ];
  const complaints = compared.filter(([isSame]) => !isSame).map(([, complaint]) => complaint);
  if (complaints.length > 0) return { complaints };
  return {
    record: { id: vcId, issuer, templateId: entry.template, templateVersion: entry.templateVersion },
  };
}

const dayNumber = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : wholeDay(ms);

/** The one entry that all its slots are of. */
async function entryOfSlots(
  sources: Pick<Sources, 'database' | 'profile' | 'settings'>,
  { issuer, slots }: RecordClaims,
): Promise<string | undefined> {
  const found = new Set<string | undefined>();
  for (const { uri, slot } of slots) {
    const [, segment, list] = /^\/status\/([^/]+)\/(.+)$/.exec(ownPathOf(sources, uri) ?? '') ?? [];
    const named =
      segment === undefined || list === undefined
        ? undefined
        : readListPath({ issuer: segment, list }, sources.profile);
    const isOwn = named?.name.issuer === issuer;
    found.add(isOwn ? await findSlotEntry(sources.database.kysely, named.name, slot) : undefined);
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}
