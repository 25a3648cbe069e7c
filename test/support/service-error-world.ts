/**
 * A service in which everything that can be refused has its reason to be: applications and credentials in every state,
 * blobs that wait, are used or belong to others, issuers who lack something. Its clock can be put forward and its way
 * to the ledger cut.
 */

import type { ProofPool } from '@symbolon/credential-service/proofs/proof-workers';
import { createLedgerClient, httpTransport } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Owner } from './owner.ts';
import { person } from './people.ts';
import { startNode } from './running-node.ts';
import { startService } from './running-service.ts';
import { cuttableWay } from './service-cut.ts';
import { sealTargetOf } from './service-http.ts';
import {
  createBody,
  ok,
  paths,
  presentSubmitBody,
  revokeBody,
  signedBlobBody,
  submitBody,
  templateBody,
} from './service-steps.ts';
import { fund, makeIssuer, makeParty, type World, worldOf } from './service-world.ts';

/** The time of the machine, and so much more. */
export function shiftedClock() {
  let shiftMs = 0;
  const nowMs = () => Date.now() + shiftMs;
  return {
    nowMs,
    nowMicros: () => BigInt(nowMs()) * 1_000n,
    advanceMs: (ms: number) => {
      shiftMs += ms;
    },
  };
}

export const cardName = 'Library card';

/** How long the one credential can be downloaded that lapses first. */
const shortWindowSeconds = 300;

export async function makeErrorWorld(owner: Owner, proofs: ProofPool) {
  const node = await startNode(owner);
  const way = await cuttableWay(owner, node.url);
  const clock = shiftedClock();
  const client = createLedgerClient(httpTransport(way.url));
  const service = await startService(owner, { node, proofs, clock, client });
  const world = worldOf(service);
  const others = await makeOthers(world);
  const { templateId } = await world.steps.registerTemplate(world.issuer, { templateName: cardName });
  const states = await makeStates(world, templateId as string);
  const keyless = await makeKeylessApplication(world, others.keyless);
  const blobs = await makeBlobs(world, states.issued);
  const sealTarget = await sealTargetOf(service.url);
  return {
    ...world,
    ...others,
    ...states,
    ...blobs,
    service,
    way,
    clock,
    sealTarget,
    templateId: templateId as string,
    keylessVcId: keyless,
  };
}
export type ErrorWorld = Awaited<ReturnType<typeof makeErrorWorld>>;

async function makeOthers(world: World) {
  const otherIssuer = await makeIssuer(world, 'another issuer');
  /** Has an account but publishes no BBS+ key. */
  const keyless = await makeParty(world, 'an issuer without a key');
  await fund(world.client, [keyless]);
  /** Has no account. */
  const poor = await makeParty(world, 'an issuer without an account');
  return { otherIssuer, keyless, poor, thief: person('thief') };
}

const applicants = {
  pending: person('pending applicant'),
  approved: person('approved applicant'),
  rejected: person('rejected applicant'),
  lapsing: person('late applicant'),
  keyless: person('applicant of the keyless'),
};

async function makeStates({ steps, issuer, holder }: World, templateId: string) {
  const issued = await steps.issue({ issuer, holder }, templateId);
  const revoked = await steps.issue({ issuer, holder }, templateId);
  await steps.revoke(issuer, revoked.vcId);
  const pending = await steps.apply(applicants.pending, templateId);
  const approved = await steps.apply(applicants.approved, templateId);
  const created = await steps.create(issuer, approved, templateId);
  const rejected = await steps.apply(applicants.rejected, templateId);
  ok(await steps.post('/cred/v1/vc/reject', { vcId: rejected, reason: 'not a member' }, issuer));
  const lapsing = await steps.apply(applicants.lapsing, templateId);
  const lapsingBlob = ok(await steps.post(paths.create, createBody(lapsing, templateId), issuer));
  const short = { ...submitBody(issuer, lapsing, lapsingBlob), keyExpiry: String(shortWindowSeconds) };
  ok(await steps.post(paths.submit, short));
  return { issued, revoked, pending, approved: { vcId: approved, created }, rejected, lapsing, applicants };
}

/** An application to an issuer who can register templates and sign nothing. */
async function makeKeylessApplication({ steps }: World, keyless: Parameters<typeof templateBody>[0]) {
  const { templateId } = await steps.registerTemplate(keyless, { templateName: 'Keyless card' });
  return steps.apply(applicants.keyless, templateId as string);
}

async function makeBlobs({ steps, issuer, holder }: World, issued: { vcId: string; vc: JsonObject }) {
  const present = { vc: issued.vc, revealAttributes: ['fullName'] };
  const make = {
    template: async (templateName: string) =>
      ok(await steps.post(paths.templateBlob, templateBody(issuer, { templateName }), issuer)),
    revocation: async () => ok(await steps.post(paths.revokeBlob, revokeBody(issuer, issued.vcId))),
    presentation: async () => ok(await steps.post(paths.present, present)),
  };
  const templateBlob = await make.template('Swimming badge');
  const usedTemplateBlob = await make.template('Cycling badge');
  ok(await steps.post(paths.templateSubmit, signedBlobBody(issuer, usedTemplateBlob)));
  const presentationBlob = await make.presentation();
  const usedPresentationBlob = await make.presentation();
  const signed = ok(await steps.post(paths.presentSubmit, presentSubmitBody(holder, usedPresentationBlob)));
  const revocationBlob = await make.revocation();
  const [usedRevocationBlob, lateRevocationBlob] = await revokeTwice({ steps, issuer }, holder, issued.vc);
  return {
    make,
    templateBlob,
    usedTemplateBlob,
    presentationBlob,
    usedPresentationBlob,
    presentation: signed.vpObject as JsonObject,
    revocationBlob,
    usedRevocationBlob,
    lateRevocationBlob,
  };
}

/** Two blobs that revoke the same credential; the first is submitted. */
async function revokeTwice(
  { steps, issuer }: Pick<World, 'steps' | 'issuer'>,
  holder: World['holder'],
  { credentialSchema }: JsonObject,
) {
  const templateId = (credentialSchema as JsonObject).id as string;
  const { vcId } = await steps.issue({ issuer, holder }, templateId);
  const first = ok(await steps.post(paths.revokeBlob, revokeBody(issuer, vcId)));
  const second = ok(await steps.post(paths.revokeBlob, revokeBody(issuer, vcId)));
  ok(await steps.post(paths.revokeSubmit, signedBlobBody(issuer, first)));
  return [first, second] as const;
}
