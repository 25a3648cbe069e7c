/** Events of a running node through the SDK, with the platform's own WebSocket: what is told, cut off, bounded. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { before, describe, type TestContext, test } from 'node:test';
import { type LedgerEvent, watchLedger } from '@symbolon/sdk';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { operations, type RunningNode, startNode } from '../support/running-node.ts';

const owner = ownerOfSuite();
const { payCoin } = operations;
const bob = person('bob');
const carol = person('carol');
let node: RunningNode;

before(async () => {
  node = await startNode(owner);
});

const pay = (to: string) => node.execute({ operations: [payCoin(to, 10n ** 8n)] });

/** A way to the node that can be cut. */
async function cuttable(context: TestContext) {
  const { port, hostname } = new URL(node.served.socketUrl);
  const open = new Set<net.Socket>();
  let isRefusing = false;
  const server = net.createServer((inside) => {
    if (isRefusing) return inside.destroy();
    const outside = net.connect(Number(port), hostname);
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      open.add(from);
      from.pipe(to).on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  context.after(() => {
    cut();
    server.close();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    refuse: () => {
      isRefusing = true;
      cut();
    },
  };
}

/** Takes events until one is enough; what `begin` does happens once the first of them can arrive. */
async function take(
  events: AsyncIterable<LedgerEvent>,
  isEnough: (event: LedgerEvent) => boolean,
): Promise<LedgerEvent[]> {
  const taken: LedgerEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (isEnough(event)) break;
  }
  return taken;
}

/** Pays again and again, so that whoever has subscribed meanwhile hears of it. */
function payOften(context: TestContext, to: string): void {
  const timer = setInterval(() => void pay(to).catch(() => undefined), 400);
  context.after(() => clearInterval(timer));
}

describe('the events of a ledger', () => {
  test('are blocks, submissions and transactions', async (context) => {
    const events = watchLedger(node.served.socketUrl);
    payOften(context, bob.address);
    const taken = await take(events, ({ kind }) => kind === 'transaction');
    const told = taken.at(-1);
    assert.ok(told?.kind === 'transaction');
    assert.equal(told.code, 0);
    assert.equal(told.transaction.sourceAddress, richest.address);
    assert.match(told.hash, /^[0-9a-f]{64}$/);
    const block = taken.find((event) => event.kind === 'block');
    assert.equal(block?.seq, told.ledgerSeq);
    assert.equal(block?.closeTimeMicros, told.closeTimeMicros);
  });

  test('are those of the addresses that are asked for', async (context) => {
    const events = watchLedger(node.served.socketUrl, { addresses: [carol.address] });
    payOften(context, bob.address);
    const timer = setInterval(() => void pay(carol.address).catch(() => undefined), 1_100);
    context.after(() => clearInterval(timer));
    const taken = await take(events, ({ kind }) => kind === 'transaction');
    const [told, ...others] = taken.filter((event) => event.kind === 'transaction');
    assert.equal(others.length, 0);
    assert.equal(told?.transaction.operations[0]?.payCoin?.destAddress, carol.address);
  });

  test('go on after a cut, which is told as a gap', async (context) => {
    const way = await cuttable(context);
    payOften(context, bob.address);
    let cuts = 0;
    const taken = await take(watchLedger(way.url), ({ kind }) => {
      if (kind === 'block' && cuts === 0) {
        cuts += 1;
        way.cut();
      }
      return kind === 'gap';
    });
    assert.equal(taken.at(-1)?.kind, 'gap');
  });

  test('end with the signal, and with who stops to read', async (context) => {
    const controller = new AbortController();
    const reading = take(watchLedger(node.served.socketUrl, { signal: controller.signal }), () => false);
    setTimeout(() => controller.abort(new Error('enough')), 300);
    await assert.rejects(reading, /enough/);
    payOften(context, bob.address);
    await take(watchLedger(node.served.socketUrl), () => true);
  });

  test('do not pile up for a reader who does nothing', async (context) => {
    const events = watchLedger(node.served.socketUrl, { eventsWaitingMax: 2 });
    payOften(context, bob.address);
    await events.next();
    await pay(bob.address);
    await pay(bob.address);
    await pay(bob.address);
    await assert.rejects(
      take(events, () => false),
      { code: 'fellBehind' },
    );
  });

  test('are refused for what is no address, and where no node is', async (context) => {
    const rejects = (url: string, expected: object, addresses?: string[]) =>
      assert.rejects(
        take(watchLedger(url, { addresses }), () => false),
        expected,
      );
    await rejects('http://127.0.0.1:1', { code: 'invalidArgument' });
    await rejects('ws://user:pin@127.0.0.1:1', { code: 'invalidArgument' });
    await rejects('ws://127.0.0.1:1', { code: 'unreachable' });
    await rejects(node.served.socketUrl, { code: 2, hint: /./ }, ['nobody']);
    const way = await cuttable(context);
    way.refuse();
    await rejects(way.url, { code: 'unreachable' });
  });
});
