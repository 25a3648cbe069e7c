/**
 * The ledger stalls in the middle of each kind of submit: the same request may be repeated all the while, is told what
 * is true, and succeeds as soon as the ledger is back; what nobody repeats is finished all the same. Stalls of other
 * lengths, with the limits that hold outside of tests: SYMBOLON_STALL_SECONDS=1,40,120.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import {
  getService,
  outcomeOf,
  postService,
  type SealTarget,
  type ServiceAnswer,
  sealTargetOf,
} from '../support/service-http.ts';
import {
  createSteps,
  ok,
  type Post,
  paths,
  revokeBody,
  sealedPath,
  signedBlobBody,
  submitBody,
  templateBody,
} from '../support/service-steps.ts';
import { registerCard, type World, worldOf } from '../support/service-world.ts';
import { type StallingWay, stallingWay } from '../support/stalling-way.ts';
import { until } from '../support/until.ts';

const given = process.env.SYMBOLON_STALL_SECONDS;
const stalls = (given ?? '1').split(',').map(Number);
/** Short, so that a short stall is longer than anybody waits; told stalls meet the real one. */
const submitWaitMs = given === undefined ? { submitWaitMs: 300 } : {};
/** A service that counted its waits in minutes would be over it on any machine. */
const promptMs = 15_000;

const owner = ownerOfSuite();
let way: StallingWay;
let service: RunningService;
let world: World;
let seal: SealTarget;
let templateId: string;
/** The place in a submit at which the ledger stalls next, and who is told that it did. */
let next: { readonly at: string; stalled(): void } | undefined;

before(async () => {
  const node = await startNode(owner);
  way = await stallingWay(owner, node.url);
  const crashPoint = (name: string) => {
    if (name !== next?.at) return;
    way.stall();
    next.stalled();
    next = undefined;
  };
  const client = createLedgerClient(httpTransport(way.url));
  service = await startService(owner, {
    node,
    client,
    crashPoint,
    proofs: shareProofs(owner),
    ...submitWaitMs,
  });
  world = worldOf(service);
  seal = await sealTargetOf(service.url);
  templateId = await registerCard({ steps, issuer: world.issuer }, 'Stalled card');
});

/** A request that is ready to be sent, as often as it takes, and how to see that it was done. */
interface Submit {
  readonly path: string;
  readonly body: JsonObject;
  readonly isSealed?: true;
  readonly apiKey?: string;
  isDone(): Promise<boolean>;
  /** What one more is told, once the first was answered. */
  readonly afterwards: string;
}

const send = ({ path, body, isSealed, apiKey }: Submit): Promise<ServiceAnswer> =>
  postService(service.url, isSealed ? sealedPath(path) : path, body, {
    ...(isSealed && { sealed: seal }),
    ...(apiKey !== undefined && { apiKey }),
  });

/** For what meets no stall: a busy machine may take longer than the service waits here. */
const untilKnown = (path: string, ask: () => Promise<ServiceAnswer>): Promise<ServiceAnswer> =>
  until(`${path} is known`, async () => {
    const answer = await ask();
    return answer.body.code !== 'ledgerUnconfirmed' && answer;
  });
const patiently: Post = (path, body, as) => untilKnown(path, () => postService(service.url, path, body, as));
const sendPatiently = (submit: Submit) => untilKnown(submit.path, () => send(submit));
const steps = createSteps(patiently);

let people = 0;
async function issued(): Promise<string> {
  const { issuer } = world;
  return (await steps.issue({ issuer, holder: person(`stalled ${people++}`) }, templateId)).vcId;
}

const statusOf = async (vcId: string): Promise<unknown> =>
  ok(await getService(service.url, `/cred/v1/vc/status?vcId=${vcId}`)).status;

async function statusSubmit(kind: string, word: string): Promise<Submit> {
  const { issuer } = world;
  const vcId = await issued();
  const blobFor = async (name: string) =>
    ok(await postService(service.url, `/cred/v1/vc/${name}/create-blob`, revokeBody(issuer, vcId)));
  if (kind === 'reinstate') {
    const body = signedBlobBody(issuer, await blobFor('suspend'));
    ok(await patiently('/cred/v1/vc/suspend/submit', body));
  }
  return {
    path: `/cred/v1/vc/${kind}/submit`,
    body: signedBlobBody(issuer, await blobFor(kind)),
    isDone: async () => (await statusOf(vcId)) === word,
    afterwards: '404 blobUnknown',
  };
}

function newTemplate() {
  const templateName = `Stalled card ${people++}`;
  const find = `/cred/tds/templates?q=${encodeURIComponent(templateName)}`;
  const isDone = async () => (ok(await getService(service.url, find)).templates as unknown[]).length === 1;
  return { draft: templateBody(world.issuer, { templateName }), isDone };
}

async function templateSubmit(): Promise<Submit> {
  const { issuer } = world;
  const { draft, isDone } = newTemplate();
  const blob = ok(await steps.post(paths.templateBlob, draft, issuer));
  const body = signedBlobBody(issuer, blob);
  return { path: paths.templateSubmit, body, isDone, afterwards: '404 blobUnknown' };
}

async function keyedTemplate(): Promise<Submit> {
  const { privateKey, apiKey } = world.issuer;
  const { draft, isDone } = newTemplate();
  const body = { ...draft, issuerPrivateKey: privateKey };
  return { path: paths.templateCreate, body, apiKey, isDone, afterwards: '409 templateExists' };
}

async function credentialSubmit(isSealed: boolean): Promise<Submit> {
  const { issuer } = world;
  const vcId = await steps.apply(person(`stalled ${people++}`), templateId);
  const created = await steps.create(issuer, vcId, templateId);
  return {
    path: paths.submit,
    body: submitBody(issuer, vcId, created),
    ...(isSealed && { isSealed }),
    isDone: async () => {
      const answer = await getService(service.url, `/cred/v1/vc/applications/${vcId}`, issuer);
      return ok(answer).status === 'Issued';
    },
    afterwards: '409 stateForbids',
  };
}

const kinds: Readonly<Record<string, { readonly at: string; make(): Promise<Submit> }>> = {
  template: { at: 'blobClaimed', make: templateSubmit },
  'template, with a private key': { at: 'blobClaimed', make: keyedTemplate },
  revocation: { at: 'blobClaimed', make: () => statusSubmit('revoke', 'Revoked') },
  suspension: { at: 'blobClaimed', make: () => statusSubmit('suspend', 'Suspended') },
  reinstatement: { at: 'blobClaimed', make: () => statusSubmit('reinstate', 'Active') },
  credential: { at: 'submissionStored', make: () => credentialSubmit(false) },
  'credential that was sent': { at: 'intentStored', make: () => credentialSubmit(false) },
  'credential, sealed': { at: 'submissionStored', make: () => credentialSubmit(true) },
};

/** Resolves once the ledger stalled there: on a busy machine a submit takes its time to come so far. */
const stallAt = (at: string): Promise<void> =>
  new Promise((stalled) => {
    next = { at, stalled };
  });

for (const seconds of stalls)
  describe(`a stall of ${seconds} s in the middle of the submit of a`, () => {
    for (const [name, { at, make }] of Object.entries(kinds))
      test(name, async () => {
        const submit = await make();
        const over = stallAt(at)
          .then(() => sleep(seconds * 1_000))
          .then(() => {
            way.flow();
            return performance.now();
          });
        const answers: string[] = [];
        let last: ServiceAnswer;
        do {
          last = await send(submit);
          if (last.status !== 200) await sleep(50);
          answers.push(outcomeOf(last));
        } while (
          last.status !== 200 &&
          performance.now() < (await Promise.race([over, Infinity])) + promptMs
        );
        const lateMs = performance.now() - (await over);
        assert.equal(last.status, 200, `told ${[...new Set(answers)]}`);
        assert.ok(lateMs < promptMs, `${lateMs} ms after the ledger was back`);
        const others = new Set(answers.slice(0, -1));
        assert.deepEqual([...others], others.size === 0 ? [] : ['500 ledgerUnconfirmed']);
        assert.ok(await submit.isDone());
        assert.equal(outcomeOf(await send(submit)), submit.afterwards, 'it is used up once it was answered');
      });
  });

describe('what nobody repeats is finished when the ledger is back:', () => {
  for (const [name, { at, make }] of Object.entries(kinds))
    test(name, async () => {
      const submit = await make();
      const stalled = stallAt(at);
      assert.equal((await send(submit)).status, 500);
      await stalled;
      way.flow();
      const begun = performance.now();
      await until('it is done', () => submit.isDone());
      assert.ok(performance.now() - begun < promptMs);
      assert.equal(outcomeOf(await sendPatiently(submit)), '200 ok', 'nobody was told yet');
      assert.equal(outcomeOf(await send(submit)), submit.afterwards);
    });
});
