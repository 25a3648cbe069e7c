/**
 * kill -9 of a service on a real PostgreSQL, where others may be at work: what it held is free as soon as it is known
 * to be dead, and the same request under the same idempotency key goes on in seconds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { person } from '../support/people.ts';
import { startPostgres } from '../support/postgres.ts';
import { postService } from '../support/service-http.ts';
import { createSteps, ok, paths, revokeBody, signedBlobBody, submitBody } from '../support/service-steps.ts';
import { peopleOf, plainPost } from '../support/service-world.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import type { Crash } from './crash-child.ts';
import { CrashProcess } from './crash-process.ts';

/** From the moment the next process is ready. */
const freedMs = 3_000;

test('a submit and a revocation go on where the dead process was', async (context) => {
  const { url: database } = await startPostgres(context);
  const [folder, compiled] = [tempFolder(context), tempFolder(context)];
  const start = async (crash?: Crash) => {
    const process = new CrashProcess(context, compiled);
    const up = await process.start({ folder, database, ...(crash && { crash }) });
    assert.ok(up);
    return { process, url: up.url, ...peopleOf(up.demo), steps: createSteps(plainPost(up.url)) };
  };
  const first = await start();
  const { issuer, steps } = first;
  const { templateId } = await steps.registerTemplate(issuer, { templateName: 'Shared crash card' });
  const revoked = await steps.issue({ issuer, holder: person('revoked') }, templateId as string);
  const vcId = await steps.apply(person('submitted'), templateId as string);
  const created = await steps.create(issuer, vcId, templateId as string);
  const blob = ok(await steps.post(paths.revokeBlob, revokeBody(issuer, revoked.vcId)));
  await first.process.close();

  const acts: readonly { point: string; path: string; body: JsonObject }[] = [
    { point: 'intentExecuted', path: paths.submit, body: submitBody(issuer, vcId, created) },
    { point: 'blobExecuted', path: paths.revokeSubmit, body: signedBlobBody(issuer, blob) },
  ];
  for (const { point, path, body } of acts) {
    const headers = { 'idempotency-key': `key-of-${point}` };
    const dying = await start({ point });
    await assert.rejects(postService(dying.url, path, body, { headers }));
    const survivor = await start();
    const ready = performance.now();
    await until(`${path} is answered`, async () => {
      const answer = await postService(survivor.url, path, body, { headers });
      if (answer.status === 200) return true;
      assert.equal(answer.body.code, 'requestInProgress');
      return false;
    });
    const tookMs = performance.now() - ready;
    context.diagnostic(`${path}: answered ${Math.round(tookMs)} ms after readiness`);
    assert.ok(tookMs < freedMs);
    await until('everything has ended', async () => (await survivor.process.audit()).length === 0);
    await survivor.process.close();
  }
});
