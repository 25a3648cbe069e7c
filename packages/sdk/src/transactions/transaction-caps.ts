/**
 * What a transaction may cost. The node says what it does cost, and a failing transaction costs its whole limit, so
 * what a node says is taken up to a cap only: the caller's, or one that fits what usual transactions cost. What the
 * caller orders itself, a limit or a price, is obeyed.
 */

import { given } from '@symbolon/core/basics/plain-values';
import type { Operation } from '@symbolon/core/proto/ledger_pb';
import type { MembersOf } from '../arguments/exact-arguments.ts';
import { notAsOrdered } from '../comparison/order-comparison.ts';
import { SdkError, unexpectedReply } from '../errors/errors.ts';
import type { Pins } from '../ledger/pins.ts';
import { clientLimits } from '../limits/client-limits.ts';

/** What a client knows of a chain, and allows, before it signs a transaction. */
export type TransactionPins = Pick<Pins, 'chainId' | 'feeLimitMax' | 'gasPriceMax'>;

export const transactionPinMembers: MembersOf<TransactionPins> = {
  chainId: true,
  feeLimitMax: true,
  gasPriceMax: true,
};

/** These alone, of options or pins that hold more; what is left out stays left out, so that it overrides nothing. */
export const pinsOf = ({ chainId, feeLimitMax, gasPriceMax }: TransactionPins): TransactionPins =>
  given({ chainId, feeLimitMax, gasPriceMax });

/** In the smallest unit: the most that the transaction may cost, and what a unit of its work does. */
export interface Cost {
  readonly feeLimit: bigint;
  readonly gasPrice: bigint;
}

/** The caps, and what is ordered in place of what a node evaluates. */
export interface CostOrder extends Omit<TransactionPins, 'chainId'>, Partial<Cost> {
  /** Adds a tenth to an evaluated limit: contracts may do more in their block, and what is not used is given back. */
  readonly withRoom?: boolean;
}

/** A node wants more than a cap allows. `cost` is what it wants: caps of that height let it through. */
export class FeeTooHigh extends SdkError {
  readonly cost: Cost;

  constructor(cost: Cost, message: string, members: readonly string[] = []) {
    const hint =
      'Nothing was signed. Raise the cap if you believe it, or ask another node what the transaction costs.';
    super('feeTooHigh', message, { hint, members });
    this.cost = cost;
  }
}

/** The cap of a limit that nobody has set: what the kinds of its operations cost, and room. */
export function usualFeeLimitMax(operations: readonly Operation[]): bigint {
  const { feeLimitMax, contractFeeMax, assetFeeMax } = clientLimits;
  return operations.reduce<bigint>((most, { createAccount, issueAsset }) => {
    const contract = createAccount?.contract?.payload ? contractFeeMax : 0n;
    return most + contract + (issueAsset ? assetFeeMax : 0n);
  }, feeLimitMax);
}

/** What is signed for, of what the node evaluates and the caller orders; throws what is above a cap. */
export function costWithinCaps(evaluated: Cost, order: CostOrder, operations: readonly Operation[]): Cost {
  const { feeLimitMax = usualFeeLimitMax(operations), gasPriceMax = clientLimits.gasPriceMax } = order;
  if (evaluated.feeLimit < 0n) throw unexpectedReply('testTransaction', ['fee_limit']);
  if (evaluated.gasPrice < 0n) throw unexpectedReply('testTransaction', ['gas_price']);
  const raised = order.withRoom ? evaluated.feeLimit + evaluated.feeLimit / 10n + 1n : evaluated.feeLimit;
  const wanted = {
    feeLimit: order.feeLimit ?? raised,
    gasPrice: order.gasPrice ?? evaluated.gasPrice,
  };
  if (order.gasPrice === undefined && evaluated.gasPrice > gasPriceMax)
    throw tooHigh(wanted, 'gas_price', [evaluated.gasPrice, gasPriceMax]);
  if (order.feeLimit !== undefined) return wanted;
  if (evaluated.feeLimit > feeLimitMax) throw tooHigh(wanted, 'fee_limit', [evaluated.feeLimit, feeLimitMax]);
  return { ...wanted, feeLimit: raised < feeLimitMax ? raised : feeLimitMax };
}

/** By the members of a node's answer, and of a transaction. */
const costNames = {
  gas_price: 'gas price',
  gasPrice: 'gas price',
  fee_limit: 'fee limit',
  feeLimit: 'fee limit',
} as const;

const tooHigh = (
  wanted: Cost,
  member: keyof typeof costNames,
  [found, cap]: readonly [bigint, bigint],
): FeeTooHigh =>
  new FeeTooHigh(wanted, `a ${costNames[member]} of ${found} is above the cap of ${cap}`, [member]);

const belowZero = 'because it is below zero';

/** Throws what somebody else has put into a transaction, or a file says, and is below zero or above a cap. */
export function assertWithinCaps(
  { feeLimit, gasPrice }: Cost,
  caps: Omit<TransactionPins, 'chainId'>,
  operations: readonly Operation[],
): void {
  const { feeLimitMax = usualFeeLimitMax(operations), gasPriceMax = clientLimits.gasPriceMax } = caps;
  if (feeLimit < 0n) throw notAsOrdered('the transaction', ['feeLimit'], { why: belowZero });
  if (gasPrice < 0n) throw notAsOrdered('the transaction', ['gasPrice'], { why: belowZero });
  if (gasPrice > gasPriceMax) throw tooHigh({ feeLimit, gasPrice }, 'gasPrice', [gasPrice, gasPriceMax]);
  if (feeLimit > feeLimitMax) throw tooHigh({ feeLimit, gasPrice }, 'feeLimit', [feeLimit, feeLimitMax]);
}
