/**
 * The money for fees of others. The operator funds one account, the purse; it fills up those that send payments, in one
 * transaction. Filling up looks at what is there, so it may be done by any process, at any time, and again after a
 * crash: whatever it moves stays the sponsor's.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { signTransaction } from '@symbolon/sdk/index';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import type { PaymentLedger } from './payment-ledger.ts';
import type { PaymentParts, Sponsor } from './payment-parts.ts';

type FundedParts = Pick<PaymentParts, 'paymentLedger' | 'sponsor' | 'pursuits'>;

export interface SponsorFunds {
  /** What the purse has to give. */
  readonly purse: bigint;
  /** What the accounts have for fees. */
  readonly accounts: ReadonlyMap<string, bigint>;
  /** Those that can pay for any payment. */
  readonly able: readonly string[];
}

/** What an account has beyond what it must keep. */
export async function spendable(ledger: PaymentLedger, address: string, reserve: bigint): Promise<bigint> {
  const balance = (await ledger.account(address))?.balance ?? 0n;
  return balance > reserve ? balance - reserve : 0n;
}

async function readFunds({ paymentLedger: ledger }: FundedParts, sponsor: Sponsor): Promise<SponsorFunds> {
  const { baseReserve } = await ledger.terms();
  const addresses = [...sponsor.accounts.keys()];
  const [purse = 0n, ...rest] = await Promise.all(
    [sponsor.purse.address, ...addresses].map((address) => spendable(ledger, address, baseReserve)),
  );
  const accounts = new Map(addresses.map((address, index) => [address, rest[index] ?? 0n]));
  const able = addresses.filter((address) => (accounts.get(address) ?? 0n) >= BigInt(sponsor.feeLimitMax));
  return { purse, accounts, able };
}

/** Fills up what runs low and answers which accounts can pay then. Whoever asks meanwhile waits for the same. */
export const fillAccounts = (parts: FundedParts, sponsor: Sponsor): Promise<readonly string[]> =>
  parts.pursuits.join('accounts of the sponsor', async () => {
    for (let attempt = 1; ; attempt++) {
      const funds = await readFunds(parts, sponsor);
      const isLast = attempt >= paymentWorkLimits.sponsorFillTries;
      if (isLast || !(await fill(parts, sponsor, funds))) return funds.able;
    }
  });

/** False where there is nothing to fill up, or nothing to do it with. */
async function fill(
  { paymentLedger: ledger }: FundedParts,
  { purse, feeLimitMax }: Sponsor,
  funds: SponsorFunds,
): Promise<boolean> {
  const { chainId, gasPrice, baseReserve } = await ledger.terms();
  const low = [...funds.accounts.keys()].filter((address) => !funds.able.includes(address));
  const least = BigInt(feeLimitMax);
  const order = shareOut(funds.purse, { count: low.length, gasPrice, baseReserve, least });
  if (!order) return false;
  const transaction = await ledger.build({
    source: purse.address,
    operations: low.slice(0, order.count).map((destAddress) => ({
      payCoin: { destAddress, amount: order.amount },
    })),
    chainId,
    gasPrice,
    feeLimit: order.feeLimit,
  });
  const { blob, signatures } = await signTransaction(transaction, [purse]);
  const [{ publicKey, signData }] = signatures;
  await ledger.submit({ blob: encodeHex(blob), publicKey, signature: encodeHex(signData) });
  return true;
}

interface Shares {
  readonly count: number;
  readonly gasPrice: bigint;
  readonly baseReserve: bigint;
  /** What an account must have to be of use. */
  readonly least: bigint;
}

/** As many accounts as the purse can make able, each with the same; nothing where that is none. */
function shareOut(
  purse: bigint,
  { count: wanted, gasPrice, baseReserve, least }: Shares,
): { readonly count: number; readonly amount: bigint; readonly feeLimit: bigint } | undefined {
  const { sponsorFillGas, sponsorFillGasEach, sponsorFill } = paymentWorkLimits;
  const each = gasPrice * sponsorFillGasEach;
  const rest = purse - gasPrice * sponsorFillGas;
  const most = rest / (least + baseReserve + each);
  const count = BigInt(wanted) < most ? BigInt(wanted) : most;
  if (count <= 0n) return undefined;
  const share = rest / count - each;
  const full = least * sponsorFill + baseReserve;
  return {
    count: Number(count),
    amount: share < full ? share : full,
    feeLimit: gasPrice * sponsorFillGas + each * count,
  };
}

export const sponsorUnfunded = ({ purse }: Sponsor): Fault =>
  new Fault('sponsorUnfunded', {
    reason: 'sponsorUnfunded',
    detail: `The account that pays fees for others has too little: its operator funds ${purse.address}`,
    retryAfterSeconds: 60,
  });

const lastRead = new WeakMap<Sponsor, { readonly at: number; readonly funds: Promise<SponsorFunds> }>();

/** What is there, as of a moment ago: for answers that move nothing. Undefined where no fees are paid for others. */
export async function sponsorFunds(parts: FundedParts): Promise<SponsorFunds | undefined> {
  const { sponsor } = parts;
  if (!sponsor) return undefined;
  const known = lastRead.get(sponsor);
  if (known && performance.now() - known.at < paymentWorkLimits.sponsorFundsMs) return known.funds;
  const funds = readFunds(parts, sponsor);
  lastRead.set(sponsor, { at: performance.now(), funds });
  // What failed is asked anew.
  funds.catch(() => lastRead.delete(sponsor));
  return funds;
}

/** Whether another payment can be paid for, now or as soon as an account is filled up. */
export async function isSponsorFunded(parts: FundedParts): Promise<boolean> {
  const { sponsor, paymentLedger } = parts;
  const funds = await sponsorFunds(parts);
  if (!funds || !sponsor) return false;
  if (funds.able.length > 0) return true;
  const { gasPrice, baseReserve } = await paymentLedger.terms();
  const least = BigInt(sponsor.feeLimitMax);
  return shareOut(funds.purse, { count: 1, gasPrice, baseReserve, least }) !== undefined;
}
