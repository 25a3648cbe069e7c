/**
 * A real node in this process: its own folder, its own ports, all of its interfaces; or one elsewhere, by its address.
 * What a test submits is signed by people of `people.ts` and waited for over HTTP, as any client would.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { createLog } from '@symbolon/host/telemetry/log';
import { createMetrics } from '@symbolon/host/telemetry/metrics';
import { sha256 } from '@symbolon/host/work/sha256';
import { nodeConfigSchema } from '@symbolon/ledger-node/node/node-config';
import {
  type InitOptions,
  initNodeFolder,
  openNodeFolder,
  storePath,
} from '@symbolon/ledger-node/node/node-folder';
import { type ServedNode, serveNode } from '@symbolon/ledger-node/operation/serve-node';
import { LevelStore } from '@symbolon/ledger-node/store/level-store';
import type { Row } from '@symbolon/ledger-node/store/store';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { isReadError } from '@symbolon/wire/json/message-json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import { ask, at, post } from './http.ts';
import type { Owner } from './owner.ts';
import { type Person, richest, validatorPerson } from './people.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';
import { until } from './until.ts';

export interface NodeOrder {
  /** `node.json`, without what every test node has: free ports, short blocks, no log. */
  readonly config?: JsonObject;
  readonly chain?: InitOptions;
  /** Further members of `genesis.json`. */
  readonly genesis?: JsonObject;
}

export interface Order {
  readonly source?: Person;
  readonly signers?: readonly Person[];
  /** The source's next one unless told. */
  readonly nonce?: number | bigint;
  readonly operations: JsonValue;
  /** Further members of the transaction. */
  readonly fields?: JsonObject;
}

export interface SignedItem extends JsonObject {
  transaction_blob: string;
  signatures: { public_key: string; sign_data: string }[];
}

/** What anybody does with a node who knows its address. */
export interface AskedNode {
  readonly url: string;
  ask(name: string, query?: Parameters<typeof ask>[2]): Promise<JsonObject>;
  post(name: string, body: JsonValue): Promise<JsonObject>;
  /** A transaction of these operations, signed. */
  sign(order: Order): Promise<SignedItem>;
  /** Submits and answers the submit reply. */
  submit(order: Order): Promise<JsonObject>;
  /** Submits, waits for the block and answers the history record. */
  execute(order: Order): Promise<JsonObject>;
  /** The history record of a hash, once there is one. */
  record(hash: string): Promise<JsonObject>;
  balance(address: string): Promise<bigint>;
}

export interface RunningNode extends AskedNode {
  readonly served: ServedNode;
  readonly folder: string;
  /** What the node has logged so far. */
  readonly logged: () => string;
}

const testDefaults = { port: 0, socketPort: 0, blockIntervalMs: 10, signatureWorkers: 1 };

/** Makes a chain whose genesis account is `richest`, in a folder of its own. */
export async function makeChain(folder: string, { chain, genesis }: NodeOrder = {}): Promise<void> {
  await initNodeFolder(folder, {
    genesisSeed: richest.seed,
    validatorSeed: validatorPerson.seed,
    ...chain,
  });
  if (!genesis) return;
  const file = join(folder, 'genesis.json');
  const document = parseJson(readFileSync(file, 'utf8')) as JsonObject;
  writeFileSync(file, stringifyJson({ ...document, ...genesis }));
}

export async function serveFolder(folder: string, config: JsonObject = {}) {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', stream: { write: (line) => void lines.push(line) } });
  const served = await serveNode(await openNodeFolder(folder), {
    config: nodeConfigSchema.parse({ ...testDefaults, ...config }),
    log,
    metrics: createMetrics(),
  });
  return { served, logged: () => lines.join('') };
}

export async function startNode(owner: Owner, order: NodeOrder = {}): Promise<RunningNode> {
  const folder = makeTempFolder();
  await makeChain(folder, order);
  return start(owner, folder, order.config);
}

/** A node that was started on a store in which somebody else has changed rows: those that are told of a sound one. */
export async function startDamagedNode(
  owner: Owner,
  damageOf: (node: RunningNode) => Promise<readonly Row[]>,
): Promise<RunningNode> {
  const folder = makeTempFolder();
  await makeChain(folder);
  const { served: sound, logged: soundLogged } = await serveFolder(folder);
  const damage = await damageOf(runningNodeOf(sound, folder, soundLogged));
  await sound.close();
  const store = await LevelStore.open(storePath(folder));
  await store.write(damage);
  await store.close();
  return start(owner, folder);
}

async function start(owner: Owner, folder: string, config?: JsonObject): Promise<RunningNode> {
  const { served, logged } = await serveFolder(folder, config);
  owner.after(async () => {
    await served.close();
    removeFolder(folder);
  });
  return runningNodeOf(served, folder, logged);
}

export const runningNodeOf = (served: ServedNode, folder: string, logged: () => string): RunningNode => ({
  ...nodeAt(served.httpUrl),
  served,
  folder,
  logged,
});

export function nodeAt(url: string): AskedNode {
  const node: AskedNode = {
    url,
    ask: (name, query) => ask(url, name, query),
    post: (name, body) => post(url, name, body),

    async sign({ source = richest, signers = [source], nonce, operations, fields }) {
      const next = nonce ?? (await nextNonce(url, source.address));
      const terms = { nonce: next, fee_limit: 10_000_000n, gas_price: 1 };
      return signTransaction({ source_address: source.address, ...terms, operations, ...fields }, signers);
    },
    async submit(order) {
      return post(url, 'submitTransaction', { items: [await node.sign(order)] });
    },
    async execute(order) {
      const reply = await node.submit(order);
      if (reply.error_code !== 0) throw new Error(`refused: ${stringifyJson(reply)}`);
      return node.record(at(reply, 'result', 'hash') as string);
    },
    record: (hash) =>
      until(`transaction ${hash} in history`, async () => {
        const reply = await ask(url, 'getTransactionHistory', { hash });
        return reply.error_code === 0 && (at(reply, 'result', 'transactions', 0) as JsonObject);
      }),
    async balance(address) {
      const reply = await ask(url, 'getAccountBase', { address });
      return BigInt((at(reply, 'result', 'balance') ?? 0) as number | bigint);
    },
  };
  return node;
}

async function nextNonce(url: string, address: string): Promise<bigint> {
  const reply = await ask(url, 'getAccountBase', { address });
  return BigInt((at(reply, 'result', 'nonce') ?? 0) as number | bigint) + 1n;
}

/** The blob of a transaction and the signatures over it, made here, not by the node. */
export function signTransaction(transaction: JsonObject, signers: readonly Person[]): SignedItem {
  const read = transactionFromRecord(transaction);
  if (isReadError(read)) throw new Error(read.error);
  const blob = encodeTransaction(read);
  return {
    transaction_blob: encodeHex(blob),
    signatures: signers.map((signer) => ({
      public_key: signer.publicKey,
      sign_data: encodeHex(signer.sign(blob)),
    })),
  };
}

export const hashOf = ({ transaction_blob: blob }: SignedItem): string =>
  encodeHex(sha256(Buffer.from(blob, 'hex')));

/** Operations as the interface spells them. */
export const operations = {
  payCoin: (destination: string, amount: number | bigint, more: JsonObject = {}): JsonObject => ({
    type: 7,
    pay_coin: { dest_address: destination, amount },
    ...more,
  }),
  createAccount: (destination: string, balance: number | bigint): JsonObject => ({
    type: 1,
    create_account: {
      dest_address: destination,
      init_balance: balance,
      priv: { master_weight: 1, thresholds: { tx_threshold: 1 } },
    },
  }),
  issueAsset: (code: string, amount: number | bigint): JsonObject => ({
    type: 2,
    issue_asset: { code, amount },
  }),
  payAsset: (
    destination: string,
    asset: { issuer: string; code: string; amount: number | bigint },
  ): JsonObject => ({
    type: 3,
    pay_asset: {
      dest_address: destination,
      asset: { key: { issuer: asset.issuer, code: asset.code }, amount: asset.amount },
    },
  }),
  setMetadata: (key: string, value: string, more: JsonObject = {}): JsonObject => ({
    type: 4,
    set_metadata: { key, value, ...more },
  }),
  log: (topic: string, ...datas: string[]): JsonObject => ({ type: 8, log: { topic, datas } }),
  setPrivilege: (privilege: JsonObject): JsonObject => ({ type: 9, set_privilege: privilege }),
};
