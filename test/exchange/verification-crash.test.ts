/**
 * kill -9 while a wallet's answer to a verification session is decided. After the next start the session is either open
 * again, once the claim of the dead process has lapsed, or decided, and then the relying service hears it from the
 * session's events; never both, and nothing is verified that was not written down.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import {
  applyForCredential,
  createCredentialClient,
  didOfSigner,
  issueCredential,
  presentCredential,
  readApplication,
  registerTemplate,
  signerFromPrivateKey,
} from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { CrashProcess } from '../service/crash-process.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { postService } from '../support/service-http.ts';
import { attribute } from '../support/service-steps.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { walletHeaders } from '../support/verification-world.ts';
import { challenge, fetchDefinition, type ResourceServer, submissionBody } from '../support/x401.ts';

const owner = ownerOfSuite();
const compiled = tempFolder(owner);

/** What every case begins with a copy of: an open session, and a wallet's good answer to it. */
let prepared: {
  readonly folder: string;
  readonly id: string;
  readonly apiKey: string;
  readonly body: JsonObject;
  readonly headers: Record<string, string>;
};

before(async () => {
  const folder = tempFolder(owner);
  const process = new CrashProcess(owner, compiled);
  const up = await process.start({ folder });
  assert.ok(up);
  const { url, demo } = up;
  const issuer = await signerFromPrivateKey(demo.issuer.privateKey);
  const holder = await signerFromPrivateKey(demo.holder.privateKey);
  const issuerClient = createCredentialClient(url, { apiKey: demo.issuer.apiKey });
  const anyone = createCredentialClient(url);
  const { templateId } = await registerTemplate(issuerClient, {
    signer: issuer,
    templateName: 'Crash permit',
    credentialFormat: [attribute('city', 'string', 1)],
    version: '1.0.0',
  });
  const attributes = { city: 'Nelson' };
  const { vcId } = await applyForCredential(anyone, { signer: holder, templateId, attributes });
  const { vcObject: vc } = await issueCredential(issuerClient, {
    signer: issuer,
    bbsKey: { publicKeyMultibase: demo.issuer.bbsPublicKeyMultibase },
    ...(await readApplication(issuerClient, { vcId })),
    expiredDate: '2099-12-31',
  });
  const server: ResourceServer = { baseUrl: url, apiKey: demo.verifier.apiKey, callbackSecret: '' };
  const claims = [{ path: ['credentialSubject', 'city'] }];
  const credentials = [{ id: templateId, format: 'ldp_vc', claims }];
  const { presentationId: id, nonce } = await challenge(server, { credentials });
  await fetchDefinition({ baseUrl: url }, id);
  const vpToken = await presentCredential(anyone, {
    signer: holder,
    vc,
    challenge: nonce,
    revealAttributes: ['city'],
  });
  prepared = {
    folder,
    id,
    apiKey: demo.verifier.apiKey,
    body: submissionBody(id, { vpToken }),
    headers: await walletHeaders({ did: didOfSigner(holder), signer: holder }),
  };
  assert.deepEqual(await process.audit(), []);
  await process.close();
});

const submit = (url: string) =>
  postService(url, '/v1/presentation/submit', prepared.body, { headers: prepared.headers });

const eventsPatienceMs = 60_000;

/** What the events of a session that has ended say. */
async function eventsOf(url: string): Promise<string> {
  const { id, apiKey } = prepared;
  const response = await fetch(`${url}/v1/verification/${id}/events`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(eventsPatienceMs),
  });
  assert.equal(response.status, 200);
  return response.text();
}

async function dieAt(context: TestContext, point: string): Promise<string> {
  const folder = join(tempFolder(context), 'copy');
  cpSync(prepared.folder, folder, { recursive: true });
  const process = new CrashProcess(context, compiled);
  const up = await process.start({ folder, crash: { point } });
  assert.ok(up);
  await assert.rejects(submit(up.url), 'no answer arrives');
  assert.equal(await process.ended, 'SIGKILL');
  return folder;
}

async function startAgain(context: TestContext, folder: string, aheadMs = 0) {
  const process = new CrashProcess(context, compiled);
  const up = await process.start({ folder, aheadMs });
  assert.ok(up);
  return { url: up.url, process };
}

describe('kill -9 while an answer is decided', () => {
  test('before the decision: the session opens again when the claim has lapsed', async (context) => {
    const folder = await dieAt(context, 'submissionClaimed');
    const early = await startAgain(context, folder);
    const refused = await submit(early.url);
    assert.equal(refused.status, 409, refused.text);
    await early.process.close();
    const { url, process } = await startAgain(context, folder, sessionLimits.answerLeaseMs + 1_000);
    const answer = await submit(url);
    assert.equal((answer.body.object as JsonObject).status, 'VERIFIED', answer.text);
    // The same answer of the same wallet, once more, is told the same.
    assert.deepEqual((await submit(url)).body.object, answer.body.object);
    assert.match(await eventsOf(url), /VERIFIED/);
    assert.deepEqual(await process.audit(), []);
    await process.kill();
  });

  test('after the decision: it stands, and the relying service hears it', async (context) => {
    const folder = await dieAt(context, 'sessionDecided');
    const { url, process } = await startAgain(context, folder);
    const again = await submit(url);
    assert.equal((again.body.object as JsonObject).status, 'VERIFIED', again.text);
    const told = await eventsOf(url);
    assert.match(told, /VERIFIED/);
    assert.match(told, /Nelson/);
    assert.deepEqual(await process.audit(), []);
    await process.kill();
  });
});
