/** What a transaction does, operation by operation, with the text that says more than the sentence. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { transactionOfRecord } from '@symbolon/sdk/transactions/transaction-sentence';
import { TransactionSentence } from '../../../ledger/transaction-sentence.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { JsonCode } from '../written/json-code.tsx';
import type { ExecutedRecord } from './records.ts';

const shownInShort = 3;

export interface OperationsProps {
  readonly record: Pick<ExecutedRecord, 'transaction'>;
  /** All of them, else the first few. */
  readonly isWhole: boolean;
}

export function Operations({ record, isWhole }: OperationsProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const transaction = transactionOfRecord(record);
  if (!transaction) return <p className="pad muted">{explorer.unreadable}</p>;
  const { operations } = transaction;
  const shown = isWhole ? operations : operations.slice(0, shownInShort);
  return (
    <ol className="ops">
      {shown.map((operation, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an operation is its place.
        <li className="op" key={at}>
          <span className="n" aria-hidden="true">
            {at + 1}
          </span>
          <div className="grow">
            <p>
              <TransactionSentence transaction={{ ...transaction, operations: [operation] }} />
            </p>
            {textsOf(operation).map(([name, text]) => (
              <JsonCode key={name} text={text} label={explorer.texts[name]} />
            ))}
            {hasRemark(operation) && <p className="hint">{explorer.remarkHashed}</p>}
          </div>
        </li>
      ))}
      {shown.length < operations.length && (
        <li className="hint pad">{explorer.moreOperations(operations.length - shown.length)}</li>
      )}
    </ol>
  );
}

/** A remark is not on the ledger, only its hash. */
const hasRemark = ({ payCoin }: Transaction['operations'][number]): boolean =>
  /"remarkHash(es)?"\s*:\s*[["]/.test(payCoin?.input ?? '');

type TextName = 'input' | 'value' | 'code' | 'data';

/** What somebody wrote into an operation. */
function textsOf(operation: Transaction['operations'][number]): readonly (readonly [TextName, string])[] {
  const { payCoin, payAsset, createAccount, setMetadata, upgradeContract, log } = operation;
  const texts: readonly (readonly [TextName, string | undefined])[] = [
    ['input', payCoin?.input || payAsset?.input || createAccount?.initInput],
    ['value', setMetadata?.value],
    ['code', createAccount?.contract?.payload || upgradeContract?.payload],
    ['data', log?.datas.join('\n')],
  ];
  return texts.flatMap(([name, text]) => (text ? [[name, text] as const] : []));
}
