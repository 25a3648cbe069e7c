/**
 * A service that is told of several nodes: one that is behind or of another chain is never believed, one that goes away
 * or hangs is left, and issuing goes on.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createLedgerNodes } from '@symbolon/credential-service/ledger/ledger-nodes';
import { changingLedger } from '../support/changing-ledger.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningNode, serveFolder, startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService } from '../support/service-http.ts';
import { registerCard, worldOf } from '../support/service-world.ts';
import { type StallingWay, stallingWay } from '../support/stalling-way.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);

describe('several nodes of one ledger', () => {
  let node: RunningNode;
  let stale: string;
  let foreign: string;
  let folder: string;
  let templateId: string;
  let vcId: string;

  before(async () => {
    const ledger = await changingLedger(owner);
    const first = await startService(owner, { node: ledger.node(), client: ledger.client, proofs });
    folder = first.folder;
    const world = worldOf(first);
    templateId = await registerCard(world, 'Many nodes card');
    await first.close();
    const copy = await ledger.copy();
    const { served } = await serveFolder(copy);
    owner.after(() => served.close());
    stale = served.httpUrl;
    foreign = (await startNode(owner, { genesis: { chain_id: 77 } }).catch(() => startNode(owner))).url;
    node = ledger.node();
    const again = await startService(owner, { node, client: ledger.client, proofs, folder });
    const { steps, issuer, holder } = worldOf(again);
    ({ vcId } = await steps.issue({ issuer, holder }, templateId));
    await steps.revoke(issuer, vcId);
    await again.close();
  });

  /** A service on these nodes, until its work is done. */
  async function withNodes(
    urls: readonly string[],
    work: (service: RunningService, moves: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const moves: string[] = [];
    const nodes = createLedgerNodes(urls, { onMove: (url) => moves.push(url), answerMs: 1_000 });
    const service = await startService(owner, { node, nodes, proofs, folder });
    try {
      await work(service, moves);
    } finally {
      await service.close();
    }
  }

  const issue = async (service: RunningService, name: string): Promise<void> => {
    const { steps, issuer } = worldOf(service);
    await steps.issue({ issuer, holder: person(name) }, templateId);
  };

  test('one that is behind and one of another chain are passed by', async () => {
    await withNodes([stale, foreign, node.url], async (service, moves) => {
      assert.equal(moves.at(-1), node.url);
      for (let turn = 0; turn < 5; turn++) {
        const { status, body } = await getService(service.url, `/cred/v1/vc/status?vcId=${vcId}`);
        assert.deepEqual([status, body.status], [200, 'Revoked']);
      }
      await issue(service, 'passed by');
      assert.equal(await service.served.notReady(), undefined);
    });
  });

  test('where none is right nothing is believed', async (context) => {
    const way = await stallingWay(context, node.url);
    await withNodes([way.url, stale, foreign], async (service) => {
      way.stall();
      const said = new Set<string>();
      for (let turn = 0; turn < 6; turn++) {
        const { status, body } = await getService(service.url, `/cred/v1/vc/status?vcId=${vcId}`);
        said.add(`${status} ${body.status === 'Revoked' ? 'Revoked' : body.code}`);
      }
      const isRight = (one: string) => one === '200 Revoked' || one.startsWith('503 ');
      assert.deepEqual(
        [...said].filter((one) => !isRight(one)),
        [],
      );
      await until('it says so', async () => (await service.served.notReady()) !== undefined);
      way.flow();
      await until(
        'it finds the right one again',
        async () => (await service.served.notReady()) === undefined,
      );
    });
  });

  test('one that goes away or hangs is left, and what is under way goes on', async (context) => {
    const ways: StallingWay[] = [await stallingWay(context, node.url), await stallingWay(context, node.url)];
    const [first, second] = ways as [StallingWay, StallingWay];
    await withNodes([first.url, second.url], async (service, moves) => {
      await issue(service, 'before');
      const working = [1, 2, 3].map((count) => issue(service, `meanwhile ${count}`));
      first.stall();
      await Promise.all(working);
      await issue(service, 'after');
      assert.ok(moves.includes(second.url));
      first.flow();
      second.stall();
      await issue(service, 'back');
      assert.equal(moves.at(-1), first.url);
      second.flow();
    });
  });
});
