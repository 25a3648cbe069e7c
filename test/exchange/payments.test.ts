/**
 * Paid issuance over HTTP: what is checked before money is spoken of, what is asked for, what is taken and what is
 * refused, and that one payment is one credential however often it is sent.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type LedgerClient, SdkError } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { lenientHexBytes } from '@symbolon/wire/payments/old-signing';
import { asksFor } from '../support/asked-routes.ts';
import {
  askPrice,
  customer,
  deployToken,
  familyPayment,
  giveTokens,
  headerOf,
  paidBody,
  pay,
  paymentFor,
  paymentSuite,
  payPaths,
  readHeader,
  sell,
  sellerOf,
  signedPayload,
  startPaymentWorld,
  statusOf,
} from '../support/payment-world.ts';
import { person } from '../support/people.ts';
import { getService, postService } from '../support/service-http.ts';
import { applyBody, fewValues, ok, paths, signText } from '../support/service-steps.ts';
import { registerCard } from '../support/service-world.ts';

const { proofs, world } = await paymentSuite();

describe('what it costs', () => {
  test('is told in the form of the family and in the canonical one', async () => {
    const body = paidBody(person('asks'), world.templateId);
    const answer = await postService(world.url, payPaths.apply, body);
    assert.equal(answer.status, 402);
    const { accepts, ...rest } = answer.body;
    assert.deepEqual(rest, { x402Version: 1, error: 'Payment is required' });
    const [first, ...others] = accepts as JsonObject[];
    assert.deepEqual(others, []);
    const { extra, ...demand } = first!;
    const { address } = world.issuer;
    assert.deepEqual(demand, {
      scheme: 'exact',
      network: 'zetrix:testnet',
      maxAmountRequired: '250000',
      amount: '250000',
      resource: `${world.url}/v1/vc/pay/apply`,
      payTo: address,
      asset: 'ZTX',
      maxTimeoutSeconds: 300,
      description: 'Credential: Club card',
      mimeType: 'application/json',
      outputSchema: null,
    });
    const { paymentId, ...further } = extra as JsonObject;
    assert.match(paymentId as string, /^[0-9a-f]{32}$/);
    assert.deepEqual(further, { templateCode: world.templateId, issuerAddress: address, gasModel: 'client' });
    const canonical = readHeader(answer.headers['payment-required']);
    assert.equal(canonical.x402Version, 2);
    assert.deepEqual((canonical.accepts as JsonObject[])[0], {
      scheme: 'exact',
      network: 'zetrix:testnet',
      amount: '250000',
      payTo: address,
      asset: 'ZTX',
      maxTimeoutSeconds: 300,
      extra,
    });
    assert.equal((canonical.resource as JsonObject).url, `${world.url}/v1/vc/pay/apply`);
    assert.equal(
      (await askPrice(world, body)).extra && (await statusOf(world, paymentId!)).status,
      'REQUIRED',
    );
  });

  test('is quoted, with the text to sign; who signs that text can pay at once', async () => {
    const holder = await customer(world.client, 'quoted');
    const order = { templateId: world.templateId, metadata: fewValues, publicKey: holder.publicKey };
    const quote = ok(await postService(world.url, payPaths.quote, order)).data as JsonObject;
    assert.deepEqual(quote.price, { amount: '250000', asset: 'ZTX', symbol: 'ZTX', decimals: 6 });
    const data = quote.signPayload as string;
    assert.equal(quote.signBytesHex, Buffer.from(data).toString('hex'));
    const body = {
      data,
      signData: signText(holder, data),
      publicKey: holder.publicKey,
      paymentId: quote.paymentId!,
    };
    const demand = { payTo: quote.payTo!, asset: 'ZTX', maxAmountRequired: '250000' };
    const answer = await pay(world, body, await paymentFor(world, holder, demand));
    assert.equal(answer.status, 200, answer.text);
  });
});

describe('a quote, which nobody has signed,', () => {
  test('is adopted by no application that does not name it, and tells of no other', async () => {
    const holder = await customer(world.client, 'watched');
    const order = { templateId: world.templateId, metadata: fewValues, publicKey: holder.publicKey };
    const ask = async () => ok(await postService(world.url, payPaths.quote, order)).data as JsonObject;
    const [guess, again] = [await ask(), await ask()];
    assert.notEqual(guess.paymentId, again.paymentId);
    const data = guess.signPayload as string;
    const body = { data, signData: signText(holder, data), publicKey: holder.publicKey };
    const demand = await askPrice(world, body);
    const { paymentId } = demand.extra as JsonObject;
    for (const quote of [guess, again, await ask()]) assert.notEqual(quote.paymentId, paymentId);
    assert.equal((await pay(world, body, await paymentFor(world, holder, demand))).status, 200);
    assert.equal((await statusOf(world, guess.paymentId!)).status, 'REQUIRED');
  });

  test('does not tell whether the issuer has the holder on its list', async () => {
    const [listed, stranger] = [await customer(world.client, 'listed'), person('not listed')];
    const policy = { holders: [`did:zid:${listed.publicKey.slice(4, 68)}`], perDayMax: 5 };
    const goods = { templateName: 'Listed card', price: { amount: '10' }, policy };
    const templateId = await sell(sellerOf(world), goods);
    for (const { publicKey } of [listed, stranger]) {
      const order = { templateId, metadata: fewValues, publicKey };
      ok(await postService(world.url, payPaths.quote, order));
    }
    const refused = await postService(world.url, payPaths.apply, paidBody(stranger, templateId));
    assert.deepEqual([refused.status, refused.body.code], [403, 'autoIssueRefused']);
  });
});

describe('before money is spoken of', () => {
  const refusals: readonly [string, number, string, () => Promise<JsonObject> | JsonObject][] = [
    [
      'a signature over another text',
      401,
      'signerMismatch',
      () => ({ ...paidBody(person('a'), world.templateId), signData: signText(person('a'), 'x') }),
    ],
    [
      'an unknown template',
      404,
      'templateUnknown',
      () => paidBody(person('a'), `did:zid:${'ab'.repeat(32)}`),
    ],
    [
      'an unknown attribute',
      400,
      'attributesInvalid',
      () => paidBody(person('a'), world.templateId, { ...fewValues, shoe: '43' }),
    ],
    [
      'a missing attribute',
      400,
      'attributesInvalid',
      () => paidBody(person('a'), world.templateId, { fullName: 'A' }),
    ],
    [
      'a date beyond what the issuer allows',
      400,
      'validityInvalid',
      () => ({ ...paidBody(person('a'), world.templateId), expirationDate: '2098-01-01' }),
    ],
    [
      'two elements',
      400,
      'requestMalformed',
      () => {
        const data = '[{},{}]';
        return { data, signData: signText(person('a'), data), publicKey: person('a').publicKey };
      },
    ],
    [
      'a pending application',
      409,
      'applicationExists',
      async () => {
        ok(await postService(world.url, paths.apply, applyBody(person('pending'), world.templateId)));
        return paidBody(person('pending'), world.templateId);
      },
    ],
  ];
  for (const [what, status, code, make] of refusals)
    test(`${what} is refused`, async () => {
      const body = await make();
      const answer = await postService(world.url, payPaths.apply, body);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.code, code);
      assert.equal(answer.headers['payment-required'], undefined);
    });

  test('the word of the family for a wrong signature is said', async () => {
    const body = { ...paidBody(person('a'), world.templateId), signData: signText(person('a'), 'x') };
    const answer = await postService(world.url, payPaths.apply, body);
    assert.match(answer.body.message as string, /^X402_SIGNATURE_INVALID/);
  });

  test('a signature by the old rule is refused unless the operator lets it pass', async (context) => {
    const holder = person('lenient');
    const body = paidBody(holder, world.templateId);
    const lenient = Buffer.from(holder.sign(lenientHexBytes(body.data as string))).toString('hex');
    const old = { ...body, signData: lenient };
    assert.equal((await postService(world.url, payPaths.apply, old)).status, 401);
    const config = { compat: { lenientSignatures: true } };
    const open = await startPaymentWorld(
      { after: (end) => context.after(end) },
      { proofs, config, node: world.service.node },
    );
    const again = paidBody(holder, open.templateId);
    const text = again.data as string;
    const signData = Buffer.from(holder.sign(lenientHexBytes(text))).toString('hex');
    await customer(world.client, 'lenient');
    const demand = await askPrice(open, { ...again, signData });
    assert.match(open.service.logged(), /signature by the old rule/);
    // Another text that gives the same bytes is not the one that was asked for.
    const other = text.replaceAll('o', 'u');
    assert.notEqual(other, text);
    assert.deepEqual(lenientHexBytes(other), lenientHexBytes(text));
    const forged = { ...again, data: other, signData };
    const payment = await paymentFor(open, holder, demand);
    const extra = demand.extra as JsonObject;
    const answer = await pay(open, { ...forged, paymentId: extra.paymentId! }, payment);
    assert.deepEqual([answer.status, answer.body.code], [409, 'signatureUsed'], answer.text);
    assert.equal((await pay(open, { ...again, signData }, payment)).status, 200);
  });
});

describe('paying', () => {
  test('a payment gets the credential, and the same again gets the same', async () => {
    const holder = await customer(world.client, 'buyer');
    const body = paidBody(holder, world.templateId);
    const demand = await askPrice(world, body);
    const before = await world.service.node.balance(world.issuer.address);
    const payment = await paymentFor(world, holder, demand);
    const answer = await pay(world, body, payment);
    assert.equal(answer.status, 200, answer.text);
    const data = answer.body.data as JsonObject;
    const { paymentId } = demand.extra as JsonObject;
    assert.equal(data.paymentId, paymentId);
    assert.equal((data.verifiableCredential as JsonObject).id, data.vcId);
    assert.equal(await world.service.node.balance(world.issuer.address), before + 250_000n);
    const receipt = {
      success: true,
      transaction: data.txHash,
      network: 'zetrix:testnet',
      payer: holder.address,
    };
    assert.deepEqual(readHeader(answer.headers['payment-response']), receipt);
    assert.deepEqual(readHeader(answer.headers['x-payment-response']), {
      ...receipt,
      txHash: data.txHash,
      networkId: 'zetrix:testnet',
    });
    assert.equal((await pay(world, body, payment)).text, answer.text);
    assert.equal((await pay(world, { ...body, paymentId: paymentId! }, payment)).text, answer.text);
    const { vcId, txHash } = data;
    assert.deepEqual(await statusOf(world, paymentId!), {
      paymentId,
      status: 'ISSUED',
      txHash,
      vcId,
      outcome: 'known',
    });
    const headers = { publicKey: holder.publicKey, signedData: signText(holder, paymentId as string) };
    const own = ok(await getService(world.url, `${payPaths.status}/${paymentId}`, { headers }));
    assert.deepEqual((own.data as JsonObject).verifiableCredential, data.verifiableCredential);
    for (const [forged, code] of [
      [{ publicKey: holder.publicKey }, 'walletNotAuthenticated'],
      [{ ...headers, signedData: 'zz' }, 'walletNotAuthenticated'],
      [{ ...headers, signedData: signText(holder, 'another payment') }, 'signerMismatch'],
      [{ ...headers, publicKey: person('nosy').publicKey }, 'signerMismatch'],
    ] as const) {
      const place = `${payPaths.status}/${paymentId}`;
      const refused = await getService(world.url, place, { headers: forged });
      assert.deepEqual([refused.status, refused.body.code], [401, code], refused.text);
    }
    const status = ok(await getService(world.url, `/cred/v1/vc/status?vcId=${vcId}`));
    assert.equal(status.status, 'Active');
    const { events } = await world.service.issuer.client.listEvents({ limit: '200' });
    const told = events.filter(({ subject }) => subject === paymentId || subject === vcId);
    assert.deepEqual(
      told.map(({ event }) => event),
      ['payment.settled', 'application.received', 'application.approved', 'credential.issued'],
    );
    assert.deepEqual([told[0]?.vcId, told[0]?.txHash, told[0]?.issuer], [vcId, txHash, world.issuer.did]);
    assert.equal((await postService(world.url, payPaths.apply, body)).text, answer.text);
    // A quote needs no signature, so it tells nobody what the holder has.
    const order = { templateId: world.templateId, metadata: fewValues, publicKey: holder.publicKey };
    assert.equal((await postService(world.url, payPaths.quote, order)).status, 200);
  });

  test('twenty at once with one payment are one credential', async () => {
    const holder = await customer(world.client, 'impatient');
    const body = paidBody(holder, world.templateId);
    const payment = await paymentFor(world, holder, await askPrice(world, body));
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(world, body, payment)));
    const told = new Set(answers.map(({ status, text }) => `${status} ${text}`));
    assert.equal(told.size, 1);
    assert.match([...told][0]!, /^200 /);
  });

  test('a token pays as well as Gas', async () => {
    const token = await deployToken(world.client);
    const holder = await customer(world.client, 'token buyer');
    const price = { amount: '1500', asset: token.address };
    const templateId = await sell(sellerOf(world), { templateName: 'Token card', price });
    const body = paidBody(holder, templateId);
    const demand = await askPrice(world, body);
    assert.equal(demand.asset, token.address);
    const poor = await pay(world, body, await paymentFor(world, holder, demand));
    assert.deepEqual([poor.status, poor.body.status], [402, 4006]);
    assert.equal((poor.body.data as JsonObject).errorCode, 460_808);
    await giveTokens(world.client, token, { to: holder.address, value: '2000' });
    const answer = await pay(world, body, await paymentFor(world, holder, demand));
    assert.equal(answer.status, 200, answer.text);
  });

  test('what is not what was asked for is refused, and nothing is paid', async () => {
    const holder = await customer(world.client, 'cheat');
    const other = await customer(world.client, 'other payer');
    const body = paidBody(holder, world.templateId);
    const demand = await askPrice(world, body);
    const payTo = demand.payTo as string;
    const good = { payTo, amount: 250_000n };
    const expired = Math.floor(Date.now() / 1_000) - 1;
    const cases: Record<string, JsonObject> = {
      amount: await signedPayload(world, holder, { payTo, amount: 249_999n }),
      payee: await signedPayload(world, holder, { payTo: other.address, amount: 250_000n }),
      asset: await signedPayload(world, holder, { ...good, asset: other.address }),
      payer: await signedPayload(world, other, good),
      expired: await signedPayload(world, holder, { ...good, validBefore: expired }),
      twice: await signedPayload(world, holder, {
        ...good,
        operations: [1, 2].map(() => ({ type: 7, pay_coin: { dest_address: payTo, amount: 250_000 } })),
      }),
    };
    const balances = () =>
      Promise.all([holder, other].map(({ address }) => world.service.node.balance(address)));
    const before = await balances();
    for (const [what, payload] of Object.entries(cases)) {
      const answer = await pay(world, body, familyPayment(payload));
      assert.deepEqual([answer.status, answer.body.status], [402, 4006], `${what}: ${answer.text}`);
      if (what === 'expired') assert.equal((answer.body.data as JsonObject).errorCode, 460_807);
    }
    const wrongNetwork = familyPayment(await signedPayload(world, holder, good), 'zetrix:mainnet');
    assert.equal(((await pay(world, body, wrongNetwork)).body.data as JsonObject).errorCode, 461_407);
    for (const header of ['!', 'e30=', headerOf({ x402Version: 2 })]) {
      const answer = await postService(world.url, payPaths.apply, body, { headers: { 'x-payment': header } });
      assert.deepEqual([answer.status, answer.body.status], [402, 4006]);
    }
    assert.deepEqual(await balances(), before);
    const { paymentId } = demand.extra as JsonObject;
    assert.equal((await statusOf(world, paymentId!)).status, 'REQUIRED');
    assert.equal(
      (await pay(world, body, familyPayment(await signedPayload(world, holder, good)))).status,
      200,
    );
  });

  test('a transaction that was used, here or elsewhere, pays nothing again', async () => {
    const holder = await customer(world.client, 'second use');
    const open = await sell(sellerOf(world), {
      templateName: 'Day ticket',
      price: { amount: '250000' },
      policy: { allowReissue: true },
    });
    const first = paidBody(holder, open);
    const payment = await paymentFor(world, holder, await askPrice(world, first));
    assert.equal((await pay(world, first, payment)).status, 200);
    const second = paidBody(holder, open, { ...fewValues, fullName: 'Another Name' });
    const demand = await askPrice(world, second);
    const { paymentId } = demand.extra as JsonObject;
    const again = await pay(world, { ...second, paymentId: paymentId! }, payment);
    assert.deepEqual([again.status, again.body.status], [402, 4006], again.text);
    assert.equal((again.body.data as JsonObject).errorCode, 460_810);
    // An old payment to the same issuer is no payment for this.
    const old = await paymentFor(world, holder, demand);
    const settled = await postService(world.url, `${payPaths.facilitator}/settle`, old);
    assert.equal((settled.body.object as JsonObject).status, 'CONFIRMED', settled.text);
    const late = await pay(world, { ...second, paymentId: paymentId! }, old);
    assert.deepEqual([late.status, (late.body.data as JsonObject).errorCode], [402, 460_810]);
  });
});

/** A way to the ledger whose answers can be lost: what is handed in arrives, and nothing is heard of it. */
function losingClient(client: LedgerClient, isLosing: () => boolean): LedgerClient {
  const lost = (): never => {
    throw new SdkError('unreachable', 'the answer was lost', { hint: 'none' });
  };
  return {
    ...client,
    submitTransaction: async (body) => {
      const reply = await client.submitTransaction(body);
      return isLosing() ? lost() : reply;
    },
    multiQuery: async (batch) =>
      isLosing() && asksFor(batch, /^getTransaction(History|Cache)$/) ? lost() : client.multiQuery(batch),
  };
}

test('an outcome that is not known is said to be unknown, and is found out by asking', async (context) => {
  let isLosing = false;
  const { node, ledger } = world.service;
  const client = losingClient(ledger, () => isLosing);
  const shop = await startPaymentWorld({ after: (end) => context.after(end) }, { proofs, node, client });
  const holder = await customer(world.client, 'lost answer');
  const body = paidBody(holder, shop.templateId);
  const demand = await askPrice(shop, body);
  const payment = await paymentFor(shop, holder, demand);
  isLosing = true;
  const answer = await pay(shop, body, payment);
  assert.deepEqual([answer.status, answer.body.status], [502, 4012], answer.text);
  const { paymentId } = demand.extra as JsonObject;
  const facts = answer.body.data as JsonObject;
  assert.deepEqual([facts.paymentId, facts.asset, facts.amount], [paymentId, 'ZTX', '250000']);
  assert.match(facts.txHash as string, /^[0-9a-f]{64}$/);
  const told = await statusOf(shop, paymentId!);
  assert.deepEqual([told.status, told.outcome, told.txHash], ['REQUIRED', 'unknown', facts.txHash]);
  isLosing = false;
  assert.equal((await statusOf(shop, paymentId!)).status, 'ISSUED');
  assert.equal((await pay(shop, body, payment)).status, 200);
});

describe('what the issuer sets', () => {
  test('a template that costs nothing is issued at once, and once', async () => {
    const templateId = await sell(sellerOf(world), { templateName: 'Free card', price: { amount: 0 } });
    const body = paidBody(person('frugal'), templateId);
    const [first, second] = await Promise.all([1, 2].map(() => postService(world.url, payPaths.apply, body)));
    assert.equal(first!.status, 200, first!.text);
    const data = first!.body.data as JsonObject;
    assert.equal(data.txHash, null);
    assert.equal((await postService(world.url, payPaths.apply, body)).text, first!.text);
    assert.equal(second!.text, first!.text);
    assert.equal((await statusOf(world, data.paymentId!)).status, 'ISSUED');
  });

  test('who may apply, and how many a day', async () => {
    const one = person('member');
    const policy = { holders: [`did:zid:${one.publicKey.slice(4, 68)}`], perDayMax: 1, allowReissue: true };
    const order = { templateName: 'Members', price: { amount: '0' }, policy };
    const templateId = await sell(sellerOf(world), order);
    const stranger = await postService(world.url, payPaths.apply, paidBody(person('stranger'), templateId));
    assert.deepEqual([stranger.status, stranger.body.code], [403, 'autoIssueRefused']);
    ok(await postService(world.url, payPaths.apply, paidBody(one, templateId)));
    const body = paidBody(one, templateId, { ...fewValues, fullName: 'Once More' });
    const second = await postService(world.url, payPaths.apply, body);
    assert.deepEqual([second.status, second.body.code], [403, 'autoIssueRefused']);
  });

  test('belongs to the issuer alone, and keys must be the right ones', async () => {
    const { url, templateId, holder, issuer } = world;
    const rules = { templateId, perDayMax: 1, until: '2099-01-01' };
    const notIssuer = await postService(url, payPaths.prices, { templateId, amount: '1' }, holder);
    assert.equal(notIssuer.status, 401);
    const other = (await world.apiKeys.create({ label: 'x', scopes: ['issue'], did: holder.did })).token;
    for (const [path, body] of [
      [payPaths.prices, { templateId, amount: '1' }],
      [payPaths.autoIssue, rules],
    ] as const)
      assert.equal((await postService(url, path, body as JsonObject, { apiKey: other })).status, 403);
    const wrongKey = { ...rules, privateKey: world.service.demo.holder.privateKey };
    assert.equal((await postService(url, payPaths.autoIssue, wrongKey, issuer)).body.code, 'signerMismatch');
    const wrongPrices: JsonObject[] = [
      { templateId, amount: '-1' },
      { templateId, amount: '1.5' },
      { templateId, amount: '1', asset: holder.address },
      { templateId, amount: '1', payTo: 'nobody' },
    ];
    for (const body of wrongPrices)
      assert.equal((await postService(url, payPaths.prices, body, issuer)).status, 400, JSON.stringify(body));
    const unsold = await registerCard(world, 'Unsold');
    const answer = await postService(url, payPaths.apply, paidBody(person('a'), unsold));
    assert.deepEqual([answer.status, answer.body.code], [403, 'autoIssueRefused']);
    assert.equal((await getService(url, `${payPaths.status}/unknown`)).status, 404);
  });

  test('ends when the issuer takes its key back', async () => {
    const { url, issuer } = world;
    const templateId = await sell(sellerOf(world), { templateName: 'Last orders', price: { amount: '0' } });
    const late = { templateId, perDayMax: 1, until: '2001-01-01' };
    const refused = await postService(url, payPaths.autoIssue, late, issuer);
    assert.deepEqual([refused.status, refused.body.code], [400, 'validityInvalid']);
    ok(await postService(url, payPaths.apply, paidBody(person('in time'), templateId)));
    assert.equal((await postService(url, payPaths.withdraw, '')).status, 401);
    for (const body of ['{"templateId":"did:zid:x"}', '{"a":1,"a":2}', '"\\u0000"', '[]', '5', '{'])
      assert.equal((await postService(url, payPaths.withdraw, body, issuer)).status, 400, body);
    const { data } = ok(await postService(url, payPaths.withdraw, '', issuer));
    const { stoppedTemplates, ...rest } = data as JsonObject;
    assert.deepEqual(rest, { issuer: issuer.did, isRemoved: true });
    assert.ok(Number(stoppedTemplates) >= 1);
    const answer = await postService(url, payPaths.apply, paidBody(person('too late'), templateId));
    assert.deepEqual([answer.status, answer.body.code], [403, 'autoIssueRefused']);
    // Without the key no policy can be set; with it the issuer begins anew.
    const again = { templateId, perDayMax: 1, until: '2099-01-01' };
    assert.equal((await postService(url, payPaths.autoIssue, again, issuer)).body.code, 'keyUnknown');
    const repeated = ok(await postService(url, payPaths.withdraw, '', issuer)).data as JsonObject;
    assert.deepEqual([repeated.isRemoved, repeated.stoppedTemplates], [false, 0]);
  });
});
