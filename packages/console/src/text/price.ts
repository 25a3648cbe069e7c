/** A price in the unit that it is told in: "2.50 EXC". A token calls itself what it likes; no float is ever made of it. Pure. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import type { Language } from './language.ts';
import { unitsText } from './numbers.ts';

export interface ToldPrice {
  readonly amount: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** What is asked for, or was paid: how the asset is written may not be known. */
export interface AssetPrice extends Partial<ToldPrice> {
  /** In the smallest unit of the asset. */
  readonly amount: string;
  readonly asset: string;
}

const decimalsMax = 30;

export function priceText({ amount, symbol, decimals }: ToldPrice, language: Language): string {
  if (!/^\d{1,30}$/.test(amount) || !Number.isInteger(decimals) || decimals < 0 || decimals > decimalsMax)
    return `${amount} ${symbol}`;
  return `${unitsText(BigInt(amount), decimals, language)} ${symbol}`;
}

/** A demand, written as the template writes its price where both are of the same asset. */
export const assetPrice = (
  { asset, amount }: Pick<AssetPrice, 'asset' | 'amount'>,
  told: TemplateReply['price'],
): AssetPrice =>
  told?.asset === asset ? { asset, amount, symbol: told.symbol, decimals: told.decimals } : { asset, amount };

/** `unitsOf` says it in smallest units, for an asset that nobody has said how to write. */
export const assetPriceText = (
  { amount, asset, symbol, decimals }: AssetPrice,
  language: Language,
  unitsOf: (amount: string, asset: string) => string,
): string =>
  symbol === undefined || decimals === undefined
    ? unitsOf(amount, asset)
    : priceText({ amount, symbol, decimals }, language);
