/** A chain as JSON lines, one block a line, for archives and other tools: what the interface shows, complete. */

import { encodeHex } from '@symbolon/core/basics/bytes';
import { MisbehaviorSchema, TriggerSchema } from '@symbolon/core/proto/ledger_pb';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { messageToJson } from '@symbolon/wire/json/message-json';
import { headerToJson } from '@symbolon/wire/ledger/replies';
import {
  blockFrameOf,
  findBase,
  readBlock,
  readCommit,
  readHead,
  readRecords,
  type StoredBlock,
} from '../chain/chain-reader.ts';
import type { Store } from '../store/store.ts';

export interface ExportRange {
  readonly from?: bigint;
  readonly to?: bigint;
}

/** Lines without their line ends. The blobs stand in hex, so that an archive can be verified byte for byte. */
export async function* exportChain(store: Store, { from = 1n, to }: ExportRange): AsyncIterable<string> {
  const head = readHead(store);
  const last = to !== undefined && to < head.seq ? to : head.seq;
  // Where the chain begins with a snapshot, the blocks up to that one are not here.
  const first = (findBase(store)?.seq ?? 0n) + 1n;
  for (let seq = from < first ? first : from; seq <= last; seq++) {
    const block = readBlock(store, seq);
    const records = await readRecords(store, seq, { limit: block.rowCount });
    yield stringifyJson({
      header: headerToJson(block.header),
      ...networkMembers(store, block),
      proof: encodeHex(block.proof),
      transactions: records.map((record) => ({
        hash: encodeHex(record.hash),
        error_code: record.errorCode,
        error_desc: record.errorDesc,
        actual_fee: record.actualFee,
        transaction_blob: encodeHex(record.transactionEnv?.transaction ?? new Uint8Array(0)),
        ...(record.transactionEnv?.trigger
          ? { trigger: messageToJson(TriggerSchema, record.transactionEnv.trigger) }
          : {}),
        signatures: (record.transactionEnv?.signatures ?? []).map(({ publicKey, signData }) => ({
          public_key: publicKey,
          sign_data: encodeHex(signData),
        })),
      })),
    });
  }
}

/** What executing a block of a network again takes besides, and what its validators said of it, where that is known. */
function networkMembers(store: Store, { header, consensusValue }: StoredBlock): JsonObject {
  const { proposer, misbehavior } = blockFrameOf(consensusValue);
  if (proposer === undefined) return {};
  const commit = readCommit(store, header.seq);
  return {
    consensus: {
      proposer,
      misbehavior: (misbehavior ?? []).map((one) => messageToJson(MisbehaviorSchema, one)),
    },
    ...(commit && { commit: encodeHex(commit) }),
  };
}
