/** An amount of the ledger's coin: large unit, no zeros at its end; smallest units in the title. Never a float. */
import { amountText } from '../../text/numbers.ts';
import { useWords } from '../../words/words.ts';

export interface AmountProps {
  /** In the smallest unit. */
  readonly amount: bigint;
}

export function Amount({ amount }: AmountProps) {
  const { words, language } = useWords();
  const { figure, unit, exact } = amountText(amount, language);
  return (
    <span className="num nowrap" title={words.parts.units(exact)}>
      <b>{figure}</b> {unit}
    </span>
  );
}
