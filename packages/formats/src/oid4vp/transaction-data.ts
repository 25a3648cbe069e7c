/** What a holder is to agree to together with showing a credential (`transaction_data`): read, and written as it is hashed. */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, encodeUtf8, parseExactBase64Url } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { arrayOf, complain, membersOf, type Shape } from '@symbolon/core/documents/document-shapes';
import { Fault, type FaultDetail } from '@symbolon/core/faults/faults';
import { parseSignedObject, parseUtf8 } from '../jose/strict-json.ts';
import { sdJwtLimits } from '../limits/format-limits.ts';
import { type PresentationQuery, plainJson } from './presentation-query.ts';

/** One thing to be agreed to, with the credential by whose key its holder agrees. */
export interface TransactionAgreement {
  readonly queryId: string;
  /** base64url of its JSON: the very text that the holder hashes. */
  readonly text: string;
}

/** Throws `requestMalformed`. What stands in each beside these members is its type's. */
export function readAgreements(
  given: unknown,
  query: PresentationQuery,
  pointer: string,
): readonly TransactionAgreement[] {
  const complaints: FaultDetail[] = [];
  const agreements = arrayOf(agreementOf(query), { min: 1, max: sdJwtLimits.transactionDataMax })(given, {
    pointer,
    complaints,
  });
  if (agreements) return agreements;
  const [first] = complaints;
  throw new Fault('requestMalformed', {
    detail: first && `${first.pointer}: ${first.detail}`,
    errors: complaints,
  });
}

const agreementOf =
  (query: PresentationQuery): Shape<TransactionAgreement> =>
  (value, place) => {
    const members = membersOf(value);
    const type = members?.get('type');
    if (!members || typeof type !== 'string' || type === '') return complain(place, 'has no type');
    const ids = members.get('credential_ids');
    if (!Array.isArray(ids) || ids.length !== 1)
      return complain(place, 'names one credential in credential_ids, by whose key the holder agrees');
    const wanted = query.credentials.find(({ id }) => id === ids[0]);
    if (wanted?.format !== 'dc+sd-jwt' || !wanted.needsHolder)
      return complain(
        place,
        'names a credential that is not asked for as dc+sd-jwt with a key of its holder',
      );
    const algorithms = members.get('transaction_data_hashes_alg');
    if (algorithms !== undefined && !(Array.isArray(algorithms) && algorithms.includes('sha-256')))
      return complain(place, 'must take hashes of sha-256');
    const json = plainJson(value);
    if (json === undefined || json.length > sdJwtLimits.transactionDataCharsMax)
      return complain(place, 'is too long or no plain JSON');
    return { queryId: wanted.id, text: encodeBase64Url(encodeUtf8(json)) };
  };

/** What somebody is asked to agree to, as a wallet has read it. */
export interface AskedAgreement {
  readonly type: string;
  /** Parts of the query, by a credential of one of which its holder agrees. */
  readonly queryIds: readonly string[];
  /** All of it, for its holder to read. */
  readonly content: Fields;
  /** As it came: the very text that is hashed. */
  readonly text: string;
}

/** What a wallet is asked to have agreed to, or why it cannot be. */
export function readAskedAgreements(
  given: unknown,
  query: PresentationQuery,
): readonly AskedAgreement[] | Complaint {
  if (!Array.isArray(given) || given.length < 1 || given.length > sdJwtLimits.transactionDataMax)
    return { complaint: `transaction_data is no array of 1 to ${sdJwtLimits.transactionDataMax}` };
  const read = given.map((one) => readAskedAgreement(one, query));
  return read.find((one) => 'complaint' in one) ?? (read as readonly AskedAgreement[]);
}

function readAskedAgreement(text: unknown, query: PresentationQuery): AskedAgreement | Complaint {
  const isShort = typeof text === 'string' && text.length <= sdJwtLimits.transactionDataCharsMax;
  const bytes = isShort ? parseExactBase64Url(text) : undefined;
  const json = bytes && parseUtf8(bytes);
  const content = json === undefined ? undefined : parseSignedObject(json);
  if (!isShort || !content) return { complaint: 'a part of transaction_data is no base64url of JSON' };
  const { type, credential_ids: ids, transaction_data_hashes_alg: algorithms } = content;
  if (typeof type !== 'string' || type === '') return { complaint: 'a part of transaction_data has no type' };
  if (!Array.isArray(ids) || ids.length === 0)
    return { complaint: 'a part of transaction_data names no credential' };
  const named = ids.map((id) => query.credentials.find((one) => one.id === id));
  if (!named.every((one) => one?.format === 'dc+sd-jwt' && one.needsHolder))
    return { complaint: 'a part of transaction_data is not for a dc+sd-jwt with a key of its holder' };
  if (algorithms !== undefined && !(Array.isArray(algorithms) && algorithms.includes('sha-256')))
    return { complaint: 'a part of transaction_data wants other hashes than sha-256' };
  return { type, queryIds: ids as readonly string[], content, text };
}
