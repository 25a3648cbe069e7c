/** A price as people read it: in the asset's large unit, exactly. */
import { useDeskWords } from '../../../../words/words.ts';
import { typedUnits } from './amounts.ts';

export interface ShownPrice {
  readonly amount: string;
  readonly symbol: string;
  readonly decimals: number;
}

export function PriceText({ price: { amount, symbol, decimals } }: { readonly price: ShownPrice }) {
  const { words } = useDeskWords();
  const units = /^[0-9]+$/.test(amount) ? BigInt(amount) : undefined;
  if (units === 0n) return <span>{words.templates.sale.free}</span>;
  return (
    <span className="num nowrap" title={words.parts.units(amount)}>
      <b>{units === undefined ? amount : typedUnits(units, decimals)}</b> {symbol}
    </span>
  );
}
