/** A light client against a real node, whose blocks a made-up network signs, and against nodes that lie. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { LightBlock } from '@symbolon/core/light/light-block';
import type { LightRefusalName } from '@symbolon/core/light/light-verification';
import {
  sha256,
  signBlock,
  type TestValidator,
  testValidator,
} from '@symbolon/core/light/testing/made-up-chain';
import type { SdkErrorCode } from '../errors/error-words.ts';
import { SdkError } from '../errors/errors.ts';
import type { Signer } from '../keys/signer.ts';
import { lightCases, nodeOfCase, putLightClientTo } from '../testing/light-lies.test.ts';
import { anchorOf, openTestNetwork, showing, type TestNetwork } from '../testing/test-network.test.ts';
import { sendTransaction } from '../transactions/transactions.ts';
import type { Transport } from '../transport/transport.ts';
import { createLightClient, type LightClientOptions } from './light-client.ts';
import { LightBlockRefused, NetworkForked } from './light-errors.ts';

const names = ['ann', 'ben', 'cem', 'dot'];
const four = names.map((name) => testValidator(name, 10n));
const others = ['eve', 'fay', 'gus', 'hal'].map((name) => testValidator(name, 10n));
/** One of four leaves with each block, so that after four nobody is left of the first. */
const sliding = (height: bigint): TestValidator[] =>
  Array.from({ length: 4 }, (_, index) => testValidator(`v${Number(height) + index}`, 10n));

interface World extends Omit<TestNetwork, 'client'> {
  readonly alice: Signer;
  readonly blocks: LightBlock[];
  readonly honest: Transport;
  client(options?: Partial<LightClientOptions>): ReturnType<typeof createLightClient>;
}

async function openWorld(t: TestContext, setAt: (height: bigint) => readonly TestValidator[] = () => four) {
  const network = await openTestNetwork(t, { setAt });
  const alice = await network.fund();
  const operations = [
    { setMetadata: { key: 'colour', value: 'blue' } },
    { issueAsset: { code: 'GOLD', amount: 77n } },
  ];
  await sendTransaction(network.client, { signers: [alice], operations }, { pollIntervalMs: 2 });
  for (let more = 0; more < 6; more += 1) await network.fund(1n);
  const blocks = await network.sign();
  const honest = showing(network.transport, () => blocks);
  const client = (options: Partial<LightClientOptions> = {}) =>
    createLightClient({
      nodes: [honest],
      anchor: anchorOf(blocks[0] as LightBlock),
      trustingPeriodMs: 7_200_000,
      now: () => network.nowMs,
      waitMs: 20,
      pollIntervalMs: 5,
      ...options,
    });
  return { ...network, alice, blocks, honest, client } satisfies World;
}

const refusedAs = (name: LightRefusalName) => (error: unknown) => {
  assert.ok(error instanceof LightBlockRefused, String(error));
  assert.equal(error.refusal.name, name, error.message);
  return true;
};

const fails = (code: SdkErrorCode) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

/** The last block as its validators would have signed it if it were otherwise. */
const otherLast = (blocks: readonly LightBlock[], set: readonly TestValidator[] = four): LightBlock[] => {
  const last = blocks.at(-1) as LightBlock;
  return [
    ...blocks.slice(0, -1),
    signBlock({ ...last.header, appHash: sha256(Buffer.from('another state')) }, set),
  ];
};

describe('a light client', () => {
  test('proves an account, an asset, metadata, and that there is none', async (t) => {
    const { client, alice, node } = await openWorld(t);
    const light = client();
    const { entry: account, seq, header } = await light.account(alice.address);
    assert.deepEqual([account?.address, account?.nonce], [alice.address, 1n]);
    assert.deepEqual([seq, header.anchor.seq], [node.chain.head.seq, seq + 1n]);
    assert.equal((await light.metadata(alice.address, 'colour')).entry?.value, 'blue');
    assert.equal(
      (await light.asset(alice.address, { issuer: alice.address, code: 'GOLD' })).entry?.amount,
      77n,
    );
    assert.equal((await light.account('nobody')).entry, undefined);
    assert.equal((await light.metadata(alice.address, 'shape')).entry, undefined);
  });

  test('follows validators until none of the first is left, with bounded work', async (t) => {
    const { client, alice, transport, blocks } = await openWorld(t, sliding);
    const asked: bigint[] = [];
    const light = client({ nodes: [showing(transport, () => blocks, asked)] });
    assert.equal((await light.account(alice.address)).entry?.nonce, 1n);
    assert.ok(asked.length > 2 && asked.length <= blocks.length, `asked for ${asked}`);
    await assert.rejects(client({ lightBlocksMax: 0 }).account(alice.address), fails('proofInvalid'));
  });

  test('goes on from what its caller has kept, without asking for the anchor', async (t) => {
    const { client, alice, transport, blocks } = await openWorld(t);
    let kept: string | undefined;
    const storage = {
      load: async () => kept,
      save: async (text: string) => {
        kept = text;
      },
    };
    await client({ storage }).account(alice.address);
    const asked: bigint[] = [];
    const later = client({ storage, nodes: [showing(transport, () => blocks, asked)] });
    assert.equal((await later.account(alice.address)).entry?.nonce, 1n);
    assert.deepEqual(asked, []);
    for (const text of ['', 'null', '{}', '{"hash":"00","block":{}}', `${kept}x`]) {
      const broken = { ...storage, load: async () => text };
      await assert.rejects(client({ storage: broken }).newest(), fails('invalidArgument'), text);
    }
    const other = { ...storage, load: async () => kept?.replace(/"hash":"../, '"hash":"00') };
    await assert.rejects(client({ storage: other }).newest(), refusedAs('otherThanTrusted'));
  });

  test('answers several questions at the same time', async (t) => {
    const { client, alice, genesis } = await openWorld(t, sliding);
    const light = client();
    const proven = await Promise.all([alice, genesis, alice].map(({ address }) => light.account(address)));
    assert.deepEqual(
      proven.map(({ entry }) => entry?.address),
      [alice.address, genesis.address, alice.address],
    );
  });

  test('waits for the block that proves, and says so if it does not come', async (t) => {
    const { client, alice, transport, blocks } = await openWorld(t);
    let shown = blocks.slice(0, -1);
    const late = showing(transport, () => shown);
    await assert.rejects(client({ nodes: [late] }).account(alice.address), fails('notYetProven'));
    const light = client({ nodes: [late], waitMs: 60_000 });
    const answer = light.account(alice.address);
    setTimeout(() => {
      shown = blocks;
    }, 20);
    assert.equal((await answer).entry?.nonce, 1n);
    await assert.rejects(client({ nodes: [transport] }).newest(), fails('notYetProven'));
  });
});

describe('a node that lies to a light client is not believed', () => {
  test('each row of the table says what it should, and what is honest is believed', async (t) => {
    const { honest, lies } = await lightCases(t);
    for (const one of [...honest, ...lies])
      await t.test(one.what, async () =>
        assert.equal(await putLightClientTo(createLightClient, nodeOfCase(one), one), one.says),
      );
    assert.ok(new Set(lies.map(({ what }) => what)).size === lies.length && lies.length >= 30);
  });

  test('when it falls behind what was seen', async (t) => {
    const { client, blocks } = await openWorld(t, sliding);
    const light = client();
    await light.header((blocks.at(-1) as LightBlock).header.height);
    await assert.rejects(light.header(1n), fails('otherRoot'));
  });

  test('when trust is too old, also for what was believed before', async (t) => {
    const { client, alice, nowMs } = await openWorld(t);
    let now = nowMs;
    const light = client({ now: () => now });
    assert.ok((await light.account(alice.address)).entry);
    now += 7_200_000;
    await assert.rejects(light.account(alice.address), refusedAs('trustExpired'));
    await assert.rejects(light.newest(), refusedAs('trustExpired'));
    await assert.rejects(client({ now: () => now }).newest(), refusedAs('trustExpired'));
  });
});

describe('several nodes', () => {
  test('that agree are counted; who is away or lies alone is not', async (t) => {
    const { client, alice, honest, transport, blocks } = await openWorld(t);
    const away: Transport = () => Promise.reject(new SdkError('unreachable', 'away', { hint: 'Wait.' }));
    const liar = showing(transport, () => otherLast(blocks, others));
    const broken: Transport = () => Promise.reject(new TypeError('a transport of somebody else'));
    const light = client({ nodes: [honest, away, honest, liar, broken] });
    assert.equal((await light.account(alice.address)).header.agreeing, 1);
  });

  test('that show two blocks which validators have signed: an attack, with the evidence', async (t) => {
    const { client, alice, honest, transport, blocks } = await openWorld(t);
    const fork = showing(transport, () => otherLast(blocks));
    for (const nodes of [
      [honest, fork],
      [fork, honest],
    ])
      await assert.rejects(client({ nodes }).account(alice.address), (error) => {
        assert.ok(error instanceof NetworkForked, String(error));
        assert.equal(error.seq, blocks.at(-1)?.header.height);
        assert.notDeepEqual(...error.blocks);
        return true;
      });
  });
});

describe('options that would check nothing are refused', () => {
  const anchor = { chainId: 'net', seq: 2n, hash: '11'.repeat(32) };
  const good: LightClientOptions = { nodes: [async () => null], anchor, trustingPeriodMs: 1_000 };
  const wrong: readonly [what: string, unknown][] = [
    ['no nodes', { ...good, nodes: [] }],
    ['a misspelt option', { ...good, trustPeriodMs: 5 }],
    ['half a hash', { ...good, anchor: { ...anchor, hash: '11' } }],
    ['no hash', { ...good, anchor: { ...anchor, hash: undefined } }],
    ['no chain', { ...good, anchor: { ...anchor, chainId: '' } }],
    ['a number of a block as text', { ...good, anchor: { ...anchor, seq: '2' } }],
    ['a misspelt anchor', { ...good, anchor: { ...anchor, height: 2 } }],
  ];
  for (const [what, options] of wrong)
    test(what, () =>
      assert.throws(() => createLightClient(options as LightClientOptions), fails('invalidArgument')),
    );
  for (const trustingPeriodMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '1 day'])
    test(`a trusting period of ${trustingPeriodMs}`, async (t) => {
      const { client } = await openWorld(t);
      const light = client({ trustingPeriodMs: trustingPeriodMs as number });
      await assert.rejects(light.newest(), fails('invalidArgument'));
    });
});
