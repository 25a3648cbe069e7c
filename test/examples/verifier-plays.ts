/** The examples of holders who show something and of verifiers who ask for it. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { createSteps, presentSubmitBody, signBlob, signText } from '../support/service-steps.ts';
import { plainPost } from '../support/service-world.ts';
import {
  type DemoWorld,
  demoAddress,
  extendedHeaders,
  presence,
  textOf,
  walletHeaders,
} from './demo-world.ts';
import type { Issued } from './issuer-plays.ts';
import type { PlayService } from './player.ts';

/** What is shown: a name, and that somebody is of age. */
const wishes = { revealAttributes: ['name'], age: { attribute: 'birthDate', minAge: 18 } };

async function playPresentation(
  play: PlayService,
  { holder, issuer }: DemoWorld,
  { vc }: Issued,
): Promise<void> {
  const challenge = 'bank-desk-7-4821';
  const blob = await play('createPresentation', { body: { vc, ...wishes, challenge } });
  const { vpObject: vp } = await play('submitPresentation', { body: presentSubmitBody(holder, blob) });
  await play('verifyPresentation', {
    body: {
      vp,
      challenge,
      trustedIssuers: [{ did: issuer.did, name: 'University of Example' }],
      request: wishes,
    },
  });
}

async function playExtended(play: PlayService, { holder }: DemoWorld, { vc }: Issued): Promise<void> {
  const headers = () => extendedHeaders(holder, 'extended-presentation');
  const created = await play('createExtendedPresentation', {
    body: { vc, revealAttributes: ['name'] },
    headers: headers(),
  });
  const { blobId, blob } = created.data as JsonObject;
  const body = {
    blobId,
    signedBlob: signBlob(holder, blob),
    publicKey: holder.publicKey,
    vpExpiry: 600,
    includeVp: false,
  };
  const saved = await play('submitExtendedPresentation', { body, headers: headers() });
  await play('verifySavedPresentation', { query: { id: at(saved, 'data', 'id') as string } });
}

const requirementsOf = (templateId: string): JsonObject => ({
  credentials: [
    {
      id: templateId,
      format: 'ldp_vc',
      meta: { vct_values: ['Library card'] },
      claims: [{ path: ['credentialSubject', 'name'] }],
    },
  ],
});

async function playSessions(play: PlayService, world: DemoWorld, { vc, templateId }: Issued): Promise<void> {
  const { holder, verifier, service } = world;
  const { apiKey } = verifier;
  await play('testVerification', { apiKey });
  await play('makeCallbackSecret', { apiKey });
  const order = {
    requirements: requirementsOf(templateId),
    stateId: 'desk-7',
    expirationMinutes: 5,
    purpose: 'To open an account for you',
  };
  const session = (await play('requestVerification', { body: order, apiKey })).object as JsonObject;
  const id = textOf(session, 'presentationId');
  const definition = (await play('fetchDefinition', { params: { id } })).object as JsonObject;
  const challenge = textOf(definition, 'nonce');
  const vp = await createSteps(plainPost(service.url)).present(holder, {
    vc,
    revealAttributes: ['name'],
    challenge,
    domain: demoAddress,
  });
  const bound = presence('holder-binding', id, { challenge });
  const body = {
    presentation_id: id,
    vp_token: vp,
    presentation_submission: { id: 'submission', definition_id: id, descriptor_map: [] },
    holder_binding: { signBlob: signText(holder, bound), publicKey: holder.publicKey, signedText: bound },
  };
  await play('submitToSession', { body, headers: walletHeaders(holder, id) });
  await play('watchVerification', { params: { id }, apiKey });
  await play('listVerifications', { query: { status: 'VERIFIED', limit: '10' }, apiKey });
  await play('getVerification', { params: { id }, apiKey });
  await play('getResultKeys');
  const unwanted = await service.verifier.client.requestVerification({
    requirements: requirementsOf(templateId),
    stateId: randomUUID(),
  });
  await play('abortSession', {
    body: {
      presentation_id: unwanted.presentationId,
      state: unwanted.stateId,
      reason: 'The holder does not want to show this',
    },
  });
}

async function playTrust(play: PlayService, { verifier, issuer }: DemoWorld, { templateId }: Issued) {
  const { apiKey } = verifier;
  const body = {
    list: 'universities',
    did: issuer.did,
    name: 'University of Example',
    templates: [templateId],
  };
  await play('setTrustedIssuer', { body, apiKey });
  await play('listTrustLists', { apiKey });
  await play('getTrustList', { params: { name: 'universities' }, apiKey });
  await play('removeTrustedIssuer', { params: { name: 'universities', did: issuer.did }, apiKey });
}

export async function playVerifier(play: PlayService, world: DemoWorld, issued: Issued): Promise<void> {
  await playPresentation(play, world, issued);
  await playExtended(play, world, issued);
  await playSessions(play, world, issued);
  await playTrust(play, world, issued);
  await play('getCredentialStatus', { query: { vcId: issued.vcId } });
  await play('resolveDid', { params: { did: world.issuer.did } });
}
