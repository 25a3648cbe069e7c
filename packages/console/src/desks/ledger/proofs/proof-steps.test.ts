/** A node, or somebody between it and the browser, that lies about one thing after the other. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import type { LedgerClient, LedgerReply } from '@symbolon/sdk/ledger/ledger-client';
import { openTestChain } from '@symbolon/sdk/testing/test-chain.test';
import { sendTransaction } from '@symbolon/sdk/transactions/transactions';
import { controlText } from './account-entry.ts';
import { compareShown } from './compare-shown.ts';
import {
  type CheckedSteps,
  hasFailedStep,
  isProven,
  proveEntry,
  proveExecution,
  readProof,
} from './proof-steps.ts';

type Reply = LedgerReply<'getStateProof'>;
type Result = NonNullable<Reply['result']>;

const pins = { chainId: 0n };
const quickly = { pollIntervalMs: 2 };

/** Ada has paid; the proof is of that block, and two blocks follow it. */
async function openStory(t: TestContext) {
  const { client, genesis, fund } = await openTestChain(t);
  const [ada, oren] = [await fund(1_000_000n), await fund(7n)];
  const older = await client.getStateProof({ address: ada.address });
  const operations = [{ payCoin: { destAddress: genesis.address, amount: 5n } }];
  const paid = await sendTransaction(client, { signers: [ada], operations, feeLimit: 10_000n }, quickly);
  const reply = await client.getStateProof({ address: ada.address });
  const ofOren = await client.getStateProof({ address: oren.address });
  await fund(1n);
  await fund(1n);
  const check = (said: Reply, ledger: LedgerClient = client) =>
    proveEntry(ledger, { reply: said, stateKey: stateKeys.account(ada.address) }, pins);
  return { client, fund, ada, older, reply, ofOren, paid, check };
}

const said = (reply: Reply, lie: (result: Result) => Partial<Result>): Reply =>
  ({ ...reply, result: reply.result && { ...reply.result, ...lie(reply.result) } }) as Reply;
const failsAt = ({ steps }: CheckedSteps): string | undefined =>
  steps.find(({ state }) => state === 'fails')?.name;

test('what the node says of an entry is proven, and no lie about it is', async (t) => {
  const { reply, older, ofOren, check } = await openStory(t);
  const honest = await check(reply);
  assert.ok(isProven(honest));
  assert.equal(honest.entry?.kind, 'account');
  const lies: readonly [string, Reply, string][] = [
    ['another value', said(reply, () => ({ value: older.result?.value ?? '' })), 'entry'],
    ['nothing there', said(reply, () => ({ value: null })), 'entry'],
    ['the proof of another key', said(reply, () => ({ proof: ofOren.result?.proof ?? '' })), 'entry'],
    ['all of another key', ofOren, 'entry'],
    [
      'another key under this name',
      said(ofOren, () => ({ state_key: reply.result?.state_key ?? '' })),
      'entry',
    ],
    ['no proof', said(reply, () => ({ proof: '' })), 'entry'],
    ['no answer', { ...reply, result: null } as unknown as Reply, 'entry'],
    [
      'the header of another block',
      said(reply, () => ({ header: older.result?.header }) as Partial<Result>),
      'entry',
    ],
    [
      'a header with this root and another height',
      said(
        reply,
        ({ header }) => ({ header: { ...header, seq: Number(header?.seq) + 1 } }) as Partial<Result>,
      ),
      'header',
    ],
    [
      'an older state under this height',
      said(
        older,
        ({ header }) =>
          ({
            header: { ...reply.result?.header, account_tree_hash: header?.account_tree_hash },
          }) as Partial<Result>,
      ),
      'header',
    ],
    [
      'a header with another hash',
      said(reply, ({ header }) => ({ header: { ...header, hash: 'ab'.repeat(32) } }) as Partial<Result>),
      'header',
    ],
  ];
  for (const [name, lie, step] of lies) {
    const outcome = await check(lie);
    assert.equal(failsAt(outcome), step, name);
    assert.equal(outcome.entry, undefined, name);
  }
});

test('a header that nobody signed, or a stranger did, proves nothing', async (t) => {
  const { client, ada, reply, check } = await openStory(t);
  const getLedger = (change: (said: LedgerReply<'getLedger'>) => object): LedgerClient => ({
    ...client,
    getLedger: async (...asked) => {
      const answer = await client.getLedger(...asked);
      return { ...answer, result: { ...answer.result, ...change(answer) } } as typeof answer;
    },
  });
  const unsigned = getLedger(({ result }) => {
    const value = result?.consensus_value as object | undefined;
    return value ? { consensus_value: { ...value, previous_proof: '' } } : {};
  });
  assert.equal(failsAt(await check(reply, unsigned)), 'signature');
  const stranger = getLedger(() => ({ validators: [ada.address] }));
  assert.equal(failsAt(await check(reply, stranger)), 'signature');
  const nobody = getLedger(() => ({ validators: [] }));
  assert.equal(failsAt(await check(reply, nobody)), 'signature');
});

test('a proof of a block before the newest that was told of is outdated, whatever it proves', async (t) => {
  const { client, fund, ada, older } = await openStory(t);
  const asked = { address: ada.address };
  const control = controlText({ signers: [{ address: ada.address, weight: 1n }], needed: 1n, types: [] });
  const shown = { kind: 'account', balance: 1_000_000n, nonce: 0n, control, contract: '' } as const;
  const readShown = async () => shown;
  const liar: LedgerClient = { ...client, getStateProof: async () => older };
  const read = await readProof(liar, asked, { readShown, seen: 0 });
  const proven = (
    await proveEntry(liar, { reply: read.reply, stateKey: stateKeys.account(ada.address) }, pins)
  ).entry;
  assert.deepEqual(proven, shown, 'it was so');
  assert.equal(compareShown({ ...read, proven, shown }), 'outdated');
  // Also where all answers are of that time, and only the page remembers a newer block.
  const asOfThen: LedgerClient = {
    ...liar,
    getLedger: async () => client.getLedger({ seq: Number(older.result?.header?.seq) }),
  };
  const seen = Number(older.result?.header?.seq) + 1;
  assert.equal((await readProof(asOfThen, asked, { readShown, seen })).isOutdated, true);
  await fund(1n);
  assert.equal((await readProof(client, asked, { readShown, seen })).isOutdated, false);
});

test('of a transaction only what was signed is proven', async (t) => {
  const { client, paid } = await openStory(t);
  const block = Number(paid.ledgerSeq);
  const question = { hash: paid.hash, block, hasFailed: false, shownHash: paid.hash };
  const prove = (lie: Partial<typeof question>) => proveExecution(client, { ...question, ...lie }, pins);
  assert.ok(isProven(await prove({})));
  for (const lie of [
    { hasFailed: true },
    { block: block + 1 },
    { hash: 'ab'.repeat(32), shownHash: 'ab'.repeat(32) },
    { shownHash: 'ab'.repeat(32) },
  ])
    assert.ok(hasFailedStep(await prove(lie)), JSON.stringify(lie));
  assert.equal(isProven(await prove({ block: 1_000_000 })), false, 'a block to come proves nothing');
});
