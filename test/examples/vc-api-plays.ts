/** The examples of the VC-API: a credential issued, shown in part, presented, verified, and a change of its status. */
import type { JsonObject } from '@symbolon/wire/json/json';
import { payPaths } from '../support/payment-world.ts';
import { postService } from '../support/service-http.ts';
import { ok } from '../support/service-steps.ts';
import { type DemoWorld, demoAddress } from './demo-world.ts';
import type { Issued } from './issuer-plays.ts';
import type { PlayService } from './player.ts';

const credentialsV2 = 'https://www.w3.org/ns/credentials/v2';
const options = { challenge: 'fB3Zk1mQ0pXv', domain: 'https://verifier.example' };

const memberOf = (reply: JsonObject, name: string): JsonObject => reply[name] as JsonObject;

export async function playVcApi(
  play: PlayService,
  { issuer, demo, service }: DemoWorld,
  { templateId }: Issued,
): Promise<void> {
  const { apiKey } = issuer;
  const params = { issuer: issuer.did.slice(-64) };
  const { privateKey } = demo.issuer;
  const rules = { templateId, perDayMax: 100, until: '2099-12-31', privateKey } as JsonObject;
  ok(await postService(service.url, payPaths.autoIssue, rules, issuer));

  const credentialId = 'https://library.example/cards/1';
  const credential: JsonObject = {
    '@context': [credentialsV2, `${demoAddress}/contexts/${templateId.slice(-64)}/1.0.0`],
    id: credentialId,
    type: ['VerifiableCredential', 'LibraryCard'],
    validUntil: '2099-12-31T00:00:00Z',
    credentialSubject: { name: 'Mira Example', birthDate: '1999-04-12', booksMax: 12 },
  };
  const order = { credential, options: { cryptosuite: 'bbs-2023' } };
  const issued = memberOf(
    await play('issueByVcApi', { params, body: order, apiKey }),
    'verifiableCredential',
  );
  const selection = {
    verifiableCredential: issued,
    options: { selectivePointers: ['/credentialSubject/booksMax'] },
  };
  const derived = await play('deriveByVcApi', { params, body: selection, apiKey });
  const { verifiableCredential: shown } = derived;
  await play('verifyCredentialByVcApi', { params, body: { verifiableCredential: shown }, apiKey });
  const presentation: JsonObject = {
    '@context': [credentialsV2],
    type: ['VerifiablePresentation'],
    verifiableCredential: [shown],
  };
  const presented = await play('presentByVcApi', { params, body: { presentation, options }, apiKey });
  const check = { ...presented, options };
  await play('verifyPresentationByVcApi', { params, body: check, apiKey });
  const change = { credentialId, credentialStatus: { statusPurpose: 'suspension' }, status: true };
  await play('changeStatusByVcApi', { params, body: change, apiKey });
}
