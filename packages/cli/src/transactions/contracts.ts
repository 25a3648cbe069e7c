/**
 * Contracts on a running chain: `symbolon contract deploy`, `upgrade` and `call`. Transactions are built and signed
 * here; the node is asked for nonce, fee and chain id, and whether the transaction would succeed before anything is
 * sent.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import {
  createdContract,
  type LedgerClient,
  LedgerError,
  type OperationOrder,
  type Receipt,
  signTransaction,
} from '@symbolon/sdk/index';
import { isJsonObject, type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { readAccountNames } from '../profile/account-names.ts';
import { connect, type SigningWords } from '../profile/connection.ts';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import { ifInterrupted } from '../terminal/interruption.ts';
import { fieldLines } from '../terminal/layout.ts';
import { printable, processTerminal, type Terminal } from '../terminal/terminal.ts';
import { type Consequences, consequenceFields, findConsequences } from './contract-consequences.ts';
import { buildWithinCaps } from './fee-caps.ts';
import { explained } from './refusals.ts';
import { receiptFields, settleNoted } from './sending.ts';

interface SendingWords extends SigningWords {
  readonly print: Terminal['print'];
}

export interface DeployWords extends SendingWords {
  readonly input: string;
  readonly balance?: bigint;
  readonly owner: string;
}

export interface UpgradeWords extends SendingWords {
  /** Who owns it from then on; whoever does already, if left out. */
  readonly owner?: string;
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
  const sent = await send({ createAccount }, words);
  const address = createdContract(sent.transaction);
  if (json) return print(stringifyJson({ address, ...outcomeToJson(sent) }));
  const upgrades = owner === '' ? 'by nobody: it was deployed without --owner' : `by ${owner}`;
  const fields = { address, upgrades, ...(await outcomeFields({ ...sent, returned: undefined }, words)) };
  print(['The contract is on the chain.', ...fieldLines(processTerminal, fields)]);
}

/** New code under the same address: what is stored stays, and `init` does not run again. */
export async function sendUpgrade(address: string, code: string, words: UpgradeWords): Promise<void> {
  const { owner, json, print } = words;
  const change = { destAddress: address, payload: code, sPayload: true };
  const operation = { upgradeContract: owner === undefined ? change : { ...change, owner, sOwner: true } };
  const sent = await send(operation, words, (client, signer) => assertUpgrades(client, { address, signer }));
  if (json) return print(stringifyJson({ address, ...outcomeToJson(sent) }));
  const fields = { address, owner, ...(await outcomeFields(sent, words)) };
  print([
    'The contract has its new code. What it had stored is there; init was not run.',
    ...fieldLines(processTerminal, fields),
  ]);
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
  const sent = await send({ payCoin }, words, (client) => contractAt(client, address));
  if (json) return print(stringifyJson(outcomeToJson(sent)));
  print(['The call was executed.', ...fieldLines(processTerminal, await outcomeFields(sent, words))]);
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

interface Sent {
  readonly transaction: Transaction;
  readonly receipt: Receipt;
  /** What the contract returned when the node tried the transaction out: blocks do not record it. */
  readonly returned: string | boolean | undefined;
  readonly consequences: Consequences;
}

/** Whoever signs a transaction that fails loses its whole fee limit, so it is tried out before. */
async function send(
  operation: OperationOrder,
  words: SigningWords,
  assertFit?: (client: LedgerClient, signer: string) => Promise<unknown>,
): Promise<Sent> {
  const { ledger: client, pins, ...connection } = await connect(words, processTerminal);
  const signer = await connection.signer();
  ifInterrupted('Interrupted. Nothing was signed and nothing was sent.');
  return explained('The ledger refuses this; nothing has changed.', async () => {
    await assertFit?.(client, signer.address);
    const order = { source: signer.address, operations: [operation] };
    const transaction = await buildWithinCaps(client, order, { pins, words });
    const returned = await tryOut(client, transaction);
    const signed = await signTransaction(transaction, [signer]);
    const receipt = await settleNoted(client, signed);
    const consequences = await findConsequences(client, receipt.record);
    return { transaction, receipt, returned, consequences };
  });
}

async function tryOut(client: LedgerClient, transaction: Transaction): Promise<string | boolean | undefined> {
  const item = { transaction_blob: encodeHex(encodeTransaction(transaction)), signature_number: 1 };
  const { result } = await client.testTransaction({ items: [item] });
  return result?.returned?.value;
}

/** Coins paid to a mere account would be gone, and so would its input. */
async function contractAt(client: LedgerClient, address: string) {
  const { result } = await client.getAccountBase({ address });
  if (result?.contract?.payload) return result.contract;
  throw new CommandFailure(`${address} is not a contract.\nNothing was sent.`);
}

async function assertUpgrades(
  client: LedgerClient,
  { address, signer }: { address: string; signer: string },
): Promise<void> {
  const { owner } = await contractAt(client, address);
  if (owner === signer) return;
  throw new CommandFailure(
    owner
      ? `This contract is upgraded by another account; nothing was sent.
Its owner is ${printable(owner)}, and ${signer} signs.
Sign as its owner: --as <person> or --key <file>.`
      : `Nobody can upgrade this contract; nothing was sent.
It was deployed without an owner, so that its code stays as it is for good.
Deploy the new code as another contract, with --owner <address> to upgrade that one later.`,
  );
}

const outcomeToJson = ({ receipt, returned, consequences }: Sent): JsonObject => ({
  hash: receipt.hash,
  block: receipt.ledgerSeq,
  fee: receipt.actualFee,
  returned: returned ?? null,
  events: consequences.events.map(({ contract, topic, values }) => ({
    contract,
    topic,
    values: [...values],
  })),
  triggered: receipt.record.contract_tx_hashes ?? [],
});

async function outcomeFields({ receipt, returned, consequences }: Sent, { profile }: SigningWords) {
  return {
    ...(returned !== undefined && { returned: `${returned}   (when the node tried it out)` }),
    ...consequenceFields(consequences, await readAccountNames(profile)),
    ...receiptFields(receipt),
  };
}
