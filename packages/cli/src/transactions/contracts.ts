/**
 * Contracts on a running chain: `symbolon contract deploy` and `call`. Transactions are built and signed here; the
 * node is asked for nonce, fee and chain id, and whether the transaction would succeed before anything is sent.
 */
import {
  createdContract,
  type LedgerClient,
  LedgerError,
  type OperationOrder,
  type Receipt,
  settleTransaction,
  signTransaction,
} from '@symbolon/sdk/index';
import { isJsonObject, type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { connect, type SigningWords } from '../profile/connection.ts';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import { fieldLines, processTerminal, type Terminal } from '../terminal/terminal.ts';
import { buildWithinCaps } from './fee-caps.ts';
import { explained } from './refusals.ts';

interface SendingWords extends SigningWords {
  readonly print: Terminal['print'];
}

export interface DeployWords extends SendingWords {
  readonly input: string;
  readonly balance?: bigint;
  readonly owner: string;
}

export interface CallWords extends SendingWords {
  readonly input: string;
  readonly query?: boolean;
  readonly coin?: bigint;
}

export async function deployContract(code: string, words: DeployWords): Promise<void> {
  const { input, balance = 0n, owner, json, print } = words;
  const createAccount = {
    contract: { payload: code, owner },
    priv: { thresholds: { txThreshold: 1n } },
    initBalance: balance,
    initInput: input,
  };
  const { receipt, transaction } = await send({ createAccount }, words);
  const address = createdContract(transaction);
  if (json) return print(stringifyJson({ address, ...receiptToJson(receipt) }));
  print(['The contract is on the chain.', ...fieldLines({ address, ...receiptFields(receipt) })]);
}

export async function sendCall(address: string, words: CallWords): Promise<void> {
  const { query, key, as, input, coin = 0n, json, print } = words;
  if (query) {
    const paying = [key, as, words.coin, words.feeLimit, words.feeLimitMax, words.gasPriceMax];
    if (paying.some((word) => word !== undefined)) {
      throw usageFailure('A query takes no key, no coins and no fee.\nLeave them out, or leave --query out.');
    }
    return askContract(address, words);
  }
  if (key === undefined && as === undefined) {
    const advice = 'Give --as <person> or --key <file> to send a transaction, or --query to only ask.';
    throw usageFailure(`Nobody signs this call.\n${advice}`);
  }
  const payCoin = { destAddress: address, amount: coin, input };
  const { receipt } = await send({ payCoin }, words, address);
  if (json) return print(stringifyJson(receiptToJson(receipt)));
  print(['The call was executed.', ...fieldLines(receiptFields(receipt))]);
}

async function askContract(address: string, { input, json, print, ...words }: CallWords): Promise<void> {
  const { ledger } = await connect(words, processTerminal);
  const result = await explained('The contract gives no answer.', async () => {
    const request = { contract_address: address, input, opt_type: 2 };
    const reply = await ledger.callContract(request);
    const answer = reply.result?.query_rets?.at(-1) as JsonObject | undefined;
    if (isJsonObject(answer?.result)) return answer.result.value;
    const data = isJsonObject(answer?.error) ? answer.error.data : undefined;
    throw new LedgerError(151, stringifyJson(data ?? {}), reply as JsonObject);
  });
  print(json ? stringifyJson({ result }) : String(result));
}

/** Whoever signs a transaction that fails loses its whole fee limit, so it is tried out before. */
async function send(operation: OperationOrder, words: SigningWords, target?: string) {
  const { ledger: client, pins, ...connection } = await connect(words, processTerminal);
  const signer = await connection.signer();
  return explained('The ledger refuses this; nothing has changed.', async () => {
    if (target !== undefined) await assertContract(client, target);
    const order = { source: signer.address, operations: [operation] };
    const transaction = await buildWithinCaps(client, order, { pins, words });
    const signed = await signTransaction(transaction, [signer]);
    return { transaction, receipt: await settleTransaction(client, signed) };
  });
}

/** Coins paid to a mere account would be gone, and so would its input. */
async function assertContract(client: LedgerClient, address: string): Promise<void> {
  const { result } = await client.getAccountBase({ address });
  if (!result?.contract?.payload)
    throw new CommandFailure(`${address} is not a contract.\nNothing was sent.`);
}

const receiptToJson = ({ hash, ledgerSeq, actualFee, record }: Receipt): JsonObject => ({
  hash,
  block: ledgerSeq,
  fee: actualFee,
  triggered: record.contract_tx_hashes ?? [],
});

const receiptFields = ({ hash, ledgerSeq, actualFee, record }: Receipt) => ({
  transaction: hash,
  block: ledgerSeq,
  fee: actualFee,
  triggered: record.contract_tx_hashes?.length ?? 0,
});
