/**
 * What the ledger has of a credential that this service issued, against what is shown: it is asked itself, at its head, and
 * every term that it records is compared. The place in the lists says which entry it is.
 */
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { datasetCommitment } from '@symbolon/core/openid/standards-dataset';
import { contextUrls } from '@symbolon/formats/json-ld/contexts';
import { issuerOfSegment } from '@symbolon/wire/oauth/standard-places';
import { addressOfIssuer } from '../access/signatures.ts';
import { contextPlaceOf } from '../ldp-credentials/template-contexts.ts';
import { wholeDayText } from '../ldp-credentials/template-credentials.ts';
import { findDataset } from '../openid-issuance/datasets/dataset-rows.ts';
import { readEntryAsOwed } from '../status/ledger-facts.ts';
import { listAtUri } from '../status-lists/list-requests.ts';
import { credentialAt } from '../status-lists/slot-rows.ts';
import { problemOfDocument, type VcApiProblem } from './judgements.ts';
import type { VcApiParts } from './vc-api-parts.ts';

/** The DID on the ledger of an issuer whose `did:web` is of this service; undefined for all others. */
export function ownIssuerOf({ places, profile }: VcApiParts, issuer: string): string | undefined {
  const did = issuerOfSegment(issuer.slice(issuer.lastIndexOf(':') + 1), profile);
  return did !== undefined && places().webDid(did) === issuer ? did : undefined;
}

const listType = 'BitstringStatusListCredential';
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/**
 * Lists are not recorded: each says itself until when it holds. A credential of a template has that one's context, too,
 * whatever the template is called.
 */
const isList = ({ type, '@context': context }: Fields): boolean =>
  asList(type).includes(listType) && isEqualJson(context, [contextUrls.credentialsV2]);

const isEqualJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const notRecorded = (detail: string): readonly VcApiProblem[] => [
  problemOfDocument('notRecorded', { detail }),
];

/** Of a credential whose issuer is of this service, and whose proofs hold. */
export async function recordProblems(
  parts: VcApiParts,
  credential: Fields,
  issuer: string,
): Promise<readonly VcApiProblem[]> {
  if (isList(credential)) return [];
  const vcId = await entryOf(parts, credential, issuer);
  if (vcId === undefined)
    return notRecorded('it has no place in the status lists of its issuer, as all that is issued here has');
  const [dataset, entry] = await Promise.all([
    findDataset(parts.database.kysely, vcId),
    readEntryAsOwed(parts, { address: addressOfIssuer(issuer, parts.keys), vcId }),
  ]);
  if (!dataset || !entry) return notRecorded('the ledger has no entry of it');
  const { template: id, templateVersion: version } = entry;
  const { contextUrl } = contextPlaceOf(parts.settings.publicUrl, { id, version });
  const compared: readonly (readonly [name: string, isSame: boolean])[] = [
    ['digest', entry.digest === dataset.digest && entry.commitment === datasetCommitment],
    ['template', isEqualJson(credential['@context'], [contextUrls.credentialsV2, contextUrl])],
    ['validFrom', credential.validFrom === wholeDayText(entry.validFrom)],
    ['validUntil', credential.validUntil === wholeDayText(entry.validUntil)],
  ];
  const different = compared.filter(([, isSame]) => !isSame).map(([name]) => name);
  return [
    ...(different.length > 0 ? notRecorded(`the ledger has another ${different.join(', ')}`) : []),
    ...(entry.status === 'active'
      ? []
      : [problemOfDocument('statusWrong', { detail: `the credential is ${entry.status}` })]),
  ];
}

/** The entry that both places of a credential lead to. */
async function entryOf(
  parts: VcApiParts,
  { credentialStatus }: Fields,
  issuer: string,
): Promise<string | undefined> {
  const { database, profile, settings } = parts;
  const entries = asList(credentialStatus).map(asObject);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const { statusListCredential: uri, statusListIndex: index, statusPurpose: purpose } = entry ?? {};
      if (typeof uri !== 'string' || typeof index !== 'string' || !/^(0|[1-9][0-9]{0,8})$/.test(index))
        return undefined;
      const list = listAtUri({ publicUrl: settings.publicUrl, profile }, uri);
      if (!list || list.name.issuer !== issuer || list.kind !== purpose) return undefined;
      return credentialAt(database.kysely, { ...list.name, slot: Number(index) });
    }),
  );
  const [vcId] = found;
  return found.every((one) => one === vcId) ? vcId : undefined;
}
