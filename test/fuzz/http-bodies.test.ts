/**
 * Spoiled requests to every route of a running node, a hundred thousand in the whole campaign, and connections that do not
 * even speak HTTP: each is answered in time and never with a defect of ours, the node keeps no memory of them, and
 * it makes blocks as before.
 *
 * SYMBOLON_FUZZ_SEED repeats a seed, SYMBOLON_FUZZ_COUNT changes how many requests there are.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditFolder } from '../crash/audit.ts';
import { NodeProcess } from '../crash/node-process.ts';
import { chooseSeed, createRandom, type Random } from '../crash/seeded-random.ts';
import { Witness } from '../crash/witness.ts';
import { campaignSize } from '../support/campaign.ts';
import { ask, at, post } from '../support/http.ts';
import { type Person, person, richest } from '../support/people.ts';
import { hashOf, makeChain, operations, type SignedItem, signTransaction } from '../support/running-node.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { KeepAlive, shout } from './keep-alive.ts';
import { goodRequest, routeNames } from './request-corpus.ts';
import { brokenHttp, spoiledRequest } from './request-mutations.ts';

const count = campaignSize('SYMBOLON_FUZZ_COUNT', { usual: 15_000, whole: 100_000 });
const brokenCount = Math.ceil(count / 30);
const connections = 12;
const problemsMax = 10;
/** What may stay in use after everything was answered: caches that are bounded, a queue that is bounded. */
const keptBytesMax = 96 * 1024 * 1024;

/** Routes that carry a body have more to spoil. */
const weightedRoutes = routeNames.flatMap((name) =>
  /submit|test|Blob|multi|call/.test(name) ? Array.from({ length: 4 }, () => name) : [name],
);

const senders = Array.from({ length: 20 }, (_, index) => person(`http sender ${index}`));

class Chain {
  readonly #url: string;
  readonly #nonces = new Map<Person, number>();
  #executed: SignedItem | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async prepare(): Promise<void> {
    const births = senders.map(({ address }) => operations.createAccount(address, 10n ** 14n));
    this.#executed = await this.execute(births);
  }

  /** A block must come of it, whatever happened before. */
  async execute(wanted: ReturnType<typeof operations.payCoin>[]): Promise<SignedItem> {
    const base = await ask(this.#url, 'getAccountBase', { address: richest.address });
    const nonce = Number(at(base, 'result', 'nonce') ?? 0) + 1;
    const terms = { source_address: richest.address, nonce, fee_limit: 10_000_000, gas_price: 1 };
    const item = signTransaction({ ...terms, operations: wanted }, [richest]);
    const reply = await post(this.#url, 'submitTransaction', { items: [item] });
    assert.equal(reply.error_code, 0, JSON.stringify(reply));
    const witness = new Witness();
    await until('a block', () => witness.sees(this.#url, hashOf(item)));
    return item;
  }

  facts(random: Random) {
    const sender = random.pick(senders);
    return { sender, executed: this.#executed as SignedItem, nonce: (this.#nonces.get(sender) ?? 0) + 1 };
  }

  /** Learns how far one of the senders has come: without that, nothing it sends would be executed. */
  async learn(sender: Person): Promise<void> {
    const base = await ask(this.#url, 'getAccountBase', { address: sender.address });
    this.#nonces.set(sender, Number(at(base, 'result', 'nonce') ?? 0));
  }
}

/** What is wrong with an answer; undefined when nothing is. */
function answerProblem({ status, body }: { status: number; body: string }): string | undefined {
  if (!(status >= 200 && status < 500)) return `status ${status}`;
  // A query inside a batch fails alone, inside of a good answer.
  return /"error_code":1[,}]/.test(body) ? 'an internal error inside of the answer' : undefined;
}

test(`${count} spoiled requests`, async (context) => {
  const seed = chooseSeed('SYMBOLON_FUZZ_SEED');
  context.diagnostic(`SYMBOLON_FUZZ_SEED=${seed}`);
  const folder = tempFolder(context);
  await makeChain(folder);
  const node = new NodeProcess(context, { flags: ['--expose-gc'] });
  const { httpUrl } = await node.mustStart({ folder, config: { blockIntervalMs: 20 } });
  const port = Number(new URL(httpUrl).port);
  const chain = new Chain(httpUrl);
  await chain.prepare();

  const problems: string[] = [];
  const statuses = new Map<number, number>();
  const complain = (what: string, bytes: Uint8Array) => {
    problems.push(`${what}\n${Buffer.from(bytes).toString('latin1').slice(0, 3_000)}`);
  };

  const askForever = async (lane: number, requests: number): Promise<void> => {
    const random = createRandom(seed + lane);
    const connection = new KeepAlive(port);
    for (let done = 0; done < requests && problems.length < problemsMax; done++) {
      const facts = chain.facts(random);
      const { bytes, hasBody } = spoiledRequest(goodRequest(random.pick(weightedRoutes), facts), random);
      try {
        const answer = await connection.ask(bytes, { hasBody });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const problem = answerProblem(answer);
        if (problem) complain(`${problem}: ${answer.body.slice(0, 500)}`, bytes);
      } catch (error) {
        complain((error as Error).message, bytes);
      }
      if (done % 25 === 0) await chain.learn(facts.sender);
    }
    connection.close();
  };

  const breakForever = async (requests: number): Promise<void> => {
    const random = createRandom(seed - 1);
    for (let done = 0; done < requests && problems.length < problemsMax; done++) {
      const bytes = brokenHttp(goodRequest(random.pick(weightedRoutes), chain.facts(random)), random);
      try {
        const answer = await shout(port, bytes);
        if (/^HTTP\/1\.1 5/m.test(answer)) complain(`answered with ${answer.slice(0, 500)}`, bytes);
      } catch (error) {
        complain((error as Error).message, bytes);
      }
    }
  };

  // The first requests fill caches and compile code; what grows after them is what counts.
  await Promise.all(Array.from({ length: connections }, (_, lane) => askForever(lane, 100)));
  const before = await node.heapBytes();
  const share = Math.ceil((count - connections * 100) / connections);
  const lanes = Array.from({ length: connections }, (_, lane) => askForever(connections + lane, share));
  await Promise.all([...lanes, breakForever(brokenCount)]);
  for (const [status, times] of [...statuses].sort()) context.diagnostic(`status ${status}: ${times}`);
  assert.equal(problems.join('\n\n'), '', `with SYMBOLON_FUZZ_SEED=${seed}: ${node.errors}`);

  assert.equal(node.failure, undefined);
  await chain.execute([operations.payCoin(person('http sender 0').address, 1)]);
  const kept = (await node.heapBytes()) - before;
  context.diagnostic(`${Math.round(kept / 1024)} KiB more in use than before`);
  assert.ok(kept < keptBytesMax, `${kept} bytes more in use than before`);
  await node.kill();
  const { head, records } = await auditFolder(folder, new Map());
  context.diagnostic(`${head} blocks, ${records.size} transactions executed on the way`);
});
