/** A transaction in one sentence, in the reader's language, with the names that the reader knows. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { SentencePart } from '@symbolon/sdk/sentences/sentence-parts';
import { describeTransactionParts } from '@symbolon/sdk/transactions/transaction-sentence';
import { useCallback } from 'react';
import { useBuiltPlaces } from '../navigation/built-places.tsx';
import { Sentence, type SentenceMark, type SentenceThing } from '../parts/written/sentence.tsx';
import { amountText, unitsText } from '../text/numbers.ts';
import { useWords } from '../words/words.ts';
import { useKnownNames } from './known-names.ts';

export interface TransactionSentenceProps {
  readonly transaction: Transaction;
  /** Whether the ledger has executed it, and it did not fail. */
  readonly isExecuted?: boolean;
  /** Which accounts have a contract, where the page knows more than the names do. */
  readonly hasCode?: (address: string) => boolean | undefined;
  /** Off where the sentence stands inside of a link. */
  readonly isLinked?: boolean;
}

export function TransactionSentence({
  transaction,
  isExecuted = false,
  hasCode,
  isLinked = true,
}: TransactionSentenceProps) {
  const tell = useTelling(hasCode);
  const { party } = useKnownNames();
  const built = useBuiltPlaces();
  const markOf = ({ kind, id }: SentenceThing): SentenceMark | undefined =>
    kind === 'account' ? party(id) : undefined;
  const linkOf = ({ kind, id }: SentenceThing): string | undefined => {
    if (kind === 'account' && built.has('explorer')) return `/ledger/accounts/${encodeURIComponent(id)}`;
    // Open to all: what the ledger says of the number.
    if (kind === 'credential' && built.has('certificate'))
      return `/issue/certificate/${encodeURIComponent(id)}`;
    return undefined;
  };
  return <Sentence parts={tell(transaction, isExecuted)} markOf={markOf} {...(isLinked && { linkOf })} />;
}

/** Makes the parts of sentences, for whoever draws them otherwise or wants their text. */
export function useTelling(
  knowsCode?: (address: string) => boolean | undefined,
): (transaction: Transaction, isExecuted: boolean) => readonly SentencePart[] {
  const { words, language } = useWords();
  const { party, templateName, registries, token, hasCode } = useKnownNames();
  return useCallback(
    (transaction, isExecuted) =>
      describeTransactionParts(transaction, {
        nameOf: (address) => party(address)?.name,
        nameOfTemplate: templateName,
        registries,
        hasCode: (address) => knowsCode?.(address) ?? hasCode(address),
        tokenOf(address) {
          const known = token(address);
          return known && { ...known, amountText: (units) => unitsText(units, known.decimals, language) };
        },
        isExecuted,
        words: words.sentences.words,
        amountText: (amount) => {
          const { figure, unit } = amountText(amount, language);
          return `${figure} ${unit}`;
        },
      }),
    [hasCode, knowsCode, language, party, registries, templateName, token, words],
  );
}
