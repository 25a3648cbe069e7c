/** The WebSocket interface of a running node: its messages in both numberings, and everything that is bounded. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { socketLimits } from '@symbolon/core/limits/requests';
import {
  LedgerHeaderSchema,
  TransactionEnvSchema,
  TransactionEnvStoreSchema,
} from '@symbolon/core/proto/ledger_pb';
import {
  ChainHelloSchema,
  ChainResponseSchema,
  ChainStatusSchema,
  ChainTxStatusSchema,
  PingSchema,
  type WsMessage,
  WsMessageSchema,
} from '@symbolon/core/proto/socket_pb';
import { stateRow } from '@symbolon/ledger-node/chain/rows';
import { WebSocket } from 'ws';
import { at, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest, validatorPerson } from '../support/people.ts';
import {
  hashOf,
  operations,
  type RunningNode,
  type SignedItem,
  startDamagedNode,
  startNode,
} from '../support/running-node.ts';
import { connectSocket } from '../support/socket-client.ts';
import { until } from '../support/until.ts';

const { payCoin, log, setMetadata } = operations;
const owner = ownerOfSuite();
const bob = person('bob');
const carol = person('carol');

const ping = 1n;
const hello = 10n;
const status = 11n;
const submit = 15n;
const header = 16n;
const numberings = [
  { subscribe: 19n, deliver: 20n },
  { subscribe: 17n, deliver: 18n },
];

let node: RunningNode;

/** How the node answers somebody who wants to connect: `open`, or the status. */
function opened(headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(node.served.socketUrl, { headers });
  return new Promise((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
    socket.on('error', () => resolve('error'));
  }).then((told) => {
    socket.on('error', () => {});
    socket.terminate();
    return told as string;
  });
}

before(async () => {
  node = await startNode(owner);
  await node.execute({ operations: [payCoin(bob.address, 10n ** 10n), payCoin(carol.address, 10n ** 10n)] });
});

const connect = (context: TestContext, to = node) => connectSocket(context, to.served.socketUrl);

const pingOf = (nonce: bigint) => toBinary(PingSchema, create(PingSchema, { nonce }));

function envelopeOf({ transaction_blob, signatures }: SignedItem): Uint8Array {
  const bytes = (hex: string) => parseHex(hex) as Uint8Array;
  const envelope = create(TransactionEnvSchema, {
    transaction: bytes(transaction_blob),
    signatures: signatures.map((it) => ({ publicKey: it.public_key, signData: bytes(it.sign_data) })),
  });
  return toBinary(TransactionEnvSchema, envelope);
}

const statusOf = ({ data }: WsMessage) => fromBinary(ChainTxStatusSchema, data);
const hashIn = (data: Uint8Array) => encodeHex(fromBinary(TransactionEnvStoreSchema, data).hash);

describe('a connection', () => {
  test('is greeted and answered', async (context) => {
    const client = await connect(context);
    client.request(hello, toBinary(ChainHelloSchema, create(ChainHelloSchema, { timestamp: 1n })), 7n);
    const { data } = await client.response(hello, 7n);
    const greeting = fromBinary(ChainStatusSchema, data);
    assert.equal(greeting.selfAddr, validatorPerson.address);
    assert.equal(greeting.ledgerVersion, node.served.node.chain.rules.parameters.ledgerVersion);
    assert.ok(greeting.timestamp > 0n && greeting.chainVersion !== '');
    client.request(ping, pingOf(2n ** 62n), 8n);
    assert.equal(fromBinary(PingSchema, (await client.response(ping, 8n)).data).nonce, 2n ** 62n);
    assert.equal(at(await node.ask('getModulesStatus'), 'websocket_server', 'clients'), 1);
    const { websocket_address: port } = await node.ask('hello');
    assert.equal(String(port), new URL(node.served.socketUrl).port);
  });

  test('submits, and everybody hears the verdict, the block and the transaction', async (context) => {
    const [sender, listener] = [await connect(context), await connect(context)];
    const item = await node.sign({ source: bob, operations: [log('over', 'socket')] });
    sender.request(submit, envelopeOf(item));
    for (const client of [sender, listener]) {
      const verdict = statusOf(await client.notification(status));
      assert.equal(verdict.status, 1);
      assert.deepEqual(
        [verdict.txHash, verdict.sourceAddress, verdict.sourceAccountSeq, verdict.errorCode],
        [hashOf(item), bob.address, 1n, 0],
      );
      const closed = fromBinary(LedgerHeaderSchema, (await client.notification(header)).data);
      const told = fromBinary(TransactionEnvStoreSchema, (await client.notification(20n)).data);
      assert.equal(told.ledgerSeq, closed.seq);
      assert.equal(encodeHex(told.hash), hashOf(item));
    }
    assert.equal((await node.record(hashOf(item))).error_code, 0);
    assert.equal(
      sender.frames.filter((it) => !it.request).length,
      0,
      'a submission has no response of its own',
    );
  });

  test('hears of refusals too', async (context) => {
    const client = await connect(context);
    const item = await node.sign({ source: bob, operations: [] });
    client.request(submit, envelopeOf(item));
    const verdict = statusOf(
      await client.notification(
        status,
        (data) => fromBinary(ChainTxStatusSchema, data).txHash === hashOf(item),
      ),
    );
    assert.deepEqual([verdict.status, verdict.errorCode], [4, 97]);
    assert.notEqual(verdict.errorDesc, '');
    const notATransaction = toBinary(
      TransactionEnvSchema,
      create(TransactionEnvSchema, { transaction: Uint8Array.of(255) }),
    );
    client.request(submit, notATransaction);
    const nameless = statusOf(
      await client.notification(status, (data) => fromBinary(ChainTxStatusSchema, data).errorCode === 2),
    );
    assert.equal(nameless.txHash, '');
  });

  test('hears nothing about a transaction from somebody without its signatures', async (context) => {
    const calm = await startNode(context, { config: { blockIntervalMs: 1_500 } });
    const [watcher, stranger] = [await connect(context, calm), await connect(context, calm)];
    const item = await calm.sign({ source: richest, nonce: 1, operations: [log('victim', '1')] });
    const junk = {
      ...item,
      signatures: item.signatures.map((it) => ({ ...it, sign_data: '00'.repeat(64) })),
    };
    const codesOver = async (sent: SignedItem) =>
      at(await calm.post('submitTransaction', { items: [sent] }), 'error_code');
    assert.equal(await codesOver(junk), 93, 'before it is known');
    assert.equal(await codesOver(item), 0);
    assert.equal(await codesOver(junk), 3, 'while it waits');
    assert.equal(await codesOver(item), 3);
    await calm.record(hashOf(item));
    assert.equal(await codesOver(junk), 99, 'after it was executed');
    stranger.request(submit, envelopeOf(junk));
    assert.equal(
      statusOf(
        await stranger.notification(status, (data) => fromBinary(ChainTxStatusSchema, data).errorCode === 99),
      ).txHash,
      hashOf(item),
    );
    const size = Number(at(await calm.record(hashOf(item)), 'tx_size'));
    const next = { source: richest, nonce: 2, operations: [log('victim', '2')] };
    const tight = await calm.sign({ ...next, fields: { fee_limit: size * 2 } });
    const padded = { ...tight, signatures: [...Array(40).fill(junk.signatures[0]), ...tight.signatures] };
    assert.equal(await codesOver(padded), 0, 'what was added is taken out');
    assert.ok(Number(at(await calm.record(hashOf(tight)), 'tx_size')) <= size + 2);
    const poor = await calm.sign({ operations: [log('t', 'd')], fields: { fee_limit: 1 } });
    assert.equal(await codesOver(poor), 111);
    await watcher.notification(status, (data) => fromBinary(ChainTxStatusSchema, data).errorCode === 111);
    const told = watcher.notifications(status).map((it) => [statusOf(it).txHash, statusOf(it).errorCode]);
    assert.deepEqual(told, [
      [hashOf(item), 0],
      [hashOf(tight), 0],
      [hashOf(poor), 111],
    ]);
  });

  test('hears what others submit over HTTP, numbered from one', async (context) => {
    const client = await connect(context);
    const { hash } = await node.execute({ operations: [log('over', 'http')] });
    await client.notification(20n, (data) => hashIn(data) === hash);
    const told = client.frames.filter((it) => it.request).map(({ sequence }) => sequence);
    assert.deepEqual(
      told,
      Array.from(told, (_, index) => BigInt(index) + 1n),
    );
  });
});

describe('subscriptions', () => {
  for (const { subscribe, deliver } of numberings) {
    test(`with ${subscribe} deliver with ${deliver}, and only what concerns the address`, async (context) => {
      const client = await connect(context);
      assert.equal(await client.subscribe(subscribe, [carol.address]), 0);
      const other = await node.execute({ source: bob, operations: [payCoin(richest.address, 1)] });
      const asSource = await node.execute({ source: carol, operations: [log('t', 'd')] });
      const asTarget = await node.execute({
        source: bob,
        operations: [payCoin(richest.address, 1), payCoin(carol.address, 1)],
      });
      const asOperationSource = await node.execute({
        source: bob,
        signers: [bob, carol],
        operations: [{ ...log('t', 'd'), source_address: carol.address }],
      });
      await client.notification(deliver, (data) => hashIn(data) === asOperationSource.hash);
      const told = client.notifications(deliver).map(({ data }) => hashIn(data));
      assert.deepEqual(told, [asSource.hash, asTarget.hash, asOperationSource.hash]);
      assert.ok(!told.includes(other.hash as string));
      const [otherDeliver] = numberings.filter((it) => it.deliver !== deliver);
      assert.deepEqual(client.notifications(otherDeliver.deliver), []);
      assert.ok(client.notifications(header).length >= 4, 'headers come to everybody');
    });
  }

  test('replace each other; one without address is for everything', async (context) => {
    const client = await connect(context);
    assert.equal(await client.subscribe(19n, [carol.address]), 0);
    assert.equal(await client.subscribe(17n, [bob.address]), 0);
    const hidden = await node.execute({ source: carol, operations: [log('t', 'd')] });
    const shown = await node.execute({ source: bob, operations: [log('t', 'd')] });
    await client.notification(18n, (data) => hashIn(data) === shown.hash);
    assert.equal(await client.subscribe(17n, []), 0);
    const all = await node.execute({ source: carol, operations: [log('t', 'd')] });
    await client.notification(18n, (data) => hashIn(data) === all.hash);
    const told = client.notifications(18n).map(({ data }) => hashIn(data));
    assert.deepEqual(told, [shown.hash, all.hash]);
    assert.ok(!told.includes(hidden.hash as string));
    assert.deepEqual(client.notifications(20n), []);
  });

  test('to what is no address, or to too many, are refused and end the connection', async (context) => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => person(`p${index}`).address);
    for (const addresses of [['nobody'], [bob.address, ''], many(socketLimits.subscribedAddressesMax + 1)]) {
      const client = await connect(context);
      assert.equal(await client.subscribe(19n, addresses), 2);
      assert.equal((await client.closed).code, 1008);
    }
    const client = await connect(context);
    assert.equal(await client.subscribe(19n, many(socketLimits.subscribedAddressesMax)), 0);
  });
});

describe('strange frames', () => {
  test('that are no request are answered with what is wrong, by number and sequence where they have them', async (context) => {
    const client = await connect(context);
    const frame = (fields: object) => toBinary(WsMessageSchema, create(WsMessageSchema, fields));
    client.socket.send('text');
    client.socket.send(Buffer.from([0xff, 0xff, 0xff]));
    client.socket.send(frame({ type: 99n, request: true, sequence: 4n }));
    client.socket.send(frame({ type: 19n, request: false, sequence: 5n }));
    client.request(ping, pingOf(5n), 6n);
    await client.response(ping, 6n);
    const told = client.frames.slice(0, -1).map(({ type, request, sequence, data }) => {
      const { errorCode, errorDesc } = fromBinary(ChainResponseSchema, data);
      assert.notEqual(errorDesc, '');
      return [type, request, sequence, errorCode];
    });
    assert.deepEqual(told, [
      [0n, false, 0n, 2],
      [0n, false, 0n, 2],
      [99n, false, 4n, 2],
      [19n, false, 5n, 2],
    ]);
  });

  test('that members of the family send and that mean nothing are passed over', async (context) => {
    const client = await connect(context);
    const frame = (fields: object) => toBinary(WsMessageSchema, create(WsMessageSchema, fields));
    client.socket.send(frame({ type: 14n, request: true, data: Uint8Array.of(1) }));
    client.socket.send(frame({ type: ping, request: false, data: pingOf(1n) }));
    client.request(ping, pingOf(5n), 2n);
    assert.equal(fromBinary(PingSchema, (await client.response(ping, 2n)).data).nonce, 5n);
    assert.equal(client.frames.length, 1);
  });

  test('that claim to be something and are not end the connection', async (context) => {
    const garbage = Uint8Array.of(0x0a, 0xff);
    for (const type of [ping, submit, 17n, 19n]) {
      const client = await connect(context);
      client.request(type, garbage);
      assert.equal((await client.closed).code, 1006, `${type}`);
    }
  });

  test('that are too large end the connection', async (context) => {
    const client = await connect(context);
    client.socket.send(Buffer.alloc(socketLimits.frameBytesMax + 1));
    assert.ok([1006, 1009].includes((await client.closed).code));
  });

  test('that are no WebSocket at all get an answer or an end', async () => {
    const { hostname, port } = new URL(node.served.socketUrl);
    for (const bytes of ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'nonsense\r\n\r\n']) {
      const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
      const [answer] = await once(socket, 'data');
      assert.match(String(answer), /^HTTP\/1\.1 4\d\d /);
      socket.destroy();
    }
  });

  test('leave the node as it was', async () => {
    assert.equal(node.served.notReady(), undefined);
    assert.doesNotMatch(node.logged(), /"level":"(error|fatal)"/);
    await until(
      'nobody is connected',
      async () => at(await node.ask('getModulesStatus'), 'websocket_server', 'clients') === 0,
    );
  });
});

describe('a consumer that does not read', () => {
  test('is dropped, and nobody waits for it', async (context) => {
    const lazy = new WebSocket(node.served.socketUrl);
    context.after(() => lazy.terminate());
    await once(lazy, 'open');
    lazy.pause();
    const clients = async () => at(await node.ask('getModulesStatus'), 'websocket_server', 'clients');
    assert.equal(await clients(), 1);
    const large = Array.from({ length: 4 }, (_, index) => setMetadata(`large ${index}`, 'x'.repeat(250_000)));
    let sentBytes = 0;
    while ((await clients()) === 1) {
      const { tx_size: bytes } = await node.execute({ operations: large });
      sentBytes += bytes as number;
      assert.ok(sentBytes < 40_000_000, 'it should have been dropped by now');
    }
    assert.ok(sentBytes > socketLimits.bufferedBytesMax, 'not before its buffer is full');
  });

  test('is dropped too when it asks and asks', async (context) => {
    const lazy = new WebSocket(node.served.socketUrl);
    context.after(() => lazy.terminate());
    await once(lazy, 'open');
    const heard = once(lazy, 'pong');
    lazy.ping('there?');
    assert.equal(String((await heard)[0]), 'there?');
    lazy.pause();
    lazy.on('error', () => {});
    const closed = once(lazy, 'close');
    const question = Buffer.alloc(125);
    const clients = async () => at(await node.ask('getModulesStatus'), 'websocket_server', 'clients');
    for (let pings = 0; (await clients()) === 1; pings += 10_000) {
      assert.ok(pings < 1_000_000, 'it should have been dropped by now');
      for (let index = 0; index < 10_000; index++) lazy.ping(question);
    }
    lazy.resume();
    await closed;
  });
});

describe('connections', () => {
  test('have a limit, and room is given back', async (context) => {
    const small = await startNode(context, { config: { socket: { connectionsMax: 3 } } });
    const clients = [
      await connect(context, small),
      await connect(context, small),
      await connect(context, small),
    ];
    const refused = await send(`${small.served.socketUrl.replace(/^ws/, 'http')}/`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    });
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
    clients[0].socket.close();
    await clients[0].closed;
    const next = await until('there is room again', async () => {
      const client = await connect(context, small).catch(() => undefined);
      if (!client) return undefined;
      client.request(ping, pingOf(1n));
      await Promise.race([client.closed, client.response(ping)]);
      return client.frames.length > 0 && client;
    });
    assert.equal(next.frames.length, 1);
  });

  test('are asked whether anybody is there, and silent ones are ended', async (context) => {
    const impatient = await startNode(context, {
      config: { socket: { pingIntervalMs: 50, silenceMs: 400 } },
    });
    const silent = await connect(context, impatient);
    const awake = await connect(context, impatient);
    const answering = setInterval(() => {
      awake.socket.send(toBinary(WsMessageSchema, create(WsMessageSchema, { type: ping, data: pingOf(1n) })));
    }, 20);
    context.after(() => clearInterval(answering));
    await silent.notification(ping);
    assert.equal((await silent.closed).code, 1006);
    await delay(200);
    assert.equal(awake.socket.readyState, WebSocket.OPEN);
    assert.ok(awake.notifications(ping).length > 3);
  });

  test('end when the node does', async (context) => {
    const short = await startNode(context);
    const client = await connect(context, short);
    await short.served.close();
    assert.equal((await client.closed).code, 1006);
  });

  test('end when a submission fails by a defect, and the node goes on', async (context) => {
    const damaged = await startDamagedNode(context, async () => [
      [stateRow(`account/${bob.address}`), Uint8Array.of(255)],
    ]);
    const client = await connect(context, damaged);
    client.request(
      submit,
      envelopeOf(await node.sign({ source: bob, nonce: 1, operations: [log('t', 'd')] })),
    );
    assert.equal((await client.closed).code, 1006);
    assert.match(damaged.logged(), /a submission over WebSocket failed/);
    assert.equal(damaged.served.notReady(), undefined);
  });
});

describe('web pages', () => {
  test('of other origins, and of names that were bound to this machine, cannot connect', async () => {
    assert.equal(await opened({}), 'open', 'programs');
    const { host } = new URL(node.served.socketUrl);
    assert.equal(await opened({ origin: `http://${host}` }), 'open', 'pages of the node');
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', `https://${host}.evil.test`])
      assert.equal(await opened({ origin }), '403', origin);
    assert.equal(await opened({ host: 'evil.test', origin: 'http://evil.test' }), '421');
  });
});
