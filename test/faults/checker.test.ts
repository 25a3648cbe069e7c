/** The checker sees what it is there for: nodes that answer what nodes answer, and one thing of it is wrong. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import type { NetworkNode } from '@symbolon/cli/network/network-file';
import { NetworkChecker } from './checker.ts';

interface Told {
  /** By block. */
  readonly headers: Readonly<Record<number, string>>;
  readonly appHashes: Readonly<Record<number, string>>;
  readonly transactions: Readonly<Record<number, readonly { hash: string; source: string; nonce: number }[]>>;
  readonly balance: number;
  /** Before this one it has no blocks, and says so. */
  readonly first?: number;
}

const sound: Told = {
  headers: { 2: 'aa', 3: 'bb' },
  appHashes: { 2: '0a', 3: '0b' },
  transactions: {
    2: [{ hash: 'p1', source: 'ada', nonce: 1 }],
    3: [{ hash: 'p2', source: 'ada', nonce: 2 }],
  },
  balance: 100,
};

/** A node and its CometBFT, on one port. */
async function tellingNode(context: TestContext, name: string, told: Told): Promise<NetworkNode> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const seq = Number(searchParams.get('seq') ?? searchParams.get('ledger_seq'));
    const listed = (told.transactions[seq] ?? []).map(({ hash, source, nonce }) => ({
      hash,
      transaction: { source_address: source, nonce },
    }));
    const replies: Readonly<Record<string, unknown>> = {
      '/getLedger': told.headers[seq] && { header: { seq, hash: told.headers[seq] } },
      '/getTransactionHistory': { total_count: listed.length, transactions: listed },
      '/getAccountBase': { balance: told.balance },
    };
    if (pathname !== '/')
      return void response.end(JSON.stringify({ error_code: 0, result: replies[pathname] ?? {} }));
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const height = Number(asked.params.height);
    const commit = { block_id: { hash: told.headers[height] } };
    const signed = { header: { app_hash: told.appHashes[height] }, commit };
    response.end(JSON.stringify({ id: asked.id, result: { signed_header: signed } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const ports = { http: port, socket: port, abci: port, rpc: port, p2p: port };
  return { name, publicKey: '', peerId: '', payTo: '', ports };
}

const acknowledged = [1, 2].map((nonce) => ({ sender: 'ada', nonce, hash: `p${nonce}` }));

async function check(context: TestContext, ...told: readonly Told[]): Promise<number> {
  const nodes = await Promise.all(told.map((one, index) => tellingNode(context, `node-${index + 1}`, one)));
  const compared = nodes.map((node, index) => ({ node, first: told[index]?.first ?? 2 }));
  return new NetworkChecker().check({
    nodes: compared,
    height: 3,
    owners: ['ada'],
    supply: 100n,
    acknowledged,
  });
}

/** The same on two nodes. */
const both = (transactions: Told['transactions']): readonly Told[] => [
  withTransactions(transactions),
  withTransactions(transactions),
];
const withTransactions = (transactions: Told['transactions']): Told => ({ ...sound, transactions });

describe('the checker of a network', () => {
  test('finds nothing where nothing is wrong', async (context) => {
    const late = { ...sound, headers: { 3: 'bb' }, appHashes: { 3: '0b' }, first: 3 };
    assert.equal(await check(context, sound, sound, late), 2);
  });

  const wrong: readonly (readonly [what: string, told: readonly Told[], found: RegExp])[] = [
    ['another block', [sound, { ...sound, headers: { 2: 'aa', 3: 'cc' } }], /block 3/],
    ['another app hash', [sound, { ...sound, appHashes: { 2: '0c', 3: '0b' } }], /block 2 is not the same/],
    ['a block that is missing', [sound, { ...sound, headers: { 2: 'aa' } }], /block 3/],
    ['other transactions', [sound, withTransactions({ 2: sound.transactions[2] ?? [] })], /block 3/],
    [
      'a payment that is nowhere',
      both({ 2: sound.transactions[2] ?? [] }),
      /payment 2 of ada was acknowledged and is in no block/,
    ],
    [
      'a payment twice',
      both({ 2: sound.transactions[2] ?? [], 3: sound.transactions[2] ?? [] }),
      /p1 is in block 2 and in 3/,
    ],
    [
      'nonces out of order',
      both({ 2: sound.transactions[3] ?? [], 3: sound.transactions[2] ?? [] }),
      /nonce 1 after 2/,
    ],
    ['a block on one node alone', [sound, { ...sound, first: 3 }], /block 2 is on 1 nodes/],
    ['coins that are lost', [sound, { ...sound, balance: 99 }], /coins on node-2/],
  ];
  for (const [what, told, found] of wrong)
    test(`finds ${what}`, async (context) => {
      await assert.rejects(check(context, ...told), found);
    });
});
