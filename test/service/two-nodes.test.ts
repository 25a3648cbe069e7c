/**
 * Two nodes behind one address, one of them on an older copy of the chain: whichever answers which request, nothing
 * that the service has revoked is told as good, and nothing that it has recorded as unknown. With two services on one
 * database, of which one revokes and both are asked.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { changingLedger } from '../support/changing-ledger.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startPostgres } from '../support/postgres.ts';
import { serveFolder } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, outcomeOf, postService, type ServiceAnswer } from '../support/service-http.ts';
import { paths } from '../support/service-steps.ts';
import { registerCard, worldOf } from '../support/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const named = { challenge: 'c', domain: 'd' };

interface Shown {
  readonly vcId: string;
  readonly vp: JsonObject;
}

/** What was answered, and how often. */
type Tally = Record<string, number>;

const truths = [
  'revoked is verified: false',
  'revoked has the status: Revoked',
  'late is verified: true',
  'late has the status: Active',
];

describe('two nodes behind one address, one of them behind', () => {
  let balancer: Balancer;
  let services: readonly RunningService[];
  let shown: Readonly<Record<'revoked' | 'late', Shown>>;

  before(async () => {
    const ledger = await changingLedger(owner);
    const { url: database } = await startPostgres(owner);
    const first = await startService(owner, { node: ledger.node(), client: ledger.client, database, proofs });
    const before = worldOf(first);
    const templateId = await registerCard(before, 'Balanced card');
    const revoked = await before.steps.issue(before, templateId);
    await first.close();

    const copy = await ledger.copy();
    const { served: stale } = await serveFolder(copy);
    owner.after(() => stale.close());
    const node = ledger.node();
    balancer = await startBalancer(owner, [node.url, stale.httpUrl]);
    const client = createLedgerClient(httpTransport(balancer.url));
    const folder = tempFolder(owner);
    cpSync(first.folder, folder, { recursive: true });
    const order = { node, client, database, proofs };
    services = [
      await startService(owner, { ...order, folder: first.folder }),
      await startService(owner, { ...order, folder }),
    ];
    const { steps, issuer, holder } = worldOf(services[0]);
    const late = await steps.issue({ issuer, holder }, templateId);
    const show = async ({ vcId, vc }: { vcId: string; vc: JsonObject }): Promise<Shown> => ({
      vcId,
      vp: await steps.present(holder, { vc, ...named }),
    });
    shown = { revoked: await show(revoked), late: await show(late) };
    await steps.revoke(issuer, revoked.vcId);
  });

  /** Asks both services about both credentials, over and over. */
  async function tally(ms: number): Promise<Tally> {
    const counts: Tally = {};
    const count = (what: string, answer: ServiceAnswer, word: unknown): void => {
      const key = `${what}: ${answer.status === 200 ? word : outcomeOf(answer)}`;
      counts[key] = (counts[key] ?? 0) + 1;
    };
    const end = performance.now() + ms;
    const askOn = async ({ url }: RunningService): Promise<void> => {
      while (performance.now() < end)
        for (const [name, { vcId, vp }] of Object.entries(shown)) {
          const verdict = await postService(url, paths.verify, { vp, ...named });
          count(`${name} is verified`, verdict, verdict.body.verified);
          const status = await getService(url, `/cred/v1/vc/status?vcId=${vcId}`);
          count(`${name} has the status`, status, status.body.status);
        }
    };
    await Promise.all(services.map(askOn));
    return counts;
  }

  async function assertTruthOrNothing(counts: Tally): Promise<void> {
    const isWrong = (said: string) => !truths.includes(said) && !said.endsWith(': 503 ledgerChanged');
    assert.deepEqual(Object.keys(counts).filter(isWrong), [], JSON.stringify(counts));
    for (const truth of truths) assert.ok((counts[truth] ?? 0) > 0, `${truth}: ${JSON.stringify(counts)}`);
    balancer.choose(0);
    for (const { served } of services)
      await until('it is well', async () => (await served.notReady()) === undefined);
  }

  for (const choice of ['requests', 'connections'] as const)
    test(`one after the other by ${choice}: the truth is told, or nothing`, async (context) => {
      balancer.choose(choice);
      const counts = await tally(4_000);
      context.diagnostic(JSON.stringify(counts));
      await assertTruthOrNothing(counts);
    });

  test('short visits to the one that is behind: the truth is told, or nothing', async (context) => {
    const visits = new AbortController();
    const visiting = (async () => {
      while (!visits.signal.aborted) {
        balancer.choose(1);
        await sleep(20);
        balancer.choose(0);
        await sleep(150);
      }
    })();
    const counts = await tally(4_000);
    visits.abort();
    await visiting;
    context.diagnostic(JSON.stringify(counts));
    await assertTruthOrNothing(counts);
  });
});
