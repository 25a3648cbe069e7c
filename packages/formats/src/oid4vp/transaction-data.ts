/** What a holder is to agree to together with showing a credential (`transaction_data`): read, and written as it is hashed. */
import { encodeBase64Url, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { arrayOf, complain, membersOf, type Shape } from '@symbolon/core/documents/document-shapes';
import { Fault, type FaultDetail } from '@symbolon/core/faults/faults';
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
