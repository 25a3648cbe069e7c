/**
 * A chain of made-up calls and programs as it was recorded: every signed transaction, and what each block came to. Run
 * this file to record it anew, which only a change of the protocol may need; nothing else may change a byte of it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { create } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import { openTransaction } from '@symbolon/core/ledger/terms/transaction';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { SignatureSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import { keyFormat, person } from '@symbolon/ledger-node/testing/people';
import { openTestChain, type TestTransaction, testRules } from '@symbolon/ledger-node/testing/test-chain';
import { addProvenBlock, type BlockSummary, randomBlocks, signBlock } from './random-calls.ts';
import { type Program, randomPrograms } from './random-programs.ts';

export interface RecordedBlock extends BlockSummary {
  readonly transactions: readonly {
    readonly blob: string;
    readonly publicKey: string;
    readonly signature: string;
  }[];
}

const file = new URL('./recorded-chain.json.gz', import.meta.url);

export const readRecordedChain = (): readonly RecordedBlock[] =>
  JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as readonly RecordedBlock[];

/** Signed by the one whose signature it carries; signatures themselves are verified where the chain is. */
export const reopenBlock = ({ transactions }: RecordedBlock): VerifiedTransaction[] =>
  transactions.map(({ blob, publicKey, signature }) => {
    const signData = Buffer.from(signature, 'base64');
    const signed = openTransaction(
      new Uint8Array(Buffer.from(blob, 'base64')),
      [create(SignatureSchema, { publicKey, signData: new Uint8Array(signData) })],
      sha256,
    );
    const signer = keyFormat.signerOf(publicKey);
    assert(signed && signer, 'what was recorded can be read');
    return { signed, signedBy: new Set([signer.address]) };
  });

const seed = 20_261_116;
const calls = 400;
const programs = 60;

/** Made and called by somebody of their own, one block of creations and one of calls. */
function programBlocks(): TestTransaction[][] {
  const maker = person('maker of programs');
  const addressOf = (index: number) => keyFormat.addressOfText(`${maker.address}-${index + 1}-0`);
  const made = randomPrograms(seed, programs, addressOf);
  const terms = { source: maker, feeLimit: 10n ** 8n };
  const creation = ({ code }: Program, index: number): TestTransaction => ({
    ...terms,
    nonce: BigInt(index + 1),
    operations: [
      operation('createAccount', {
        contract: { payload: code },
        priv: { thresholds: { txThreshold: 1n } },
        initBalance: 1_000n,
      }),
    ],
  });
  const callOf = ({ input }: Program, index: number): TestTransaction => ({
    ...terms,
    nonce: BigInt(programs + index + 1),
    operations: [operation('payCoin', { destAddress: addressOf(index), amount: 0n, input })],
  });
  const funding = operation('payCoin', { destAddress: maker.address, amount: 10n ** 12n });
  return [[{ nonce: 2n, operations: [funding] }], made.map(creation), made.map(callOf)];
}

async function record(): Promise<void> {
  const chain = await openTestChain(testRules());
  const blocks: RecordedBlock[] = [];
  for (const orders of [...randomBlocks(seed, calls), ...programBlocks()]) {
    const signed = signBlock(orders);
    const summary = await addProvenBlock(chain, signed);
    assert(summary.gas.length === signed.length, 'no transaction was dropped');
    const transactions = signed.map(({ signed: { blob, signatures } }) => ({
      blob: Buffer.from(blob).toString('base64'),
      publicKey: signatures[0].publicKey,
      signature: Buffer.from(signatures[0].signData).toString('base64'),
    }));
    blocks.push({ ...summary, transactions });
  }
  writeFileSync(file, gzipSync(JSON.stringify(blocks), { level: 9 }));
}

if (import.meta.main) await record();
