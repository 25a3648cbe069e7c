/**
 * The life of a credential over plain HTTP, as the interface document tells it: template, application, credential,
 * presentation, verdict, revocation, refusal. Every answer has exactly the fields that the document names, and a revocation
 * is seen by the next verification.
 */
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import {
  applyBody,
  createBody,
  downloadBody,
  ok,
  paths,
  presentSubmitBody,
  revokeBody,
  signedBlobBody,
  submitBody,
  templateBody,
  twelveAttributes,
  twelveValues,
} from './service-steps.ts';
import type { World } from './service-world.ts';

const hex = /^[0-9A-Fa-f]+$/;
const ledgerId = /^did:zid:[0-9a-f]{64}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The answer's fields, which must be these and no others. */
function fields(answer: JsonObject, ...names: string[]): JsonObject {
  assert.deepEqual(Object.keys(answer).sort(), [...names].sort());
  return answer;
}

function matches(value: JsonValue | undefined, pattern: RegExp): string {
  assert.match(value as string, pattern);
  return value as string;
}

async function registerTemplate({ steps, issuer }: World): Promise<string> {
  const order = { templateName: 'Residence card', attributes: twelveAttributes };
  const blob = ok(await steps.post(paths.templateBlob, templateBody(issuer, order), issuer));
  fields(blob, 'blobId', 'blob');
  matches(blob.blob, hex);
  const registered = ok(await steps.post(paths.templateSubmit, signedBlobBody(issuer, blob)));
  fields(registered, 'templateId', 'txHash');
  matches(registered.txHash, /^[0-9a-f]{64}$/);
  return matches(registered.templateId, ledgerId);
}

async function issue({ steps, issuer, holder }: World, templateId: string): Promise<JsonObject> {
  const applied = ok(await steps.post(paths.apply, applyBody(holder, templateId, twelveValues)));
  fields(applied, 'vcId', 'status');
  assert.equal(applied.status, 'Pending');
  const vcId = matches(applied.vcId, ledgerId);
  const created = ok(await steps.post(paths.create, createBody(vcId, templateId), issuer));
  fields(created, 'ed25519Blob', 'bbsBlsBase64', 'unsigned');
  matches(created.ed25519Blob, hex);
  assert.equal(Buffer.from(created.bbsBlsBase64 as string, 'base64').length, 80);
  const submitted = ok(await steps.post(paths.submit, submitBody(issuer, vcId, created)));
  fields(submitted, 'vcObject', 'downloadExpiryDate');
  matches(submitted.downloadExpiryDate, instant);
  return submitted.vcObject as JsonObject;
}

function checkCredential(vc: JsonObject, { issuer, holder }: World): void {
  const documentMembers = ['@context', 'id', 'type', 'issuer', 'validFrom', 'validUntil'];
  fields(vc, ...documentMembers, 'credentialSchema', 'credentialStatus', 'credentialSubject', 'proof');
  assert.ok((vc.type as string[]).includes('VerifiableCredential'));
  assert.equal(vc.issuer, issuer.did);
  matches(vc.validFrom, instant);
  assert.equal(vc.validUntil, '2099-12-31T00:00:00Z');
  const subject = vc.credentialSubject as JsonObject;
  fields(subject, 'id', ...Object.keys(twelveValues));
  assert.equal(subject.id, holder.did);
  assert.equal(subject.height, 171);
  assert.equal(subject.income, '52000.5');
  assert.equal(subject.isResident, true);
  const [bbs, ed25519] = vc.proof as [JsonObject, JsonObject];
  for (const proof of [bbs, ed25519]) {
    assert.equal(proof.proofPurpose, 'assertionMethod');
    matches(proof.created, instant);
    assert.ok((proof.verificationMethod as string).startsWith(`${issuer.did}#`));
  }
  assert.equal(bbs.type, 'BbsBlsSignature2020');
  matches(bbs.proofValue, /^u[\w-]+$/);
  assert.equal(ed25519.type, 'Ed25519Signature2020');
  matches(ed25519.jws, /^[\w-]+\.\.[\w-]+$/);
}

async function downloadByBoth({ steps, issuer, holder }: World, vc: JsonObject): Promise<void> {
  const vcId = vc.id as string;
  assert.deepEqual(ok(await steps.post(paths.download, downloadBody(holder, vcId))), vc);
  assert.deepEqual(ok(await steps.post(paths.download, downloadBody(issuer, vcId, true))), vc);
}

async function present({ steps, holder }: World, vc: JsonObject): Promise<JsonObject> {
  const order = {
    vc,
    revealAttributes: ['fullName', 'nationality', 'isResident'],
    rangeProof: [{ attribute: 'birthDate', max: '2008-11-15' }],
    challenge: 'a challenge of this verifier',
  };
  const blob = ok(await steps.post(paths.present, order));
  fields(blob, 'blobId', 'blob');
  matches(blob.blob, hex);
  const submitted = ok(await steps.post(paths.presentSubmit, presentSubmitBody(holder, blob)));
  const vp = fields(submitted, 'vpObject').vpObject as JsonObject;
  fields(vp, '@context', 'type', 'holder', 'verifiableCredential', 'proof');
  const [derived] = vp.verifiableCredential as [JsonObject];
  const subject = derived.credentialSubject as JsonObject;
  fields(subject, 'id', 'fullName', 'nationality', 'isResident');
  assert.equal((derived.proof as JsonObject).type, 'BbsBlsSignatureProof2020');
  const text = JSON.stringify(vp);
  for (const hidden of ['52000.5', 'LK-0042', 'aroha@example.org', 'iVBORw0KGgo', '1990-05-17', 'Dunedin'])
    assert.ok(!text.includes(hidden), `${hidden} is not disclosed`);
  return vp;
}

export async function liveCredential(world: World): Promise<void> {
  const { steps, issuer } = world;
  const templateId = await registerTemplate(world);
  const vc = await issue(world, templateId);
  checkCredential(vc, world);
  await downloadByBoth(world, vc);
  const vp = await present(world, vc);
  const question = { vp, challenge: 'a challenge of this verifier' };

  const verified = ok(await steps.post(paths.verify, question));
  fields(verified, 'verified', 'vcDetails', 'credentials', 'checks', 'tookMs');
  assert.equal(verified.verified, true);
  const details = verified.vcDetails as JsonObject;
  fields(details, 'fullName', 'nationality', 'isResident', 'birthDate');
  assert.equal(details.fullName, 'Aroha Ngata');
  assert.equal(details.nationality, 'NZ');
  assert.equal(details.isResident, true);
  matches(details.birthDate, /range/);

  const blob = ok(await steps.post(paths.revokeBlob, revokeBody(issuer, vc.id as string)));
  fields(blob, 'blobId', 'blob', 'remarkSalt');
  assert.equal(ok(await steps.post(paths.verify, question)).verified, true, 'nothing is revoked yet');
  const revoked = ok(await steps.post(paths.revokeSubmit, signedBlobBody(issuer, blob)));
  assert.deepEqual(revoked, { vcId: vc.id, status: 'Revoked' });

  const refused = ok(await steps.post(paths.verify, question));
  fields(refused, 'verified', 'errors', 'claimed', 'checks', 'tookMs');
  assert.equal(refused.verified, false);
  const [error, ...others] = refused.errors as string[];
  assert.match(error as string, /^status: credential revoked/);
  assert.deepEqual(others, []);
}
