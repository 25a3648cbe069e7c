/**
 * Contracts on a running chain: `symbolon contract deploy` and `call`. Transactions are built and signed here; the
 * node is asked for nonce, fee and chain id, and whether the transaction would succeed before anything is sent.
 */
import { type FailureDescription, readFailure } from '@symbolon/contract-kit/failure-description';
import {
  buildTransaction,
  type LedgerClient,
  LedgerError,
  type OperationOrder,
  type Receipt,
  signTransaction,
  submitTransaction,
  TransactionFailed,
  waitForReceipt,
} from '@symbolon/sdk/index';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json';
import { type Connection, type ConnectionWords, connect } from './connection.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { fieldLines, printable, processTerminal, type Terminal } from './terminal.ts';

interface NodeWords extends ConnectionWords {
  readonly url?: string;
  readonly json?: boolean;
  readonly print: Terminal['print'];
}

interface SigningWords extends NodeWords {
  readonly feeLimit?: bigint;
  /** The contract that is called, if any. */
  readonly target?: string;
}

export interface DeployWords extends Omit<SigningWords, 'target'> {
  readonly input: string;
  readonly balance?: bigint;
  readonly owner: string;
}

export interface CallWords extends NodeWords {
  readonly input: string;
  readonly query?: boolean;
  readonly coin?: bigint;
  readonly feeLimit?: bigint;
}

export async function deployContract(code: string, words: DeployWords): Promise<void> {
  const { input, balance = 0n, owner, json, print } = words;
  const createAccount = {
    contract: { payload: code, owner },
    priv: { thresholds: { txThreshold: 1n } },
    initBalance: balance,
    initInput: input,
  };
  const receipt = await send({ createAccount }, words);
  const address = createdAddress(receipt);
  if (json) return print(stringifyJson({ address, ...receiptToJson(receipt) }));
  print(['The contract is on the chain.', ...fieldLines({ address, ...receiptFields(receipt) })]);
}

export async function callContract(address: string, words: CallWords): Promise<void> {
  const { query, key, as, input, coin = 0n, json, print } = words;
  if (query) {
    if (key !== undefined || as !== undefined || words.coin !== undefined || words.feeLimit !== undefined) {
      throw usage('A query takes no key, no coins and no fee.\nLeave them out, or leave --query out.');
    }
    return askContract(address, words);
  }
  if (key === undefined && as === undefined) {
    const advice = 'Give --as <person> or --key <file> to send a transaction, or --query to only ask.';
    throw usage(`Nobody signs this call.\n${advice}`);
  }
  const payCoin = { destAddress: address, amount: coin, input };
  const receipt = await send({ payCoin }, { ...words, target: address });
  if (json) return print(stringifyJson(receiptToJson(receipt)));
  print(['The call was executed.', ...fieldLines(receiptFields(receipt))]);
}

const connectTo = ({ url, ...words }: NodeWords): Promise<Connection> =>
  connect({ ...words, ...(url !== undefined && { ledger: url }) }, processTerminal);

async function askContract(address: string, { input, json, print, ...words }: CallWords): Promise<void> {
  const { ledger } = await connectTo({ ...words, print });
  const result = await told({ refused: 'The contract gives no answer.' }, async () => {
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
async function send(operation: OperationOrder, words: SigningWords): Promise<Receipt> {
  const { ledger: client, ...connection } = await connectTo(words);
  const signer = await connection.signer();
  return told({ refused: 'The ledger refuses this; nothing has changed.' }, async () => {
    if (words.target !== undefined) await assertContract(client, words.target);
    const evaluated = await buildTransaction(client, {
      source: signer.address,
      operations: [operation],
      chainId: await chainIdOf(client),
    });
    const transaction = { ...evaluated, feeLimit: words.feeLimit ?? withMargin(evaluated.feeLimit) };
    const signed = await signTransaction(transaction, [signer]);
    const receipt = await waitForReceipt(client, await submitTransaction(client, signed));
    if (receipt.code !== 0) throw new TransactionFailed(receipt);
    return receipt;
  });
}

/** Coins paid to a mere account would be gone, and so would its input. */
async function assertContract(client: LedgerClient, address: string): Promise<void> {
  const { result } = await client.getAccountBase({ address });
  if (!result?.contract?.payload)
    throw new CommandFailure(`${address} is not a contract.\nNothing was sent.`);
}

/** What a contract does may depend on the block it runs in; what is not used of the limit is given back. */
const withMargin = (fee: bigint): bigint => fee + fee / 10n + 1n;

async function chainIdOf(client: LedgerClient): Promise<bigint> {
  const { result } = await client.getLedger({});
  return BigInt(result?.header.chain_id ?? 0);
}

/** A transaction that creates contracts says so in the place of a failure's description. */
function createdAddress({ description, hash }: Receipt): string {
  const created = parseJson(description);
  const first = Array.isArray(created) ? created[0] : undefined;
  const address = isJsonObject(first) ? first.contract_address : undefined;
  if (typeof address === 'string') return address;
  throw new CommandFailure(`Transaction ${hash} was executed, but the node does not name the new contract.`);
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

/** Failures in words: what happened, why, what to do; for programs the ledger's own words too. */
export async function told<Answer>(
  { refused }: { readonly refused: string },
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LedgerError) {
      const failure = readFailure(error.code, error.description);
      throw new CommandFailure(
        describeRefusal(error, failure, refused),
        exitCodes.failed,
        failureToJson(error, failure),
      );
    }
    throw error;
  }
}

function describeRefusal(
  error: LedgerError,
  { summary, contract }: FailureDescription,
  refused: string,
): string {
  const where = contract === undefined ? [] : [`Contract ${printable(contract)}.`];
  const why = printable(summary);
  if (error instanceof TransactionFailed) {
    const { hash, ledgerSeq, actualFee } = error.receipt;
    const cost = `Transaction ${hash} stands in block ${ledgerSeq} and cost ${actualFee}; nothing else has changed.`;
    return ['The transaction failed.', why, ...where, cost].join('\n');
  }
  return [refused, why, ...where].join('\n');
}

const failureToJson = (
  { code, name, description }: LedgerError,
  { contract, exception, line }: FailureDescription,
): JsonObject => ({
  code,
  name,
  description,
  ...(contract === undefined ? {} : { contract }),
  ...(exception === undefined ? {} : { exception }),
  ...(line === undefined ? {} : { line }),
});

const usage = (message: string): CommandFailure => new CommandFailure(message, exitCodes.usage);
