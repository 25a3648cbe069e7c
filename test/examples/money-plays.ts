/** The examples of paid credentials, of the facilitator, of custody, of events, and of who runs the service. */
import type { JsonObject } from '@symbolon/wire/json/json';
import { custodySteps } from '../support/custody-steps.ts';
import { at } from '../support/http.ts';
import { askPrice, familyPayment, headerOf, paymentFor, signedPayload } from '../support/payment-world.ts';
import { paidApplicationText, signText } from '../support/service-steps.ts';
import { type DemoWorld, demoAddress, extendedHeaders } from './demo-world.ts';
import { playDeliveries } from './developer-plays.ts';
import type { PlayService } from './player.ts';

const network = 'zetrix:testnet';

/** The transcript that the demo sells. */
async function playPurchase(play: PlayService, { demo, holder, service, issuer }: DemoWorld): Promise<void> {
  const templateId = demo.templates.find(({ name }) => name === 'Transcript of records')
    ?.templateId as string;
  const { apiKey } = issuer;
  await play('setPrice', {
    body: { templateId, amount: '250', asset: demo.token?.address as string },
    apiKey,
  });
  await play('setAutoIssue', {
    body: {
      templateId,
      isEnabled: true,
      perDayMax: 100,
      until: '2099-12-31',
      validSeconds: 31_536_000,
      allowReissue: true,
      privateKey: demo.issuer.privateKey,
    },
    apiKey,
  });
  await play('listPrices', { query: { limit: '10' }, apiKey });
  await play('listAutoIssue', { query: { limit: '10' }, apiKey });
  const metadata = { name: 'Mira Example', studentNumber: 'EX-20417', credits: '180' };
  const quote = { templateId, metadata, publicKey: holder.publicKey };
  const { signPayload: data } = (await play('quotePaidCredential', { body: quote })).data as JsonObject;
  const signedText = paidApplicationText(data as string, { audience: demoAddress });
  const order: JsonObject = {
    data: data as string,
    signData: signText(holder, signedText),
    publicKey: holder.publicKey,
    signedText,
  };
  const demand = await askPrice(service, order);
  const payment = await paymentFor({ service }, holder, demand);
  const { paymentId } = demand.extra as JsonObject;
  const body = { ...order, paymentId };
  await play('applyForPaidCredential', { body, headers: { 'X-PAYMENT': headerOf(payment) } });
  await play('getPaymentStatus', {
    params: { paymentId: paymentId as string },
    headers: extendedHeaders(holder, 'payment-status', paymentId as string),
  });
}

async function playFacilitator(play: PlayService, { holder, issuer, service }: DemoWorld): Promise<void> {
  await play('getSupportedPayments');
  const payload = await signedPayload({ service }, holder, { payTo: issuer.address, amount: 1_000n });
  const asked = { scheme: 'exact', network, payTo: issuer.address, asset: 'ZTX', amount: '1000' };
  const body = { ...familyPayment(payload), paymentRequirements: asked };
  await play('verifyPayment', { body });
  const settled = await play('settlePayment', { body });
  await play('getSettlement', { query: { blobId: at(settled, 'object', 'txHash') as string } });
  await play('preparePayment', {
    body: { clientAddress: holder.address, payTo: issuer.address, amount: '1000', asset: 'ZTX', network },
  });
}

async function playCustody(play: PlayService, { service, holder2 }: DemoWorld): Promise<void> {
  const password = 'correct horse battery';
  const made = await play('createCustodyAccount', {
    body: { password, label: 'Savings', purpose: 'holder' },
  });
  const address = at(made, 'data', 'zetrixAddress') as string;
  const account = { address, password };
  await play('getCustodyActivation', { query: { address } });
  const steps = custodySteps(service.url, service.ledger);
  const blob = await steps.blobOf(address, [{ payCoin: { destAddress: holder2.address, amount: 1_000n } }]);
  await play('signCustodyBlob', { body: { blob, ...account } });
  await play('signCustodyBlobListed', { body: { blob, ...account } });
  await play('signCustodyMessage', { body: { message: 'I agree to the terms', ...account } });
  await play('getCustodyPolicy', {
    query: { address },
    headers: { 'x-custody-password': encodeURIComponent(password) },
  });
  await play('changeCustodyPolicy', { body: { ...account, dailyAmountMax: '5000000', dailyCountMax: 20 } });
  await play('changeCustodyPassword', { body: { ...account, newPassword: 'another horse battery' } });
}

export async function playMoney(play: PlayService, world: DemoWorld): Promise<void> {
  await playPurchase(play, world);
  await playFacilitator(play, world);
  await playCustody(play, world);
  await play('withdrawIssuerKey', { apiKey: world.issuer.apiKey });
}

/** Played last: by then something has happened. */
export async function playEvents(play: PlayService, world: DemoWorld): Promise<void> {
  const { issuer, verifier } = world;
  await play('watchEvents', { query: { from: 'start' }, apiKey: issuer.apiKey });
  await play('listEvents', { query: { after: '0', limit: '3' }, apiKey: verifier.apiKey });
  const { apiKey } = issuer;
  await play('setWebhook', {
    body: { name: 'registry', callbackUrl: 'https://hooks.example/events' },
    apiKey,
  });
  await play('listWebhooks', { apiKey });
  await playDeliveries(play, world);
  await play('removeWebhook', { params: { name: 'registry' }, apiKey });
}

export async function playOperator(play: PlayService, { adminKey }: DemoWorld): Promise<void> {
  await play('getSealKeys');
  await play('listAuditEntries', { query: { action: 'credential.issue', limit: '5' }, apiKey: adminKey });
  const { sequence } = await play('getAuditHead', { apiKey: adminKey });
  await play('getAuditProof', { params: { sequence: String(sequence) }, apiKey: adminKey });
}
