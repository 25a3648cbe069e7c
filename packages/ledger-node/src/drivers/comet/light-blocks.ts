/**
 * What the validators said of each block, fetched from CometBFT one block later, when it is known, and kept beside the
 * block: header, commit and validators of CometBFT's height, as its RPC spells them. No hash of ours holds it. After a
 * gap, because CometBFT did not answer or the node was stopped between the two, the missing ones are fetched in order.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import { isJsonObject, type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import type { Chain } from '../../chain/chain.ts';
import { findBase, readHeader } from '../../chain/chain-reader.ts';
import { cometLimits } from '../../limits/node-limits.ts';
import { CometAway, type CometRpc } from './comet-rpc.ts';
import { firstHeight } from './handshake.ts';

export interface LightBlocksParts {
  readonly chain: Pick<Chain, 'head' | 'rows' | 'rules' | 'noteCommit' | 'readCommit'>;
  readonly rpc: Pick<CometRpc, 'callAll'>;
  /** What CometBFT holds is not what belongs to a block. */
  onNotice(text: string): void;
  onFailure(error: unknown): void;
}

export class LightBlocks {
  readonly #parts: LightBlocksParts;
  /** The next block without one; found when it is first asked for. */
  #next: bigint | undefined;
  #running: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: LightBlocksParts) {
    this.#parts = parts;
  }

  /** A block was made, or CometBFT is there again. */
  wake(): void {
    if (this.#running || this.#closed) return;
    clearTimeout(this.#retry);
    this.#running = this.#fetchAll()
      .catch((error) => this.#parts.onFailure(error))
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** The chain goes on from a snapshot: what was to be fetched is not here. */
  async beginAgain(): Promise<void> {
    clearTimeout(this.#retry);
    await this.#running;
    this.#next = undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#running;
  }

  async #fetchAll(): Promise<void> {
    const { chain } = this.#parts;
    this.#next ??= await this.#findNext();
    // Of the last block nothing is final yet.
    while (!this.#closed && this.#next < chain.head.seq) {
      const fetched = await this.#fetch(this.#next);
      if (fetched === 'later') {
        this.#retry = setTimeout(() => this.wake(), cometLimits.retryMs);
        return;
      }
      if (this.#closed) return;
      if (fetched !== 'never') await chain.noteCommit(this.#next, fetched);
      this.#next++;
    }
  }

  /** After the newest block that has one. */
  async #findNext(): Promise<bigint> {
    const { chain } = this.#parts;
    const base = findBase(chain.rows)?.seq;
    const first = base === undefined ? firstHeight : base + 1n;
    let seq = chain.head.seq;
    for (; seq >= first && !chain.readCommit(seq); seq--) {
      if (seq % 1_000n === 0n) await nextTurn();
    }
    return seq < first ? first : seq + 1n;
  }

  async #fetch(seq: bigint): Promise<Uint8Array | 'later' | 'never'> {
    const height = String(seq);
    try {
      const [committed, validating] = await this.#parts.rpc.callAll([
        { method: 'commit', params: { height } },
        { method: 'validators', params: { height, page: '1', per_page: '100' } },
      ]);
      if (!committed || !validating || 'refused' in committed || 'refused' in validating) {
        const reasons = [committed, validating].map((it) => (it && 'refused' in it ? it.refused : ''));
        // A CometBFT that began in the middle of the chain, or has thrown the block away.
        return reasons.some((reason) => /lowest height is|could not find/.test(reason)) ? 'never' : 'later';
      }
      const lightBlock = this.#read(seq, committed.result, validating.result);
      return lightBlock ? encodeUtf8(stringifyJson(lightBlock)) : 'later';
    } catch (error) {
      if (error instanceof CometAway) return 'later';
      throw error;
    }
  }

  /** Only what is final, and of this very block: its header names the hash of the block before. */
  #read(seq: bigint, { signed_header: signedHeader, canonical }: JsonObject, result: JsonObject) {
    const { chain, onNotice } = this.#parts;
    const { validators } = result;
    if (!isJsonObject(signedHeader) || !isJsonObject(signedHeader.header) || canonical !== true)
      return undefined;
    if (!Array.isArray(validators)) return undefined;
    const expected = encodeHex(appHashOf(readHeader(chain.rows, seq - 1n), chain.rules.sha256));
    const { app_hash: appHash, height } = signedHeader.header;
    if (height === String(seq) && String(appHash).toLowerCase() === expected)
      return { signed_header: signedHeader, validators };
    onNotice(`CometBFT holds another block at height ${seq}`);
    return undefined;
  }
}
