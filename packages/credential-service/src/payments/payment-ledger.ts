/**
 * What payments need of the ledger: the state of accounts, what a token contract says of itself and of balances, and
 * handing in. Tokens are asked in the sandbox, so asking changes nothing and costs nothing; what they answer is the
 * contract's own word and is taken as such.
 */

import { parseAmount } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { type PaymentRefusal, refusePayment } from '@symbolon/core/faults/payment-refusals';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { buildTransaction, type LedgerClient, LedgerError, type TransactionOrder } from '@symbolon/sdk/index';
import { evaluateFee } from '@symbolon/sdk/transactions/transactions';
import { z } from 'zod';
import { type ChainTerms, readChainTerms } from '../ledger/chain-terms.ts';
import {
  type HandInOutcome,
  handInSigned,
  type LookedUpOutcome,
  outcomeOf,
  type SignedBlob,
} from '../ledger/hand-in.ts';
import { busyCodes, codeWords, withFaults } from '../ledger/ledger-faults.ts';
import { paymentWorkLimits } from '../limits/service-limits.ts';
import { paymentFault } from './payment-faults.ts';
import type { Price } from './price-rows.ts';

export interface AccountState {
  readonly nonce: bigint;
  readonly balance: bigint;
  /** Whether its own key alone may pay from it. */
  readonly paysAlone: boolean;
}

/** What trying a transaction out has shown: what it costs, or by which code it would fail. */
export type Trial = { readonly feeLimit: bigint } | { readonly code: number };

export interface PaymentLedger {
  terms(): Promise<ChainTerms>;
  /** Undefined for an account that does not exist. */
  account(address: string): Promise<AccountState | undefined>;
  /** Undefined where the address is no token contract. */
  token(address: string): Promise<Pick<Price, 'symbol' | 'decimals'> | undefined>;
  tokenBalance(token: string, owner: string): Promise<bigint>;
  /** On a layer of the ledger that is thrown away, whatever balances and signatures there are. */
  tryOut(blob: Uint8Array, signatureCount: number): Promise<Trial>;
  /** With nonce and fee as the ledger evaluates them; what would fail is a payment that is refused. */
  build(order: TransactionOrder): Promise<Transaction>;
  submit(signed: SignedBlob, signal?: AbortSignal): Promise<HandInOutcome>;
  outcomeOf(hash: string): Promise<LookedUpOutcome>;
}

const infoSchema = z.object({
  contractInfo: z.object({
    symbol: z.string().min(1).max(paymentWorkLimits.tokenSymbolCharsMax),
    decimals: z.coerce.number().int().min(0).max(paymentWorkLimits.tokenDecimalsMax),
  }),
});
const balanceSchema = z.object({ balance: z.string() });
const queryResult = z.object({ result: z.object({ value: z.string() }) });

export function createPaymentLedger(client: LedgerClient): PaymentLedger {
  const ask = async <Schema extends z.ZodType>(
    contract: string,
    input: object,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> => {
    try {
      const { result } = await client.callContract({
        contract_address: contract,
        input: JSON.stringify(input),
        opt_type: 2,
      });
      const answer = queryResult.safeParse(result?.query_rets?.[0]);
      return answer.success ? schema.safeParse(JSON.parse(answer.data.result.value)).data : undefined;
    } catch (error) {
      // No contract, one that throws, or one whose answer is no JSON: not a token.
      if (error instanceof LedgerError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  };
  return {
    terms: () => withFaults(() => readChainTerms(client)),
    account: (address) => withFaults(() => readAccount(client, address)),
    token: (address) =>
      withFaults(async () => (await ask(address, { method: 'contractInfo' }, infoSchema))?.contractInfo),
    tokenBalance: (token, address) =>
      withFaults(async () => {
        const input = { method: 'balanceOf', params: { address } };
        return parseAmount((await ask(token, input, balanceSchema))?.balance ?? '') ?? 0n;
      }),
    tryOut: (blob, signatureCount) =>
      withFaults(async () => {
        try {
          return await evaluateFee(client, blob, signatureCount);
        } catch (error) {
          if (isFailure(error)) return { code: error.code };
          throw error;
        }
      }),
    build: (order) =>
      withFaults(async () => {
        try {
          return await buildTransaction(client, order);
        } catch (error) {
          if (!isFailure(error)) throw error;
          throw paymentFault(wouldFail(error.code), { cause: error });
        }
      }),
    submit: (signed, signal) => handInSigned(client, signed, signal),
    outcomeOf: (hash) => outcomeOf(client, hash),
  };
}

/** A code that says something of the transaction, and nothing of the node at this moment. */
const isFailure = (error: unknown): error is LedgerError =>
  error instanceof LedgerError && ![codes.internalError, ...busyCodes].includes(error.code);

/** What is said against a payment that the ledger would not execute. */
export const wouldFail = (code: number): PaymentRefusal =>
  refusePayment('settlementFailed', `the ledger would refuse it: ${codeWords(code)}`);

async function readAccount(client: LedgerClient, address: string): Promise<AccountState | undefined> {
  try {
    const { result } = await client.getAccountBase({ address });
    return {
      nonce: BigInt(result?.nonce ?? 0),
      balance: BigInt(result?.balance ?? 0),
      paysAlone: paysAlone(result?.priv ?? {}),
    };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    if (error.code === codes.notFound) return undefined;
    throw new Fault('ledgerFailed', { cause: error });
  }
}

type Privilege = NonNullable<
  NonNullable<Awaited<ReturnType<LedgerClient['getAccountBase']>>['result']>['priv']
>;

/**
 * By the rule of `core/src/ledger/terms/authorize.ts`: for the transaction, and for its one operation. A field that is
 * 0 is left out.
 */
function paysAlone({ master_weight, thresholds }: Privilege): boolean {
  const weight = BigInt(master_weight ?? 0);
  const special = thresholds?.type_thresholds?.find((entry) => entry?.type === operationTypes.payCoin);
  return [thresholds?.tx_threshold, special?.threshold].every((needed) => weight >= BigInt(needed ?? 0));
}
