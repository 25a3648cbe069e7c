/** A price as people read it: in the asset's large unit, exactly. */
import { priceFigure, type ToldPrice } from '../../../../text/price.ts';
import { useDeskWords } from '../../../../words/words.ts';

export function PriceText({ price }: { readonly price: ToldPrice }) {
  const { words, language } = useDeskWords('issue');
  if (/^0+$/.test(price.amount)) return <span>{words.templates.sale.free}</span>;
  return (
    <span className="num nowrap" title={words.parts.units(price.amount)}>
      <b>{priceFigure(price, language)}</b> {price.symbol}
    </span>
  );
}
