import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import type { Account, AssetStore, MetadataEntry } from '@symbolon/core/proto/ledger_pb';
import fc from 'fast-check';
import type { SdkErrorCode } from '../errors/error-words.ts';
import { SdkError } from '../errors/errors.ts';
import type { Signer } from '../keys/signer.ts';
import { openTestChain, type TestChain } from '../testing/test-chain.test.ts';
import { sendTransaction } from '../transactions/transactions.ts';
import type { LedgerReply } from './ledger-client.ts';
import { verifyStateProof } from './state-proofs.ts';

type Reply = LedgerReply<'getStateProof'>;
type Result = NonNullable<Reply['result']>;

const otherRoot = '11'.repeat(32);

/** A chain with a few accounts, one of which owns an asset and metadata. */
async function openInhabitedChain(
  t: Parameters<typeof openTestChain>[0],
): Promise<TestChain & { alice: Signer }> {
  const chain = await openTestChain(t);
  const alice = await chain.fund();
  for (let neighbour = 0; neighbour < 8; neighbour++) await chain.fund(1n);
  const operations = [
    { issueAsset: { code: 'GOLD', amount: 77n } },
    { setMetadata: { key: 'a/ü?', value: 'v' } },
    { setMetadata: { key: 'other', value: 'w' } },
  ];
  await sendTransaction(chain.client, { signers: [alice], operations }, { pollIntervalMs: 2 });
  return { ...chain, alice };
}

const resultOf = ({ result }: Reply): Result => {
  assert.ok(result);
  return result;
};

const changed = (reply: Reply, change: Partial<Result>): Reply => ({
  ...reply,
  result: { ...resultOf(reply), ...change },
});

const fails = (code: SdkErrorCode) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

/** Whatever it is thrown for, it is thrown. */
const isRefused = (reply: unknown, expected: { trustedRoot: string; stateKey: string }) =>
  assert.throws(() => verifyStateProof(reply as Reply, expected), SdkError);

describe('a state proof of a real node', () => {
  test('shows an account, an asset and a metadata entry', async (t) => {
    const { client, alice, trustedRoot } = await openInhabitedChain(t);
    const { address } = alice;
    const root = trustedRoot();
    const verify = async (query: Record<string, string>, stateKey: string) =>
      verifyStateProof(await client.getStateProof({ address, ...query }), { trustedRoot: root, stateKey });

    const account = (await verify({}, stateKeys.account(address))) as Account;
    assert.deepEqual([account.address, account.nonce], [address, 1n]);
    const key = { issuer: address, code: 'GOLD' };
    const asset = (await verify(key, stateKeys.asset(address, key))) as AssetStore;
    assert.equal(asset.amount, 77n);
    const entry = (await verify({ key: 'a/ü?' }, stateKeys.metadata(address, 'a/ü?'))) as MetadataEntry;
    assert.deepEqual([entry.key, entry.value, entry.version], ['a/ü?', 'v', 1n]);
  });

  test('shows that there is none', async (t) => {
    const { client, alice, trustedRoot } = await openInhabitedChain(t);
    const { address } = alice;
    const absent = [
      [{ address: 'nobody' }, stateKeys.account('nobody')],
      [{ address, key: 'never' }, stateKeys.metadata(address, 'never')],
      [
        { address, code: 'SILVER', issuer: address },
        stateKeys.asset(address, { code: 'SILVER', issuer: address }),
      ],
    ] as const;
    for (const [query, stateKey] of absent) {
      const expected = { trustedRoot: trustedRoot(), stateKey };
      assert.equal(verifyStateProof(await client.getStateProof(query), expected), undefined);
    }
  });

  test('is about the state of one block only', async (t) => {
    const { client, alice, trustedRoot, fund } = await openInhabitedChain(t);
    const stateKey = stateKeys.account(alice.address);
    const reply = await client.getStateProof({ address: alice.address });
    const before = trustedRoot();
    await fund();
    assert.notEqual(trustedRoot(), before);
    assert.ok(verifyStateProof(reply, { trustedRoot: before.toUpperCase(), stateKey }));
    assert.throws(
      () => verifyStateProof(reply, { trustedRoot: trustedRoot(), stateKey }),
      (error: SdkError) => {
        assert.match(error.hint, /block \d+/);
        return fails('otherRoot')(error);
      },
    );
  });
});

describe('a forged reply', () => {
  test('with another value, another entry or another proof proves nothing', async (t) => {
    const { client, alice, trustedRoot, genesis } = await openInhabitedChain(t);
    const { address } = alice;
    const expected = { trustedRoot: trustedRoot(), stateKey: stateKeys.metadata(address, 'other') };
    const reply = await client.getStateProof({ address, key: 'other' });
    const elsewhere = await client.getStateProof({ address: genesis.address });
    const { value } = resultOf(reply);
    assert.ok(value && verifyStateProof(reply, expected));
    const forgeries: Partial<Result>[] = [
      { value: null },
      { value: '' },
      { value: `${value}00` },
      { value: value.slice(2) },
      { value: 'xy' },
      { value: resultOf(elsewhere).value },
      { proof: resultOf(elsewhere).proof },
      { value: resultOf(elsewhere).value, proof: resultOf(elsewhere).proof },
      { ...resultOf(elsewhere), state_key: expected.stateKey },
      { proof: '' },
      { proof: '!' },
      { proof: `${resultOf(reply).proof.slice(0, -4)}====` },
      { proof: 'A'.repeat(1_000_000) },
    ];
    for (const forgery of forgeries)
      assert.throws(() => verifyStateProof(changed(reply, forgery), expected), fails('proofInvalid'));
  });

  test('cannot hide an entry behind the absence of another one', async (t) => {
    const { client, alice, trustedRoot } = await openInhabitedChain(t);
    const expected = { trustedRoot: trustedRoot(), stateKey: stateKeys.account(alice.address) };
    for (let attempt = 0; attempt < 30; attempt++) {
      const absence = await client.getStateProof({ address: `nobody ${attempt}` });
      isRefused(changed(absence, { state_key: expected.stateKey }), expected);
    }
    const empty = changed(await client.getStateProof({ address: 'nobody' }), { proof: 'AgAA' });
    isRefused(changed(empty, { state_key: expected.stateKey }), expected);
  });

  test('cannot bring its own root, header or key', async (t) => {
    const { client, alice, trustedRoot, genesis } = await openInhabitedChain(t);
    const stateKey = stateKeys.account(alice.address);
    const honest = await client.getStateProof({ address: alice.address });
    const foreign = await (await openInhabitedChain(t)).client.getStateProof({ address: alice.address });
    const expected = { trustedRoot: trustedRoot(), stateKey };
    assert.throws(() => verifyStateProof(foreign, expected), fails('otherRoot'));
    assert.throws(
      () => verifyStateProof(changed(foreign, { root: expected.trustedRoot }), expected),
      fails('proofInvalid'),
    );
    assert.throws(() => verifyStateProof(honest, { trustedRoot: otherRoot, stateKey }), fails('otherRoot'));
    assert.throws(
      () => verifyStateProof(changed(honest, { root: otherRoot }), { trustedRoot: otherRoot, stateKey }),
      fails('proofInvalid'),
    );
    const another = { ...expected, stateKey: stateKeys.account(genesis.address) };
    assert.throws(() => verifyStateProof(honest, another), fails('proofInvalid'));
  });

  test('with any bits changed is never another verdict', async (t) => {
    const { client, alice, trustedRoot } = await openInhabitedChain(t);
    const root = trustedRoot();
    const cases = [
      [await client.getStateProof({ address: alice.address }), stateKeys.account(alice.address)],
      [await client.getStateProof({ address: 'nobody' }), stateKeys.account('nobody')],
    ] as const;
    for (const [reply, stateKey] of cases) {
      const { proof, value } = resultOf(reply);
      const proofBytes = Buffer.from(proof, 'base64');
      const valueBytes = Buffer.from(value ?? '', 'hex');
      const place = fc.record({ at: fc.nat(), bit: fc.nat(7), inValue: fc.boolean() });
      fc.assert(
        fc.property(fc.array(place, { minLength: 1, maxLength: 3 }), (places) => {
          const [forgedProof, forgedValue] = [Buffer.from(proofBytes), Buffer.from(valueBytes)];
          for (const { at, bit, inValue } of places) {
            const target = inValue && forgedValue.length > 0 ? forgedValue : forgedProof;
            target[at % target.length] ^= 1 << bit;
          }
          if (forgedProof.equals(proofBytes) && forgedValue.equals(valueBytes)) return;
          const forged = {
            proof: forgedProof.toString('base64'),
            value: value === null ? null : encodeHex(forgedValue),
          };
          isRefused(changed(reply, forged), { trustedRoot: root, stateKey });
        }),
        { numRuns: 500 },
      );
    }
  });

  test('of another shape is no reply', async (t) => {
    const { client, alice, trustedRoot } = await openInhabitedChain(t);
    const expected = { trustedRoot: trustedRoot(), stateKey: stateKeys.account(alice.address) };
    const reply = await client.getStateProof({ address: alice.address });
    const { proof: _proof, ...withoutProof } = resultOf(reply);
    const { value: _value, ...withoutValue } = resultOf(reply);
    const shapes: unknown[] = [undefined, null, 7, {}, { ...reply, result: null }, { ...reply, result: [] }];
    for (const result of [withoutProof, withoutValue, { ...resultOf(reply), value: 7 }])
      shapes.push({ ...reply, result });
    for (const shape of shapes)
      assert.throws(() => verifyStateProof(shape as Reply, expected), fails('unexpectedReply'));
  });
});

describe('what the caller expects', () => {
  const reply: Reply = { error_code: 0, error_desc: '' };
  for (const trustedRoot of ['', '00', 'zz'.repeat(32), `${otherRoot}00`])
    test(`is not the root "${trustedRoot}"`, () => {
      const expected = { trustedRoot, stateKey: stateKeys.account('a') };
      assert.throws(() => verifyStateProof(reply, expected), fails('invalidArgument'));
    });
  for (const stateKey of ['', 'a', 'accounts/a', 'metadata/a/\ud800'])
    test(`is not the state key ${JSON.stringify(stateKey)}`, () => {
      assert.throws(
        () => verifyStateProof(reply, { trustedRoot: otherRoot, stateKey }),
        fails('invalidArgument'),
      );
    });
});
