/** The examples of issuers and of the holders who apply to them: from a template to a revoked credential. */
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { parseOfferLink } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  createSteps,
  ok,
  sha256Of,
  signedBlobBody,
  signText,
  submitBody,
  timedApplyBody,
} from '../support/service-steps.ts';
import { plainPost } from '../support/service-world.ts';
import { type DemoWorld, demoAddress, extendedHeaders, presence, textOf } from './demo-world.ts';
import type { PlayService } from './player.ts';

const signedFor = { audience: demoAddress, nowMs: () => Date.now() };

const libraryCard = (issuerDid: string): JsonObject => ({
  templateName: 'Library card',
  issuerDid,
  version: '1.0.0',
  credentialFormat: [
    { attribute: 'Full name', key: 'name', format: 'string', type: 1, mandatory: true },
    { attribute: 'Date of birth', key: 'birthDate', format: 'date', type: 5, mandatory: true },
    { attribute: 'Books at once', key: 'booksMax', format: 'integer', type: 3, mandatory: false },
  ],
  remark: 'Cards of the university library',
});

const values = { name: 'Mira Example', birthDate: '1999-04-12', booksMax: '12' };

export interface Issued {
  readonly templateId: string;
  readonly vcId: string;
  readonly vc: JsonObject;
}

async function playTemplates(play: PlayService, { issuer, demo }: DemoWorld): Promise<string> {
  const { apiKey } = issuer;
  const blob = await play('createTemplateBlob', { body: libraryCard(issuer.did), apiKey });
  const made = await play('submitTemplate', { body: signedBlobBody(issuer, blob), apiKey });
  const templateId = textOf(made, 'templateId');
  const { issuerDid: issuerDID, ...card } = libraryCard(issuer.did);
  await play('createTemplate', {
    body: { ...card, templateName: 'Gym card', issuerDID, issuerPrivateKey: demo.issuer.privateKey },
    apiKey,
  });
  await play('listTemplates', { query: { q: 'card', limit: '10' } });
  await play('getTemplate', { params: { templateId }, query: { version: '1.0.0' } });
  await play('getTemplateSchema', { params: { templateId } });
  await play('getTemplateHistory', { params: { templateId } });
  return templateId;
}

async function playIssuance(play: PlayService, world: DemoWorld, templateId: string): Promise<Issued> {
  const { issuer, holder, holder2, service } = world;
  const { apiKey } = issuer;
  const application = await play('applyForCredential', {
    body: timedApplyBody(holder, templateId, { ...signedFor, values }),
  });
  const vcId = textOf(application, 'vcId');
  await play('listApplications', { query: { status: 'Pending', templateId, order: 'newest' }, apiKey });
  const body = {
    vcId,
    templateId,
    issuanceData: '',
    expiredDate: '2099-12-31',
    metadata: 'Seen at the desk',
  };
  const created = await play('createCredential', { body, apiKey });
  await play('getApplication', { params: { vcId }, apiKey });
  await play('showApplication', { body: { vcId }, apiKey });
  const submitted = await play('submitCredential', { body: submitBody(issuer, vcId, created), apiKey });
  const signedText = presence('download', vcId);
  await play('downloadCredential', {
    body: { vcId, signVcId: signText(holder, signedText), isIssuer: false, signedText },
  });
  await play('downloadExtended', {
    body: { address: holder.address },
    headers: extendedHeaders(holder, 'download-all'),
  });
  const unwanted = await createSteps(plainPost(service.url), signedFor).apply(holder2, templateId, values);
  await play('rejectApplication', { body: { vcId: unwanted, reason: 'The name is another one' }, apiKey });
  await play('listOwnApplications', {
    body: { limit: 10 },
    headers: extendedHeaders(holder2, 'own-applications'),
  });
  return { templateId, vcId, vc: submitted.vcObject as JsonObject };
}

/** One offer is accepted, another withdrawn. */
async function playOffers(play: PlayService, world: DemoWorld, templateId: string): Promise<void> {
  const { issuer, holder2, service } = world;
  const { apiKey } = issuer;
  const metadata = Object.entries({ ...values, name: 'Oren Example' }).map(([key, value]) => ({
    key,
    value,
  }));
  const order = { templateId, metadata, reference: 'oren@example.org', expiresInSeconds: 86_400 };
  const made = await play('makeOffer', { body: { ...order, txCode: true }, apiKey });
  const { code } = parseOfferLink(textOf(made, 'link'));
  const bearer = { 'pre-authorized_code': code, tx_code: textOf(made, 'txCode') };
  const shown = await play('previewOffer', { body: bearer });
  const offerId = textOf(shown, 'offerId');
  const offered = (shown.attributes as JsonObject[]).map(({ key, value }) => ({ key, value }));
  const challenge = sha256Of(canonicalJson({ templateId, metadata: offered }));
  const signedText = presence('offer-acceptance', offerId, { challenge });
  const signData = signText(holder2, signedText);
  await play('acceptOffer', {
    body: { ...bearer, holderPublicKey: holder2.publicKey, signData, signedText },
  });
  await play('listOffers', { query: { state: 'accepted', templateId }, apiKey });
  const answer = await plainPost(service.url)(
    '/cred/v1/offers/create',
    { ...order, reference: 'by mistake' },
    { apiKey },
  );
  await play('withdrawOffer', { body: { offerId: textOf(ok(answer), 'offerId') }, apiKey });
}

/** One credential is suspended and reinstated, then revoked; others are revoked together. */
async function playStatuses(play: PlayService, world: DemoWorld, { templateId }: Issued): Promise<string> {
  const { issuer, holder, holder2, service } = world;
  const steps = createSteps(plainPost(service.url), signedFor);
  const [{ vcId }, { vcId: other }] = [
    await steps.issue({ issuer, holder: holder2 }, templateId, { ...values, name: 'Oren Example' }),
    await steps.issue({ issuer, holder }, templateId, { ...values, booksMax: '3' }),
  ];
  const { address: issuerAddress, apiKey } = issuer;
  const order = { vcId, issuerAddress };
  const suspension = await play('createSuspensionBlob', { body: { ...order, remark: 'Card lost' }, apiKey });
  await play('submitSuspension', { body: signedBlobBody(issuer, suspension), apiKey });
  const end = await play('createReinstatementBlob', { body: { ...order, remark: 'Card found' }, apiKey });
  await play('submitReinstatement', { body: signedBlobBody(issuer, end), apiKey });
  const revocation = await play('createRevocationBlob', { body: { ...order, remark: 'Left' }, apiKey });
  await play('submitRevocation', { body: signedBlobBody(issuer, revocation), apiKey });
  const bulk = { vcIds: [other], issuerAddress, remark: 'The library has closed' };
  await play('createBulkRevocationBlob', { body: bulk, apiKey });
  await play('getRevocationStatus', { body: { vcId } });
  await play('listIssued', { query: { status: 'Revoked', templateId, limit: '10' }, apiKey });
  await play('getIssued', { params: { vcId }, apiKey });
  await play('countIssuerRecords', { apiKey });
  return vcId;
}

export async function playIssuer(play: PlayService, world: DemoWorld): Promise<Issued> {
  const { issuer } = world;
  const templateId = await playTemplates(play, world);
  const issued = await playIssuance(play, world, templateId);
  await playStatuses(play, world, issued);
  await playOffers(play, world, templateId);
  const seed = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
  const key = await play('createBbsKey', { body: { seed }, apiKey: issuer.apiKey });
  const { publicKeyMultibase } = key;
  await play('listIssuerKeys', { apiKey: issuer.apiKey });
  await play('signWithBbs', {
    body: { publicKeyMultibase, data: ['Mira Example', '1999-04-12'] },
    apiKey: issuer.apiKey,
  });
  await playIdentity(play, world);
  return issued;
}

async function playIdentity(play: PlayService, { issuer: { did, apiKey } }: DemoWorld): Promise<void> {
  const params = { issuer: did.slice('did:zid:'.length) };
  const made = await play('makeSigningKey', { body: { kind: 'es256' }, apiKey });
  await play('getIssuerDidDocument', { params });
  await play('getIssuerJwks', { params });
  await play('getJwtVcIssuer', { params });
  await play('endSigningKey', { params: { kid: textOf(made, 'kid') }, apiKey });
}
