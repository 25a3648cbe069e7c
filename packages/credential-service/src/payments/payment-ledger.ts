/**
 * What payments need of the ledger: the state of accounts, what a token contract says of itself and of balances, and
 * handing in. Tokens are asked in the sandbox, so asking changes nothing and costs nothing; what they answer is the
 * contract's own word and is taken as such.
 */
import { Fault } from '@symbolon/core/faults';
import { codes } from '@symbolon/core/ledger/codes';
import { paymentLimits } from '@symbolon/core/payments/payment-limits';
import { parseAmount } from '@symbolon/core/payments/payment-rules';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { buildTransaction, type LedgerClient, LedgerError, type TransactionOrder } from '@symbolon/sdk/index';
import { z } from 'zod';
import { type ChainTerms, readChainTerms } from '../ledger/chain-terms.ts';
import { withFaults } from '../ledger/ledger-faults.ts';
import {
  type LookedUpOutcome,
  outcomeOf,
  type SignedBlob,
  type SubmitOutcome,
  submitSigned,
} from '../ledger/submissions.ts';

export interface AccountState {
  readonly nonce: bigint;
  readonly balance: bigint;
}

export interface TokenInfo {
  readonly symbol: string;
  readonly decimals: number;
}

export interface PaymentLedger {
  terms(): Promise<ChainTerms>;
  /** Undefined for an account that does not exist. */
  account(address: string): Promise<AccountState | undefined>;
  /** Undefined where the address is no token contract. */
  token(address: string): Promise<TokenInfo | undefined>;
  tokenBalance(token: string, owner: string): Promise<bigint>;
  /** With nonce and fee as the ledger evaluates them. */
  build(order: TransactionOrder): Promise<Transaction>;
  submit(signed: SignedBlob, signal?: AbortSignal): Promise<SubmitOutcome>;
  outcomeOf(hash: string): Promise<LookedUpOutcome>;
}

const infoSchema = z.object({
  contractInfo: z.object({
    symbol: z.string().min(1).max(paymentLimits.tokenSymbolCharsMax),
    decimals: z.coerce.number().int().min(0).max(paymentLimits.tokenDecimalsMax),
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
    build: (order) => withFaults(() => buildTransaction(client, order)),
    submit: (signed, signal) => submitSigned(client, signed, signal),
    outcomeOf: (hash) => outcomeOf(client, hash),
  };
}

async function readAccount(client: LedgerClient, address: string): Promise<AccountState | undefined> {
  try {
    const { result } = await client.getAccountBase({ address });
    return { nonce: BigInt(result?.nonce ?? 0), balance: BigInt(result?.balance ?? 0) };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    if (error.code === codes.notFound) return undefined;
    throw new Fault('ledgerFailed', { cause: error });
  }
}
