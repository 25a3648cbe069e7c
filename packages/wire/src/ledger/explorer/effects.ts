/**
 * What a transaction changed, account by account, with what stood there before. The answer is bounded: entries beyond
 * the bound are left out and counted, texts beyond it are cut and their whole length is told.
 */
import { type DescMessage, equals, type MessageShape } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { accountOfKey, type StateEntry } from '@symbolon/core/ledger/terms/state';
import { explorerQueryLimits as limits } from '@symbolon/core/limits/requests';
import {
  type Account,
  AccountPrivilegeSchema,
  type AssetStore,
  ContractSchema,
  type MetadataEntry,
  type Operation,
} from '@symbolon/core/proto/ledger_pb';
import { type JsonObject, type JsonValue, jsonInteger } from '../../json/json.ts';
import { messageToJson } from '../../json/message-json.ts';
import { assetToJson, cutText } from './short-transaction.ts';

/** One entry of the state, before and after a transaction. */
export interface StateChange {
  readonly key: string;
  readonly before: StateEntry | undefined;
  readonly after: StateEntry | undefined;
}

/** A transaction that the effects show the logs of: the signed one, and each that contracts triggered. */
export interface ActingTransaction {
  readonly hash: Uint8Array;
  readonly sourceAddress: string;
  readonly operations: readonly Operation[];
  /** The transaction that called the contract; undefined of the signed one. */
  readonly triggeredBy: Uint8Array | undefined;
}

export interface EffectsView {
  readonly seq: bigint;
  readonly index: number;
  readonly errorCode: number;
  readonly errorDescription: string;
  readonly changes: readonly StateChange[];
  /** The signed one first; of a failed one nothing else is left. */
  readonly acting: readonly ActingTransaction[];
}

/** What is left of the characters that one answer may have; what was cut is counted. */
class TextRoom {
  #left: number = limits.effectCharsMax;
  cutCount = 0;

  take(text: string): string {
    const cut = cutText(text, Math.min(limits.valueCharsMax, this.#left));
    if (cut.length < text.length) this.cutCount++;
    this.#left -= cut.length;
    return cut;
  }
}

export function effectsToJson(view: EffectsView): JsonObject {
  const { changes, acting } = view;
  const room = new TextRoom();
  const [signed, ...triggered] = acting;
  const logs = view.errorCode === 0 ? logsOf(acting) : [];
  const shown = changes.slice(0, limits.changedEntriesMax);
  const accounts = [...groupByAccount(shown)].map(([address, own]) => changedAccount(address, own, room));
  const json: JsonObject = {
    hash: encodeHex(signed.hash),
    ledger_seq: jsonInteger(view.seq),
    index: view.index,
    error_code: view.errorCode,
    error_desc: room.take(view.errorDescription),
    accounts,
    logs: logs.slice(0, limits.logsMax).map((log) => logToJson(log, room)),
    triggered: triggered.map(({ hash, sourceAddress, triggeredBy }) => ({
      hash: encodeHex(hash),
      source_address: sourceAddress,
      triggered_by: triggeredBy ? encodeHex(triggeredBy) : '',
    })),
  };
  const left = {
    changes_left_out: changes.length - shown.length,
    logs_left_out: Math.max(0, logs.length - limits.logsMax),
    texts_cut: room.cutCount,
  };
  return { ...json, ...left };
}

function groupByAccount(changes: readonly StateChange[]): Map<string, StateChange[]> {
  const groups = new Map<string, StateChange[]>();
  for (const change of changes) {
    const address = accountOfKey(change.key);
    const own = groups.get(address);
    if (own) own.push(change);
    else groups.set(address, [change]);
  }
  return groups;
}

function changedAccount(address: string, changes: readonly StateChange[], room: TextRoom): JsonObject {
  const json: JsonObject = { address };
  const assets: JsonValue[] = [];
  const metadatas: JsonValue[] = [];
  for (const { key, before, after } of changes) {
    if (key.startsWith('account/'))
      Object.assign(json, accountChange(before as Account | undefined, after as Account | undefined, room));
    else if (key.startsWith('asset/'))
      assets.push(assetChange(before as AssetStore | undefined, after as AssetStore | undefined));
    else
      metadatas.push(
        metadataChange(before as MetadataEntry | undefined, after as MetadataEntry | undefined, room),
      );
  }
  if (assets.length > 0) json.assets = assets;
  if (metadatas.length > 0) json.metadatas = metadatas;
  return json;
}

function accountChange(before: Account | undefined, after: Account | undefined, room: TextRoom): JsonObject {
  const json: JsonObject = {};
  if (!before) json.is_created = true;
  const numbers = (read: (account: Account) => bigint): JsonObject | undefined => {
    const [old, next] = [before, after].map((account) => (account ? read(account) : 0n));
    return old === next ? undefined : { before: jsonInteger(old), after: jsonInteger(next) };
  };
  const balance = numbers((account) => account.balance);
  const nonce = numbers((account) => account.nonce);
  if (balance) json.balance = balance;
  if (nonce) json.nonce = nonce;
  if (!isSame(AccountPrivilegeSchema, before?.priv, after?.priv))
    json.priv = { before: privilegeOf(before), after: privilegeOf(after) };
  if (!isSame(ContractSchema, before?.contract, after?.contract))
    json.contract = { before: contractOf(before, room), after: contractOf(after, room) };
  return json;
}

const isSame = <Desc extends DescMessage>(
  schema: Desc,
  before: MessageShape<Desc> | undefined,
  after: MessageShape<Desc> | undefined,
): boolean => before === after || (!!before && !!after && equals(schema, before, after));

const privilegeOf = (account: Account | undefined): JsonValue =>
  account?.priv ? messageToJson(AccountPrivilegeSchema, account.priv) : null;

function contractOf(account: Account | undefined, room: TextRoom): JsonValue {
  if (!account?.contract) return null;
  const { owner, payload } = account.contract;
  return { owner, payload: room.take(payload), payload_chars: payload.length };
}

function assetChange(before: AssetStore | undefined, after: AssetStore | undefined): JsonObject {
  const { code = '', issuer = '' } = (after ?? before)?.key ?? {};
  return {
    ...assetToJson({ code, issuer }),
    before: jsonInteger(before?.amount ?? 0n),
    after: jsonInteger(after?.amount ?? 0n),
  };
}

function metadataChange(
  before: MetadataEntry | undefined,
  after: MetadataEntry | undefined,
  room: TextRoom,
): JsonObject {
  const [old, next] = [before, after].map(
    (entry): JsonValue =>
      entry
        ? {
            value: room.take(entry.value),
            value_chars: entry.value.length,
            version: jsonInteger(entry.version),
          }
        : null,
  );
  return { key: (after ?? before)?.key ?? '', before: old, after: next };
}

interface ShownLog {
  readonly hash: Uint8Array;
  readonly address: string;
  readonly topic: string;
  readonly datas: readonly string[];
}

const logsOf = (acting: readonly ActingTransaction[]): ShownLog[] =>
  acting.flatMap(({ hash, sourceAddress, operations }) =>
    operations.flatMap(({ log, sourceAddress: own }) =>
      log ? [{ hash, address: own || sourceAddress, topic: log.topic, datas: log.datas }] : [],
    ),
  );

const logToJson = ({ hash, address, topic, datas }: ShownLog, room: TextRoom): JsonObject => ({
  hash: encodeHex(hash),
  address,
  topic: room.take(topic),
  datas: datas.map((data) => room.take(data)),
});
