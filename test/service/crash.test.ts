/**
 * kill -9 at every durable step of templates, applications, issuance and revocation, and in the middle of the ledger's
 * own writes: after the next start store and ledger agree, the client who asks again gets an answer it can live with,
 * and what was under way is done exactly once. Some cases die again while they recover.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@symbolon/wire/json/json';
import { campaignCases } from '../support/campaign.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { getService, postService, type ServiceAnswer } from '../support/service-http.ts';
import {
  applyBody,
  createBody,
  createSteps,
  downloadBody,
  ok,
  paths,
  revokeBody,
  type Steps,
  signedBlobBody,
  submitBody,
  templateBody,
} from '../support/service-steps.ts';
import { peopleOf, plainPost } from '../support/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Crash, ServiceOrder } from './crash-child.ts';
import { CrashProcess } from './crash-process.ts';

const owner = ownerOfSuite();
const compiled = tempFolder(owner);
const applicant = person('applicant');

/** The folder that every case begins with a copy of, and what waits in it to be done. */
interface Prepared {
  readonly folder: string;
  readonly templateId: string;
  readonly pending: string;
  readonly approved: { readonly vcId: string; readonly created: JsonObject };
  readonly issued: string;
  readonly templateBlob: JsonObject;
  readonly revocationBlob: JsonObject;
}
let prepared: Prepared;

interface Site extends ReturnType<typeof peopleOf> {
  readonly url: string;
  readonly steps: Steps;
}
const siteOf = ({ url, demo }: { url: string; demo: Parameters<typeof peopleOf>[0] }): Site => ({
  url,
  ...peopleOf(demo),
  steps: createSteps(plainPost(url)),
});

async function start(
  process: CrashProcess,
  folder: string,
  order: Omit<ServiceOrder, 'folder'> = {},
): Promise<Site | undefined> {
  const up = await process.start({ folder, ...order });
  return up && siteOf(up);
}

before(async () => {
  const folder = tempFolder(owner);
  const process = new CrashProcess(owner, compiled);
  const site = (await start(process, folder)) as Site;
  const { steps, issuer, holder } = site;
  const { templateId } = await steps.registerTemplate(issuer, { templateName: 'Crash card' });
  const issued = await steps.issue({ issuer, holder }, templateId as string);
  const pending = await steps.apply(person('pending'), templateId as string);
  const vcId = await steps.apply(person('approved'), templateId as string);
  const created = await steps.create(issuer, vcId, templateId as string);
  const draft = templateBody(issuer, { templateName: 'Second card' });
  prepared = {
    folder,
    templateId: templateId as string,
    pending,
    approved: { vcId, created },
    issued: issued.vcId,
    templateBlob: ok(await steps.post(paths.templateBlob, draft, issuer)),
    revocationBlob: ok(await steps.post(paths.revokeBlob, revokeBody(issuer, issued.vcId))),
  };
  assert.deepEqual(await process.audit(), []);
  await process.close();
});

/** One thing that clients do, and how they see in the end that it was done exactly once. */
interface Act {
  send(site: Site): Promise<ServiceAnswer>;
  check(site: Site): Promise<void>;
}

async function applications({ url, issuer }: Site, status: string): Promise<JsonObject[]> {
  const answer = await getService(url, `/cred/v1/vc/applications?status=${status}`, issuer);
  return ok(answer).applications as JsonObject[];
}

const acts = {
  apply: {
    send: ({ steps }) => steps.post(paths.apply, applyBody(applicant, prepared.templateId)),
    async check(site) {
      const { steps, issuer } = site;
      const own = await applications(site, 'Pending');
      const [mine, ...others] = own.filter(({ vcId }) => vcId !== prepared.pending);
      assert.deepEqual(others, [], 'there is one new application');
      const vcId = mine?.vcId as string;
      await steps.submit(issuer, vcId, await steps.create(issuer, vcId, prepared.templateId));
    },
  },
  create: {
    send: ({ steps, issuer }) =>
      steps.post(paths.create, createBody(prepared.pending, prepared.templateId), issuer),
    async check(site) {
      const approved = await applications(site, 'Approved');
      const waiting = [prepared.pending, prepared.approved.vcId].sort();
      assert.deepEqual(approved.map(({ vcId }) => vcId).sort(), waiting);
    },
  },
  submit: {
    send: ({ steps, issuer }) => {
      const { vcId, created } = prepared.approved;
      return steps.post(paths.submit, submitBody(issuer, vcId, created));
    },
    async check(site) {
      const { vcId } = prepared.approved;
      const { url, steps, issuer } = site;
      assert.equal(ok(await getService(url, `/cred/v1/vc/status?vcId=${vcId}`)).status, 'Active');
      const vc = ok(await steps.post(paths.download, downloadBody(person('approved'), vcId)));
      assert.equal(vc.id, vcId);
      await steps.revoke(issuer, vcId);
    },
  },
  template: {
    send: ({ steps, issuer }) =>
      steps.post(paths.templateSubmit, signedBlobBody(issuer, prepared.templateBlob)),
    async check({ url, steps, issuer, holder }) {
      const { templates } = ok(await getService(url, '/cred/tds/templates?q=second'));
      const [template, ...others] = templates as JsonObject[];
      assert.deepEqual(others, []);
      await steps.issue({ issuer, holder }, template?.templateId as string);
    },
  },
  templateBlob: {
    send: ({ steps, issuer }) =>
      steps.post(paths.templateBlob, templateBody(issuer, { templateName: 'Third card' }), issuer),
    async check({ steps, issuer }) {
      await steps.registerTemplate(issuer, { templateName: 'Third card' });
    },
  },
  revokeBlob: {
    send: ({ steps, issuer }) => steps.post(paths.revokeBlob, revokeBody(issuer, prepared.issued)),
    check: async ({ steps, issuer }) => void (await steps.revoke(issuer, prepared.issued)),
  },
  revoke: {
    send: ({ steps, issuer }) =>
      steps.post(paths.revokeSubmit, signedBlobBody(issuer, prepared.revocationBlob)),
    async check({ url, steps, issuer }) {
      const status = ok(await getService(url, `/cred/v1/vc/status?vcId=${prepared.issued}`));
      assert.equal(status.status, 'Revoked');
      const again = await steps.post(paths.revokeBlob, revokeBody(issuer, prepared.issued));
      assert.equal(again.body.code, 'statusForbids');
    },
  },
} as const satisfies Record<string, Act>;

interface CrashCase {
  readonly act: keyof typeof acts;
  /** Where each process dies; the last one lives. */
  readonly crashes: readonly Crash[];
  /** What a client who asks again is told. */
  readonly again: readonly string[];
}
const at = (point: string, inNode?: Crash['inNode']): Crash => ({ point, ...(inNode && { inNode }) });
const done = '200';
/** After the service is ready. */
const promptMs = 3_000;

const cases: readonly CrashCase[] = [
  { act: 'apply', crashes: [at('applicationStored')], again: ['applicationExists'] },
  { act: 'create', crashes: [at('draftStored')], again: [done] },
  ...[
    [at('submissionStored')],
    [at('intentStored')],
    [at('intentStored', 'beforeWrite')],
    [at('intentStored', 'afterSync')],
    [at('intentStored', 'afterHead')],
    [at('intentExecuted')],
    [at('intentSettled')],
    [at('credentialAnchored')],
    [at('submissionFinished')],
    [at('submissionStored'), at('intentStored')],
    [at('submissionStored'), at('intentExecuted')],
  ].map((crashes) => ({ act: 'submit' as const, crashes, again: [done] })),
  { act: 'templateBlob', crashes: [at('blobStored')], again: [done] },
  { act: 'revokeBlob', crashes: [at('blobStored')], again: [done] },
  ...(['template', 'revoke'] as const).flatMap((act) => [
    { act, crashes: [at('blobClaimed')], again: [done] },
    { act, crashes: [at('blobClaimed', 'beforeWrite')], again: [done] },
    { act, crashes: [at('blobClaimed', 'afterSync')], again: [done] },
    { act, crashes: [at('blobExecuted')], again: [done] },
    { act, crashes: [at('blobSettled')], again: [done] },
    { act, crashes: [at('blobClaimed'), at('blobExecuted')], again: [done] },
  ]),
];

const isSubmit = (act: CrashCase['act']): boolean => ['submit', 'template', 'revoke'].includes(act);

const nameOf = ({ act, crashes }: CrashCase): string =>
  `${act}: ${crashes.map(({ point, inNode }) => (inNode ? `${point}, ${inNode} of the ledger` : point)).join('; then ')}`;

/** Sends into a process that dies of it. */
async function sendAndDie({ send }: Act, process: CrashProcess, site: Site | undefined): Promise<void> {
  if (site) await assert.rejects(send(site), 'no answer arrives');
  assert.equal(await process.ended, 'SIGKILL');
}

async function run(context: TestContext, { act: name, crashes, again }: CrashCase): Promise<void> {
  const folder = join(tempFolder(context), 'copy');
  cpSync(prepared.folder, folder, { recursive: true });
  const act: Act = acts[name];
  const processes = crashes.map((crash) => ({ crash, process: new CrashProcess(context, compiled) }));
  const survivor = new CrashProcess(context, compiled);
  for (const { crash, process } of processes)
    await sendAndDie(act, process, await start(process, folder, { crash }));
  const site = (await start(survivor, folder)) as Site;
  assert.deepEqual(await survivor.audit(), [], 'after recovery store and ledger agree');
  const begun = performance.now();
  const answer = await act.send(site);
  if (isSubmit(name)) assert.ok(performance.now() - begun < promptMs, 'at once');
  const told = answer.status === 200 ? done : (answer.body.code as string);
  assert.ok(again.includes(told), `asked again: ${told}, not ${again}`);
  await act.check(site);
  assert.deepEqual(await auditSoon(survivor), [], 'and in the end');
  await survivor.kill();
}

/** What is wrong still, when whatever the service does by itself has had its time. */
async function auditSoon(survivor: CrashProcess): Promise<readonly string[]> {
  const deadline = performance.now() + promptMs;
  for (;;) {
    const wrong = await survivor.audit();
    if (wrong.length === 0 || performance.now() > deadline) return wrong;
    await sleep(50);
  }
}

describe('kill -9', { concurrency: 2 }, () => {
  for (const one of campaignCases(cases, 3)) test(nameOf(one), (context) => run(context, one));
});

/** What a client sends again that saw no answer, and where the process died on it. */
const repeated: readonly {
  readonly point: string;
  readonly path: string;
  readonly act: 'apply' | 'create' | 'submit';
}[] = [
  { act: 'apply', path: paths.apply, point: 'applicationStored' },
  { act: 'create', path: paths.create, point: 'draftStored' },
  { act: 'submit', path: paths.submit, point: 'intentExecuted' },
];

const bodies: Readonly<Record<(typeof repeated)[number]['act'], (site: Site) => JsonObject>> = {
  apply: () => applyBody(applicant, prepared.templateId),
  create: () => createBody(prepared.pending, prepared.templateId),
  submit: ({ issuer }) => submitBody(issuer, prepared.approved.vcId, prepared.approved.created),
};

describe('an idempotency key outlives kill -9', { concurrency: 2 }, () => {
  for (const { act, path, point } of repeated)
    test(`${act}: the answer that was lost is given`, async (context) => {
      const folder = join(tempFolder(context), 'copy');
      cpSync(prepared.folder, folder, { recursive: true });
      const [dying, survivor] = [new CrashProcess(context, compiled), new CrashProcess(context, compiled)];
      const headers = { 'idempotency-key': `key of ${act}`.replaceAll(' ', '-') };
      const ask = (site: Site, key: Record<string, string> = headers) =>
        postService(site.url, path, bodies[act](site), {
          ...(act !== 'apply' && { apiKey: site.issuer.apiKey }),
          headers: key,
        });
      const first = (await start(dying, folder, { crash: at(point) })) as Site;
      await assert.rejects(ask(first));
      const site = (await start(survivor, folder)) as Site;
      // A draft may be made anew at any time; everything else was done by whoever has the key.
      if (act !== 'create')
        assert.equal((await ask(site, { 'idempotency-key': 'another' })).status, 409, 'by somebody else');
      const answer = await ask(site);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal((await ask(site)).text, answer.text);
      if (act === 'apply')
        await site.steps.create(site.issuer, answer.body.vcId as string, prepared.templateId);
      if (act === 'create') await site.steps.submit(site.issuer, prepared.pending, answer.body);
      assert.deepEqual(await survivor.audit(), []);
      await survivor.kill();
    });
});
