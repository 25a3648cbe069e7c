/** Whose cards count for a part of a request, as the verifier named them. */
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { usePartyNames } from '../../../api/party-names.ts';
import { useDeskWords } from '../../../words/words.ts';
import { countingIssuers } from './counting-issuers.ts';

export interface IssuersNoteProps {
  readonly query: DcqlQuery;
  /** Which part of it. */
  readonly queryId: string;
}

export function IssuersNote({ query, queryId }: IssuersNoteProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const issuers = countingIssuers(query, queryId);
  const { textOf: nameOf } = usePartyNames(issuers ?? []);
  if (issuers === undefined) return texts.countsAny;
  return issuers.length === 0 ? texts.countsNone : texts.countsOf(issuers.map(nameOf).join(', '));
}
