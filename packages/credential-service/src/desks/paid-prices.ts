/** What was paid for credentials of a list, in one question for all of them. */
import type { ServiceParts } from '../parts/service-parts.ts';
import { listPaymentsOf, type PaymentRow } from '../payments/payment-rows.ts';
import { findPrice } from '../payments/price-rows.ts';

interface PaidPrice {
  readonly amount: string;
  readonly asset: string;
  readonly symbol?: string;
  readonly decimals?: number;
  readonly txHash: string | null;
}

type ListedCredential = { readonly vcId: string; readonly templateId: string };

/** Before that nobody has paid. */
const paidStates: readonly PaymentRow['state'][] = ['settled', 'issued'];

export async function paidPrices(
  { database, profile }: Pick<ServiceParts, 'database' | 'profile'>,
  credentials: readonly ListedCredential[],
): Promise<ReadonlyMap<string, PaidPrice>> {
  const queries = database.kysely;
  const paid = await listPaymentsOf(
    queries,
    credentials.map(({ vcId }) => vcId),
  );
  const { nativeAsset } = profile;
  const prices = new Map<string, PaidPrice>();
  for (const { vcId, asset, amount, txHash, state } of paid) {
    if (!paidStates.includes(state)) continue;
    const templateId = credentials.find((one) => one.vcId === vcId)?.templateId ?? '';
    // How a token is written is known from the price that is set; the issuer may have set another one since.
    const token = asset === nativeAsset.code ? undefined : await findPrice(queries, templateId);
    const shown =
      asset === nativeAsset.code
        ? { symbol: nativeAsset.code, decimals: nativeAsset.decimals }
        : token?.asset === asset && { symbol: token.symbol, decimals: token.decimals };
    prices.set(vcId, { amount, asset, ...shown, txHash });
  }
  return prices;
}
