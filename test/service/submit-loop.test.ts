/**
 * Submits of every kind, each in the middle of a fault: the ledger stalls, or node and service are killed. Whoever sends
 * the same request again and again is never told that what is on the ledger is unknown or forbidden, succeeds soon after
 * the fault is over, and in the end store and ledger agree: nothing lost, nothing doubled. SYMBOLON_LOOP_COUNT=100 for
 * the long form; SYMBOLON_LOOP_SEED repeats the random choices.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@symbolon/wire/json/json';
import { chooseSeed, createRandom } from '../crash/seeded-random.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { getService, postService } from '../support/service-http.ts';
import {
  createSteps,
  ok,
  paths,
  revokeBody,
  signedBlobBody,
  submitBody,
  templateBody,
} from '../support/service-steps.ts';
import { peopleOf, plainPost } from '../support/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { CrashProcess } from './crash-process.ts';

const rounds = Number(process.env.SYMBOLON_LOOP_COUNT ?? 6);
const seed = chooseSeed('SYMBOLON_LOOP_SEED');
const promptMs = 3_000;
const owner = ownerOfSuite();
const [folder, compiled] = [tempFolder(owner), tempFolder(owner)];
const random = createRandom(seed);

let running: CrashProcess;
let url: string;
let site: ReturnType<typeof peopleOf> & { steps: ReturnType<typeof createSteps> };
let templateId: string;

async function startAgain(): Promise<void> {
  running = new CrashProcess(owner, compiled);
  const up = await running.start({ folder, canStall: true });
  assert.ok(up, 'the service starts');
  url = up.url;
  site = { ...peopleOf(up.demo), steps: createSteps(plainPost(url)) };
}

before(async () => {
  await startAgain();
  const registered = await site.steps.registerTemplate(site.issuer, { templateName: 'Loop card' });
  templateId = registered.templateId as string;
});

interface Submit {
  readonly path: string;
  readonly body: JsonObject;
  isDone(): Promise<boolean>;
}

const kinds = ['template', 'revoke', 'suspend', 'reinstate', 'credential'] as const;

async function prepare(kind: (typeof kinds)[number], round: number): Promise<Submit> {
  const { issuer, steps } = site;
  if (kind === 'template') {
    const templateName = `Loop card ${round} of many`;
    const blob = ok(await steps.post(paths.templateBlob, templateBody(issuer, { templateName }), issuer));
    const find = `/cred/tds/templates?q=${encodeURIComponent(templateName)}`;
    const isDone = async () => (ok(await getService(url, find)).templates as unknown[]).length === 1;
    return { path: paths.templateSubmit, body: signedBlobBody(issuer, blob), isDone };
  }
  const holder = person(`loop ${round}`);
  const vcId = await steps.apply(holder, templateId);
  const created = await steps.create(issuer, vcId, templateId);
  const statusIs = (word: string) => async () => {
    const answer = await getService(url, `/cred/v1/vc/status?vcId=${vcId}`);
    return answer.body.status === word;
  };
  const submission = {
    path: paths.submit,
    body: submitBody(issuer, vcId, created),
    isDone: statusIs('Active'),
  };
  if (kind === 'credential') return submission;
  ok(await postService(url, submission.path, submission.body));
  const change = async (name: string) => {
    const blob = ok(await postService(url, `/cred/v1/vc/${name}/create-blob`, revokeBody(issuer, vcId)));
    return { path: `/cred/v1/vc/${name}/submit`, body: signedBlobBody(issuer, blob) };
  };
  if (kind === 'reinstate') {
    const { path, body } = await change('suspend');
    ok(await postService(url, path, body));
  }
  const words = { revoke: 'Revoked', suspend: 'Suspended', reinstate: 'Active' } as const;
  return { ...(await change(kind)), isDone: statusIs(words[kind]) };
}

/** What a client may be told of a request that it sends again after it was not answered. */
const acceptable: readonly unknown[] = [200, 'ledgerUnconfirmed', 'overloaded', 'noAnswer'];

async function send({ path, body }: Submit): Promise<unknown> {
  try {
    const answer = await postService(url, path, body);
    return answer.status === 200 ? 200 : answer.body.code;
  } catch {
    return 'noAnswer';
  }
}

const faults = {
  async kill() {
    await running.kill();
    await startAgain();
  },
  stall: () => running.stall(100 + random.below(2_500)),
  async 'kill in a stall'() {
    running.stall(60_000).catch(() => undefined);
    await sleep(random.below(300));
    await running.kill();
    await startAgain();
  },
} as const;
const faultNames = ['stall', 'stall', 'kill', 'kill in a stall'] as const;

test(`${rounds} submits in the middle of faults (seed ${seed})`, async (context) => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const kind = kinds[round % kinds.length] as (typeof kinds)[number];
    const fault = random.pick(faultNames);
    const submit = await prepare(kind, round);
    const first = send(submit);
    await sleep(random.below(120));
    await faults[fault]();
    const over = performance.now();
    const told = [await first];
    while (told.at(-1) !== 200) {
      told.push(await send(submit));
      assert.ok(acceptable.includes(told.at(-1)), `round ${round}, ${kind}, ${fault}: told ${told}`);
      // A process that has just begun on a busy machine takes its time for the first of everything.
      assert.ok(performance.now() - over < 10 * promptMs, `round ${round}, ${kind}, ${fault}: told ${told}`);
    }
    times.push(performance.now() - over);
    assert.ok(await submit.isDone(), `round ${round}, ${kind}, ${fault}: it is not done`);
  }
  assert.deepEqual(await running.audit(), [], 'store and ledger agree');
  times.sort((left, right) => left - right);
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  context.diagnostic(`answered after the fault was over: median ${at(0.5)} ms, longest ${at(1)} ms`);
  assert.ok(at(0.5) < promptMs, `half of them took ${at(0.5)} ms`);
  await running.kill();
});
