/**
 * Somebody who remembers what a node has said: every executed transaction that was delivered over the WebSocket or
 * shown in history, with its block. What a witness has heard may never be taken back.
 */
import assert from 'node:assert/strict';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { ask, at } from '../support/http.ts';
import { readFields } from './wire-fields.ts';

/** The message type under which executed transactions are delivered, and the fields that matter here. */
const delivered = 20n;
const frameFields = { type: 1, data: 4 };
const recordFields = { ledgerSeq: 4, hash: 6 };

export class Witness {
  /** Hash → block. */
  readonly heard = new Map<string, bigint>();

  /** Listens to everything a node delivers until the node is gone. */
  async listen(socketUrl: string): Promise<void> {
    const socket = new WebSocket(socketUrl);
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => {
      const frame = readFields(new Uint8Array(data as ArrayBuffer));
      if (frame?.get(frameFields.type) !== delivered) return;
      const record = readFields(frame.get(frameFields.data) as Uint8Array);
      const hash = encodeHex(record?.get(recordFields.hash) as Uint8Array);
      this.#hear(hash, record?.get(recordFields.ledgerSeq) as bigint);
    });
    await new Promise<void>((resolve) => {
      for (const event of ['open', 'close', 'error']) socket.addEventListener(event, () => resolve());
    });
  }

  /** Whether history shows the transaction. Rejects when the node is gone. */
  async sees(httpUrl: string, hash: string): Promise<boolean> {
    const reply = await ask(httpUrl, 'getTransactionHistory', { hash });
    if (reply.error_code !== 0) return false;
    this.#hear(hash, BigInt(at(reply, 'result', 'transactions', 0, 'ledger_seq') as number));
    return true;
  }

  #hear(hash: string, ledgerSeq: bigint): void {
    assert.equal(this.heard.get(hash) ?? ledgerSeq, ledgerSeq, `transaction ${hash} changed its block`);
    this.heard.set(hash, ledgerSeq);
  }
}
