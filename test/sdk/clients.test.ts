/**
 * The SDK's client of every route, on a running service: replies without their envelopes, refusals of every envelope as
 * one kind of error, a price as `PaymentRequired`, a session as a stream of events, signatures by custody.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  buyCredential,
  createCredentialClient,
  createLedgerClient,
  custodyPasswordHeaders,
  holderHeaders,
  httpTransport,
  PaymentRequired,
  presentCredential,
  type ServiceError,
  sendTransaction,
  signerFromCustody,
  signerFromSeed,
  signPayment,
  walletHeaders,
} from '@symbolon/sdk';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { issueTo, type PresentationWorld, startPresentationWorld } from '../support/credential-fixtures.ts';
import { custodySettings } from '../support/custody-journey.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { customer, paidBody, sell } from '../support/payment-world.ts';
import { person } from '../support/people.ts';
import { shareProofs } from '../support/running-service.ts';
import { fewValues } from '../support/service-steps.ts';
import { worldOf } from '../support/service-world.ts';
import { claim, requirementsOf } from '../support/verification-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
const price = 250_000n;
let world: PresentationWorld;
let soldTemplate: string;

before(async () => {
  world = await startPresentationWorld(owner, { proofs, config: { custody: custodySettings } });
  const { service } = world;
  const seller = { ...worldOf(service), privateKey: service.demo.issuer.privateKey };
  soldTemplate = await sell(seller, { templateName: 'Club card', price: { amount: String(price) } });
});

test('there is a function for every route of the table', () => {
  const { audience, ...routes } = createCredentialClient('http://127.0.0.1:1/under/a/path');
  assert.equal(audience, 'http://127.0.0.1:1');
  assert.deepEqual(Object.keys(routes).sort(), Object.keys(allRoutes).sort());
});

describe('a credential that costs something', () => {
  test('is demanded for, paid and issued', async () => {
    const { stranger, ledger } = world.service;
    const who = await customer(ledger, 'buyer with the SDK');
    const signer = await signerFromSeed(who.seed);
    const body = paidBody(who, soldTemplate) as never;
    const demanded = await stranger.applyForPaidCredential(body).catch((error: unknown) => error);
    assert.ok(demanded instanceof PaymentRequired);
    assert.equal(demanded.demand.amount, String(price));
    assert.deepEqual([demanded.code, demanded.status], ['paymentRequired', 402]);
    assert.notEqual(demanded.hint, '');
    const paymentId = demanded.paymentId ?? '';
    assert.equal((await stranger.getPaymentStatus({ paymentId })).status, 'REQUIRED');

    const order = { signer, templateId: soldTemplate, attributes: fewValues };
    const payer = { client: ledger, amountsMax: { ZTX: price } };
    let receipt: string | undefined;
    const onHeaders = (headers: Readonly<Record<string, string>>) => {
      receipt = headers['payment-response'];
    };
    const bought = await buyCredential(stranger, { ...order, payer }, { onHeaders });
    assert.equal(bought.verifiableCredential.id, bought.vcId);
    assert.ok(receipt !== undefined, 'the receipt stands in a header');
    const headers = await holderHeaders(signer, stranger, {
      purpose: 'payment-status',
      paymentId: bought.paymentId,
    });
    const status = await stranger.getPaymentStatus({ paymentId: bought.paymentId }, { headers });
    assert.deepEqual([status.status, status.vcId], ['ISSUED', bought.vcId]);
    assert.equal(status.verifiableCredential?.id, bought.vcId);
  });

  test('is not bought above what its payer allows', async () => {
    const who = await customer(world.service.ledger, 'careful buyer');
    const payer = { client: world.service.ledger, amountsMax: { ZTX: price - 1n } };
    const signer = await signerFromSeed(who.seed);
    const order = { signer, templateId: soldTemplate, attributes: fewValues, payer };
    await assert.rejects(buyCredential(world.service.stranger, order), { code: 'invalidArgument' });
  });

  test('is refused like anything else', async () => {
    const { stranger } = world.service;
    await assert.rejects(stranger.getPaymentStatus({ paymentId: 'nobody' }), {
      name: 'ServiceError',
      code: 'paymentUnknown',
      status: 404,
    });
    const body = { ...paidBody(person('x'), soldTemplate), signData: 'ff' } as never;
    await assert.rejects(stranger.applyForPaidCredential(body), { code: 'signatureMalformed' });
    const good = paidBody(person('x'), soldTemplate) as never;
    const headers = { 'x-payment': 'no base64' };
    await assert.rejects(stranger.applyForPaidCredential(good, { headers }), (error: ServiceError) => {
      assert.equal(error instanceof PaymentRequired, false);
      assert.deepEqual([error.code, error.status], ['paymentRefused', 402]);
      return true;
    });
  });
});

describe('the facilitator', () => {
  test('says what it supports, verifies and settles once', async () => {
    const { stranger, ledger, issuer } = world.service;
    const { kinds } = await stranger.getSupportedPayments();
    const network = kinds[0]?.network ?? '';
    const who = await customer(ledger, 'payer of the facilitator');
    const demand = { scheme: 'exact', network, payTo: issuer.signer.address, asset: 'ZTX', amount: '7' };
    const payload = await signPayment(demand, {
      client: ledger,
      signer: await signerFromSeed(who.seed),
      amountsMax: { ZTX: 7n },
    });
    const body = {
      paymentPayload: { x402Version: 2, accepted: demand, payload: payload as never },
      paymentRequirements: demand,
    };
    assert.deepEqual(await stranger.verifyPayment(body), { isValid: true, payer: who.address });
    const settled = await stranger.settlePayment(body);
    assert.ok(['SUBMITTED', 'CONFIRMED', 'QUEUED'].includes(settled.status), settled.status);
    await assert.rejects(stranger.settlePayment(body), (error: ServiceError) => {
      assert.deepEqual([error.code, error.status], ['paymentSettled', 409]);
      assert.equal(error.facts.txHash, settled.txHash);
      return true;
    });
    const asked = await stranger.getSettlement({ blobId: settled.txHash ?? '' });
    assert.equal(asked.txHash, settled.txHash);
    const dearer = { ...body, paymentRequirements: { ...demand, amount: '8' } };
    assert.equal((await stranger.verifyPayment(dearer)).isValid, false);
    await assert.rejects(stranger.getSettlement({ blobId: 'ff' }), { code: 'paymentUnknown' });
  });
});

describe('an account in custody', () => {
  const password = 'pass word ä%';

  test('signs transactions of the ledger', async () => {
    const { stranger, node } = world.service;
    const account = await stranger.createCustodyAccount({ password });
    const { zetrixAddress: address, publicKeyHex: publicKey } = account;
    const signer = signerFromCustody(stranger, { publicKey, password });
    assert.equal(signer.address, address);
    const policy = await stranger.getCustodyPolicy(
      { address },
      { headers: custodyPasswordHeaders(password) },
    );
    assert.equal(policy.address, address);
    await stranger.changeCustodyPolicy({ address, password, operations: ['payCoin', 'log'] });
    const ledger = createLedgerClient(httpTransport(node.url));
    const somebody = await signerFromSeed((await customer(ledger, 'somebody')).seed);
    const gift = [{ payCoin: { destAddress: address, amount: 100_000_000n } }];
    await sendTransaction(ledger, { operations: gift, signers: [somebody] });
    const operations = [{ payCoin: { destAddress: world.service.issuer.signer.address, amount: 5n } }];
    const { code } = await sendTransaction(ledger, { operations, signers: [signer] });
    assert.equal(code, 0);
  });

  test('says no with a code, though every answer has status 200', async () => {
    const { stranger } = world.service;
    const { publicKeyHex: publicKey } = await stranger.createCustodyAccount({ password });
    const signer = signerFromCustody(stranger, { publicKey, password: 'another one' });
    await assert.rejects(signer.sign(Uint8Array.of(1)), (error: ServiceError) => {
      assert.deepEqual([error.code, error.status, error.name], ['passwordWrong', 401, 'ServiceError']);
      assert.equal(error.message.includes('another one'), false);
      assert.notEqual(error.requestId, '');
      return true;
    });
    await assert.rejects(stranger.createCustodyAccount({ password: 'x' }), (error: ServiceError) => {
      assert.equal(error.code, 'requestMalformed');
      assert.equal(error.errors[0]?.pointer, '/password');
      return true;
    });
    const listed = { blob: 'ff', address: signer.address, password: 'another one' };
    await assert.rejects(stranger.signCustodyBlobListed(listed), { code: 'passwordWrong' });
    assert.throws(() => signerFromCustody(stranger, { publicKey: 'ff', password }), {
      code: 'invalidArgument',
    });
  });
});

describe('a verification session', () => {
  test('is watched from its opening to its signed result', async () => {
    const { verifier, stranger, holder } = world.service;
    const vc = await issueTo(world, world.holder);
    const requirements = requirementsOf(world, [claim('city')]);
    const { presentationId: id } = await verifier.client.requestVerification({ requirements });
    const states: string[] = [];
    let result: string | undefined;
    for await (const event of verifier.client.watchVerification({ id })) {
      states.push(event.status);
      result = event.signed_result;
      if (event.status === 'CREATED') {
        await stranger.fetchDefinition({ id });
      } else if (event.status === 'FETCHED') {
        const { nonce } = await stranger.fetchDefinition({ id });
        const { signer } = holder;
        const vp = await presentCredential(stranger, {
          signer,
          vc,
          challenge: nonce,
          revealAttributes: ['city'],
        });
        const submission = { presentation_id: id, vp_token: vp, presentation_submission: {} };
        const answer = await stranger.submitToSession(submission, {
          headers: await walletHeaders(signer, stranger, submission.presentation_id),
        });
        assert.equal(answer.verified, true, JSON.stringify(answer));
      }
    }
    assert.deepEqual([states[0], states.at(-1)], ['CREATED', 'VERIFIED']);
    assert.equal(JSON.parse(result ?? '{}').verified, true);
  });

  test('is told to nobody else, and its watching can be ended', async () => {
    const { verifier, issuer, stranger } = world.service;
    const requirements = requirementsOf(world, [claim('city')]);
    const { presentationId: id } = await verifier.client.requestVerification({ requirements });
    const watch = async (client: typeof stranger, signal?: AbortSignal) => {
      for await (const { status } of client.watchVerification({ id }, { signal })) {
        assert.equal(status, 'CREATED');
      }
    };
    await assert.rejects(watch(stranger), { code: 'notAuthenticated' });
    await assert.rejects(watch(issuer.client), { name: 'ServiceError' });
    await assert.rejects(watch(verifier.client, AbortSignal.timeout(300)), { name: 'TimeoutError' });
    for await (const event of verifier.client.watchVerification({ id })) {
      assert.equal(event.presentation_id, id);
      break;
    }
  });
});
