/**
 * Three processes of a service on one PostgreSQL behind a balancer, on one ledger: while credentials are issued and sold,
 * processes are killed at random, the database dies and comes back, and all processes are restarted one after the other.
 * Every request succeeds or can be sent again at once; in the end every credential stands once in the store and on the
 * ledger, every payment was made once, and a restart in order has lost no request.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { directClient } from '@symbolon/cli/servers/start-node';
import { submitLimits } from '@symbolon/core/limits/waiting';
import { signPayment } from '@symbolon/sdk/flows/payment-scheme';
import { type LedgerClient, signerFromSeed } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { campaignSize } from '../support/campaign.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { familyPayment, headerOf, paidBody, payPaths, sell } from '../support/payment-world.ts';
import { person } from '../support/people.ts';
import { type RunningPostgres, startPostgres } from '../support/postgres.ts';
import { type Replicas, startReplicas } from '../support/replicas.ts';
import { type RunningNode, startNode } from '../support/running-node.ts';
import { type ServiceOrder, shareProofs, startService } from '../support/running-service.ts';
import { type SafeBalancer, startSafeBalancer } from '../support/safe-balancer.ts';
import { type Posting, postService, type ServiceAnswer } from '../support/service-http.ts';
import { applyBody, createBody, type Issuer, paths, submitBody } from '../support/service-steps.ts';
import { fund, registerCard, worldOf } from '../support/service-world.ts';
import { until } from '../support/until.ts';
import { auditService } from './crash-audit.ts';

const issuances = campaignSize('SYMBOLON_REPLICA_ISSUANCES', { usual: 24, whole: 1_000 });
const payments = campaignSize('SYMBOLON_REPLICA_PAYMENTS', { usual: 6, whole: 200 });
const kills = campaignSize('SYMBOLON_REPLICA_KILLS', { usual: 1, whole: 6 });
const processes = 3;
const clientsAtOnce = 8;
const price = 250_000n;
const repeatMs = 50;
/** Not lost, but not done yet: said of whatever takes longer than a caller waits, on a busy machine for one. */
const underWay: readonly unknown[] = ['requestInProgress', 'ledgerUnconfirmed', 'settlementUnknown'];
/** Whoever hears that earlier has not been waited for: then it is the restart that has cost the answer. */
const wholeWaitMs = 0.95 * submitLimits.waitMs;
/** No request has to be sent again for longer. */
const patienceMs = 120_000;
const manyPerMinute = '1000000';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);

type Phase = 'quiet' | 'kill' | 'database' | 'rolling';

describe('three processes behind a balancer', () => {
  let node: RunningNode;
  let postgres: RunningPostgres;
  let replicas: Replicas;
  let balancer: SafeBalancer;
  let ledger: LedgerClient;
  let issuer: Issuer;
  let order: ServiceOrder;
  let templateId: string;
  let soldId: string;
  let phase: Phase = 'quiet';
  /** What did not succeed at once, by when it was and what was answered. */
  const failed: Record<string, number> = {};
  /** What was told while processes were restarted in order, and was not waited for. */
  const lost: string[] = [];
  const differing: string[] = [];
  const vcIds = new Set<string>();
  let done = 0;
  /** Whether something failed that must not, so that nobody waits for more to be done. */
  let hasFailed = false;

  before(async () => {
    node = await startNode(owner);
    postgres = await startPostgres(owner, { isDurable: true });
    ledger = directClient(node.served.node, (name) => assert.fail(name));
    const masterKey = randomBytes(32).toString('hex');
    order = { node, proofs, database: postgres.url, config: { masterKey: { value: masterKey } } };
    const first = await startService(owner, order);
    order = { ...order, folder: first.folder };
    const world = worldOf(first);
    issuer = world.issuer;
    templateId = await registerCard(world, 'Replicated card');
    soldId = await sell(
      { ...world, privateKey: first.demo.issuer.privateKey },
      { templateName: 'Replicated pass', price: { amount: price.toString() } },
    );
    await first.close();
    replicas = await startReplicas(owner, processes, {
      SYMBOLON_DATABASE: postgres.url,
      SYMBOLON_MASTER_KEY_VALUE: masterKey,
      SYMBOLON_NODE_URL: node.url,
      SYMBOLON_DRAIN_SECONDS: '3',
      SYMBOLON_PROOF_WORKERS: '1',
      SYMBOLON_CONSOLE_FOLDER: '',
      SYMBOLON_RATES_LIGHT_PER_MINUTE: manyPerMinute,
      SYMBOLON_RATES_HEAVY_PER_MINUTE: manyPerMinute,
      SYMBOLON_RATES_PROOF_UNITS_PER_MINUTE: manyPerMinute,
      SYMBOLON_RATES_PROOF_UNITS_PER_MINUTE_WITH_KEY: manyPerMinute,
    });
    balancer = await startSafeBalancer(owner, replicas.urls);
    await allReady();
  });

  /** Sends until it succeeds: what may be sent again at once is, and anything else is a failure of the test. */
  async function ask(
    path: string,
    body: JsonObject,
    posting: Posting = {},
    wanted = 200,
  ): Promise<ServiceAnswer> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const phaseThen = phase;
      const askedAt = performance.now();
      const answer = await postService(balancer.url, path, body, posting);
      if (answer.status === wanted) return answer;
      const { status, body: problem } = answer;
      const what = `${phaseThen}: ${path} ${status} ${problem.code ?? problem.status}`;
      failed[what] = (failed[what] ?? 0) + 1;
      const tookMs = performance.now() - askedAt;
      const isSlow = underWay.includes(problem.code) && tookMs >= wholeWaitMs;
      if (phaseThen === 'rolling' && !isSlow) lost.push(`${what} after ${tookMs.toFixed()} ms`);
      const isRepeatable = [502, 503].includes(status) || underWay.includes(problem.code);
      assert.ok(isRepeatable && performance.now() < until, `${what} ${answer.text}`);
      await sleep(repeatMs);
    }
  }

  /** The same once more: the same answer, or that it is done. */
  async function again(
    path: string,
    body: JsonObject,
    posting: Posting,
    first: ServiceAnswer,
  ): Promise<void> {
    const second = await ask(path, body, posting);
    if (second.text !== first.text) differing.push(`${path}: ${first.text} ${second.text}`);
  }

  async function issue(name: string): Promise<void> {
    const once = (): Posting => ({ headers: { 'idempotency-key': randomUUID() } });
    const [applying, submitting] = [once(), once()];
    const application = applyBody(person(name), templateId);
    const applied = await ask(paths.apply, application, applying);
    const vcId = applied.body.vcId as string;
    const { apiKey } = issuer;
    const created = await ask(paths.create, createBody(vcId, templateId), { apiKey });
    const submission = submitBody(issuer, vcId, created.body);
    const submitted = await ask(paths.submit, submission, submitting);
    await again(paths.apply, application, applying, applied);
    await again(paths.submit, submission, submitting, submitted);
    vcIds.add(vcId);
    done += 1;
  }

  async function buy(name: string): Promise<void> {
    const holder = person(name);
    const body = paidBody(holder, soldId);
    const asked = await ask(payPaths.apply, body, {}, 402);
    const [demand] = asked.body.accepts as [JsonObject];
    const payload = await signPayment(demand as unknown as Parameters<typeof signPayment>[0], {
      client: ledger,
      signer: await signerFromSeed(holder.seed),
      amountsMax: { ZTX: price },
      validSeconds: 3_600,
    });
    const headers = { 'x-payment': headerOf(familyPayment(payload as unknown as JsonObject)) };
    const paid = await ask(payPaths.apply, body, { headers });
    await again(payPaths.apply, body, { headers }, paid);
    vcIds.add((paid.body.data as JsonObject).vcId as string);
    done += 1;
  }

  const balanceOf = async (address: string): Promise<bigint> =>
    BigInt((await ledger.getAccountBase({ address })).result?.balance ?? 0);

  const allReady = (): Promise<unknown> => until('all are ready', () => balancer.ready() === processes);

  /** Resolves once this part of all work is done. */
  const reached = (part: number): Promise<unknown> =>
    (async () => {
      while (done < part * (issuances + payments) && !hasFailed) await sleep(20);
    })();

  async function disturb(): Promise<void> {
    for (let count = 0; count < kills; count++) {
      await reached(0.05 + (0.4 * count) / kills);
      phase = 'kill';
      await replicas.killAndReplace(randomInt(processes));
    }
    await reached(0.5);
    phase = 'database';
    await postgres.restart();
    await allReady();
    await reached(0.65);
    phase = 'rolling';
    for (let place = 0; place < processes; place++) {
      await replicas.restart(place);
      await allReady();
    }
    phase = 'quiet';
  }

  /** Database and ledger agree, row by row, and hold exactly what callers were told of and have paid for. */
  async function assertNothingIsDoubled(
    buyers: readonly { readonly address: string }[],
    before: bigint,
  ): Promise<void> {
    const auditor = await startService(owner, order);
    const { parts } = auditor.served;
    let wrong: readonly string[] = [];
    await until('nothing is under way any more', async () => {
      wrong = await auditService(parts, ledger);
      return wrong.length === 0;
    }).catch(() => assert.deepEqual(wrong, []));
    const kept = await parts.database.kysely.selectFrom('credentials').select('vcId').execute();
    assert.deepEqual(
      kept.map(({ vcId }) => vcId).sort(),
      [...vcIds].sort(),
      'no credential that nobody was told of',
    );
    const paid = await parts.database.kysely
      .selectFrom('payments')
      .select('vcId')
      .where('state', '=', 'issued')
      .execute();
    assert.equal(paid.length, payments, 'every payment has brought one credential');
    assert.equal(
      await balanceOf(issuer.address),
      before + BigInt(payments) * price,
      'each was paid for once',
    );
    for (const { address } of buyers) {
      const { result } = await ledger.getAccountBase({ address });
      assert.equal(Number(result?.nonce), 1, 'one transaction of each buyer');
    }
  }

  test(`${issuances} issued and ${payments} sold, whatever dies meanwhile`, async (context) => {
    const buyers = Array.from({ length: payments }, (_, index) => person(`replica buyer ${index}`));
    for (let from = 0; from < buyers.length; from += 50)
      await fund(ledger, buyers.slice(from, from + 50), 1_000_000_000n);
    const before = await balanceOf(issuer.address);
    const work = [
      ...Array.from({ length: issuances }, (_, index) => () => issue(`replica holder ${index}`)),
      ...Array.from({ length: payments }, (_, index) => () => buy(`replica buyer ${index}`)),
    ];
    // Bought ones among the others, always in the same order.
    const mixed = work.map((one, index) => ({ one, at: (index * 7919) % work.length }));
    mixed.sort((left, right) => left.at - right.at);
    let isDisturbed = true;
    const disturbing = disturb().finally(() => {
      isDisturbed = false;
    });
    /** Goes on with more of the same until the last process was restarted: there must be somebody to lose a request. */
    const client = async (): Promise<void> => {
      for (;;) {
        const next = mixed.shift();
        if (next) await next.one();
        else if (isDisturbed) await issue(`replica holder beyond ${done} ${randomUUID()}`);
        else return;
      }
    };
    const begun = performance.now();
    await Promise.all(Array.from({ length: clientsAtOnce }, client)).catch((error: unknown) => {
      hasFailed = true;
      throw error;
    });
    const seconds = (performance.now() - begun) / 1_000;
    await disturbing;
    context.diagnostic(
      `${done}, ${(done / seconds).toFixed(1)} a second; not at once: ${JSON.stringify(failed)}`,
    );
    assert.deepEqual(differing, [], 'what was done is told again as it was');
    assert.ok(done >= issuances + payments);
    assert.equal(vcIds.size, done, 'every one has a number of its own');
    await assertNothingIsDoubled(buyers, before);
    // Last, so that it is known by then whether anything was lost for good.
    assert.deepEqual(lost, [], `a restart in order loses no request; not at once: ${JSON.stringify(failed)}`);
  });
});
