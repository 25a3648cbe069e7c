/**
 * Verification sessions over HTTP, as the x401 libraries and wallets of the family play them: from the request to the
 * signed result, and every way in which a session ends otherwise.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import { createLedgerClient, httpTransport, revokeCredential } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { issueTo, present } from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startNode } from '../support/running-node.ts';
import { shareProofs } from '../support/running-service.ts';
import { cuttableWay } from '../support/service-cut.ts';
import { getService, postService, type ServiceAnswer } from '../support/service-http.ts';
import {
  answerTo,
  claim,
  holderBinding,
  requirementsOf,
  startVerificationWorld,
  type VerificationWorld,
  walletHeaders,
} from '../support/verification-world.ts';
import {
  challenge,
  fetchDefinition,
  postSubmission,
  proofResponseOf,
  submissionBody,
  verifyProofResponse,
} from '../support/x401.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
/** The ledger has its own time; this one is a little ahead of it, and moves when a test says so. */
const clock = fixedClock(Date.now());
let world: VerificationWorld;

before(async () => {
  world = await startVerificationWorld(owner, { proofs, clock });
});

const city = () => requirementsOf(world, [claim('city')]);
const objectOf = ({ body }: ServiceAnswer): JsonObject => body.object as JsonObject;
const errorsOf = (answer: ServiceAnswer): readonly string[] => objectOf(answer).errors as string[];

function assertFault(answer: ServiceAnswer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
  assert.equal(answer.body.object, null);
  assert.equal(answer.body.success, false);
  const [message] = answer.body.messages as { type: string; errorCode: number; message: string }[];
  assert.equal(message?.type, 'ERROR');
  assert.equal(typeof message?.errorCode, 'number');
}

/** Refused, and said by which check. */
function assertFailed(answer: ServiceAnswer, id: string, error: RegExp): void {
  assert.equal(answer.status, 200, answer.text);
  const { verified, status, signed_result: text } = objectOf(answer);
  assert.deepEqual([verified, status], [false, 'FAILED']);
  const { requestHash, ...said } = JSON.parse(String(text)) as JsonObject;
  assert.match(String(requestHash), /^[0-9a-f]{64}$/);
  assert.deepEqual(said, { presentationId: id, verified: false, status: 'FAILED', verifiedClaims: {} });
  assert.ok(
    errorsOf(answer).some((one) => error.test(one)),
    errorsOf(answer).join('; '),
  );
  const facts = { expectedId: id, nowMs: clock.nowMs() };
  assert.equal(verifyProofResponse(world.server, proofResponseOf(answer), facts), 'PROOF_NOT_VERIFIED');
}

describe('request, fetch, derive, submit', () => {
  test('the signed result is good, byte for byte', async () => {
    const requirements = requirementsOf(world, [
      { path: ['credentialSubject', 'id'] },
      claim('city', { enum: ['Dunedin', 'Nelson'] }),
      claim('height', { minimum: 150 }),
      claim('birthDate', { maximum: '2005-01-01' }),
      claim('remark', { required: false }),
    ]);
    const asked = await challenge(world.server, requirements, { stateId: 'order 17' });
    const { definition, vpToken } = await answerTo(world, asked.presentationId, {
      revealAttributes: ['city'],
      rangeProof: [
        { attribute: 'height', min: 160 },
        { attribute: 'birthDate', max: '2005-01-01' },
      ],
      rangeMethod: 'set-membership',
    });
    assert.equal(definition.nonce, asked.nonce);
    assert.match(asked.nonce, /^[0-9a-f]{32}$/);
    assert.match(asked.presentationId, new RegExp(`^pres_${clock.nowMs()}_[0-9a-f]{8,}$`));
    assert.deepEqual(definition.credentialQuery, requirements);
    const answer = await postSubmission(world.wallet, definition, { vpToken });
    const object = objectOf(answer);
    assert.deepEqual([object.verified, object.status], [true, 'VERIFIED'], answer.text);
    assert.deepEqual(answer.body.messages, []);
    const { did } = world.holder;
    const first =
      `{"presentationId":"${asked.presentationId}","verified":true,"status":"VERIFIED","verifiedClaims":` +
      `{"id":"${did}","city":"Dunedin","birthDate":"range proof ok: <= 2005-01-01","height":"range proof ok: >= 160"},`;
    const signedText = object.signed_result as string;
    assert.equal(signedText.slice(0, first.length), first);
    const [signed] = (JSON.parse(signedText) as JsonObject).credentials as JsonObject[];
    assert.deepEqual(signed?.issuer, { id: world.service.issuer.did });
    assert.equal(signed?.issuerTrust, 'not asked');
    const years = new Date(clock.nowMs()).getUTCFullYear() - 2005;
    assert.deepEqual(signed?.ranges, [
      { attribute: 'birthDate', max: '2005-01-01', text: `<= 2005-01-01, so ${years} or older` },
      { attribute: 'height', min: 160, text: '>= 160' },
    ]);
    const header = proofResponseOf(answer);
    const expected = { expectedId: asked.presentationId, nowMs: clock.nowMs() };
    assert.equal(verifyProofResponse(world.server, header, expected), 'ok');
    const other = { ...world.server, callbackSecret: 'another' };
    assert.equal(verifyProofResponse(other, header, expected), 'BAD_SIGNATURE');
    const late = { ...expected, nowMs: clock.nowMs() + 301_000 };
    assert.equal(verifyProofResponse(world.server, header, late), 'STALE_TIMESTAMP');
    assert.equal(
      verifyProofResponse(world.server, header, { ...expected, expectedId: 'x' }),
      'SESSION_MISMATCH',
    );
    const [credential] = object.credentials as JsonObject[];
    assert.equal(credential?.issuer, world.service.issuer.did);
    // Neither what was asked nor what was shown is readable at rest or in the log.
    assert.doesNotMatch(world.service.logged(), /Dunedin/);
  });

  test('under /api as well, with the deep link, both spellings, and the test route', async () => {
    const { apiKey } = world.server;
    const base = `${world.service.url}/api`;
    const created = await postService(base, '/v1/verification/request', { requirements: city() }, { apiKey });
    const object = objectOf(created);
    const uri = `${world.service.url}/v1/presentation/${object.presentationId}`;
    assert.equal(object.deepLinkUrl, `zetrix://?request_uri=${uri}`);
    assert.equal(object.qrCodeData, object.deepLinkUrl);
    assert.equal(object.status, 'CREATED');
    assert.notEqual(object.stateId, '');
    const fetched = objectOf(await getService(base, `/v1/presentation/${object.presentationId}`));
    for (const [snake, camel] of [
      ['presentation_id', 'presentationId'],
      ['credential_query', 'credentialQuery'],
      ['response_uri', 'responseUri'],
      ['response_mode', 'responseMode'],
      ['abort_uri', 'abortUri'],
      ['expires_at', 'expiresAt'],
    ] as const)
      assert.deepEqual(fetched[snake], fetched[camel]);
    assert.equal(fetched.response_mode, 'direct_post');
    assert.equal(fetched.state, object.stateId);
    const tested = objectOf(await getService(base, '/v1/verification/test', { apiKey }));
    assert.deepEqual(Object.keys(tested), ['message', 'clientName']);
    assert.notEqual(tested.clientName, '');

    const { definition, vpToken } = await answerTo(world, object.presentationId as string, {
      revealAttributes: ['city'],
    });
    const body = submissionBody(definition.presentationId, { vpToken });
    // A key of 64 digits shows who the wallet is as well as one of 76.
    const signed = await walletHeaders(world.holder);
    const short = { ...signed, 'X-Wallet-Public-Key': world.holder.signer.publicKey.slice(4, 68) };
    const submitted = await postService(base, '/v1/presentation/submit', body, { headers: short });
    assert.equal(objectOf(submitted).verified, true, submitted.text);
    const authorization = `Bearer ${apiKey}`;
    const place = `${base}/v1/verification/${object.presentationId}/events`;
    const events = await fetch(place, { headers: { authorization } });
    assert.match(await events.text(), /^event: result\n/);
    const second = objectOf(
      await postService(base, '/v1/verification/request', { requirements: city() }, { apiKey }),
    );
    const aborted = { presentation_id: second.presentationId, state: second.stateId } as JsonObject;
    const ended = await postService(base, '/v1/presentation/abort', aborted);
    assert.equal(objectOf(ended).status, 'ABORTED', ended.text);
  });

  test('every kind of constraint, by a value or by a range, from an issuer who is trusted', async () => {
    const claims = [
      claim('city', { pattern: '^Dun', const: 'Dunedin', type: 'string' }),
      claim('height', { minimum: 100, maximum: 250 }),
      claim('remark', { required: false }),
    ];
    const { templateId } = world;
    const requirements: JsonObject = {
      credentials: [
        { id: templateId, format: 'ldp_vc', claims },
        { id: 'passport', credentialType: 'Passport', claims: [claim('number')] },
      ],
      credential_sets: [{ options: [['passport'], [templateId]] }],
    };
    const trusted = { trusted_issuers: [world.service.issuer.did] };
    const { presentationId } = await challenge(world.server, requirements, trusted);
    const order = { revealAttributes: ['city', 'height'] };
    const { definition, vpToken } = await answerTo(world, presentationId, order);
    assert.deepEqual(definition.credentialQuery, { ...requirements, ...trusted });
    const answer = await postSubmission(world.wallet, definition, { vpToken });
    assert.equal(objectOf(answer).verified, true, answer.text);

    const wrong: readonly [JsonObject, RegExp][] = [
      [{ pattern: '^Nel' }, /city does not fit the pattern$/],
      [{ const: 'Nelson' }, /city has another value/],
      [{ enum: ['Nelson', 'Napier'] }, /city has none of the values/],
    ];
    for (const [constraints, error] of wrong) {
      const asked = await challenge(world.server, requirementsOf(world, [claim('city', constraints)]));
      const shown = await answerTo(world, asked.presentationId, { revealAttributes: ['city'] });
      const refused = await postSubmission(world.wallet, shown.definition, { vpToken: shown.vpToken });
      assertFailed(refused, asked.presentationId, error);
    }
    const sets = { ...requirements, credential_sets: [{ options: [['passport']] }] };
    const unmet = await challenge(world.server, sets);
    const other = await answerTo(world, unmet.presentationId, order);
    const failed = await postSubmission(world.wallet, other.definition, { vpToken: other.vpToken });
    assertFailed(failed, unmet.presentationId, /no option of credential set 1 is answered/);
  });

  test('other bindings to the nonce: the holder binding, and the nonce in a JWT', async () => {
    const first = await challenge(world.server, city());
    const unbound = { challenge: undefined, revealAttributes: ['city'] };
    const { definition, vpToken } = await answerTo(world, first.presentationId, unbound);
    const bound = await holderBinding(world.holder, definition.nonce);
    const answer = await postSubmission(world.wallet, definition, { vpToken, holderBinding: bound });
    assert.equal(objectOf(answer).verified, true, answer.text);

    const second = await challenge(world.server, city());
    const derived = await answerTo(world, second.presentationId, unbound);
    const { proof: _proof, ...payload } = structuredClone(derived.vpToken);
    const [credential] = payload.verifiableCredential as JsonObject[];
    (credential?.proof as JsonObject).nonce = `u${second.nonce}`;
    const jwt = await jwtOf(payload);
    const accepted = await postSubmission(world.wallet, derived.definition, { vpToken: jwt });
    assert.equal(objectOf(accepted).verified, true, accepted.text);

    const third = await challenge(world.server, city());
    const again = await fetchDefinition(world.wallet, third.presentationId);
    assertFailed(
      await postSubmission(world.wallet, again, { vpToken: jwt }),
      third.presentationId,
      /^challenge: /,
    );
  });

  test('base64 of the presentation', async () => {
    const { presentationId } = await challenge(world.server, city());
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    const text = Buffer.from(JSON.stringify(vpToken)).toString('base64');
    const answer = await postSubmission(world.wallet, definition, { vpToken: text });
    assert.equal(objectOf(answer).verified, true, answer.text);
  });
});

async function jwtOf(payload: JsonObject): Promise<string> {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${part({ alg: 'EdDSA' })}.${part(payload)}`;
  const signature = await world.holder.signer.sign(Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

describe('a session that ends otherwise', () => {
  test('aborted by the wallet, with the state and not without', async () => {
    const { presentationId } = await challenge(world.server, city(), { stateId: 'my state' });
    const abort = (state: string) =>
      postService(world.service.url, '/v1/presentation/abort', {
        presentation_id: presentationId,
        state,
        reason: 'credential_not_found',
      });
    assertFault(await abort('another'), 401, 'walletNotAuthenticated');
    const done = await abort('my state');
    assert.deepEqual(objectOf(done), { presentation_id: presentationId, status: 'ABORTED' });
    assert.deepEqual(objectOf(await abort('my state')), objectOf(done), 'whoever did not hear it asks again');
    assertFault(await abort('another'), 409, 'sessionClosed');
    assertFault(
      await getService(world.service.url, `/v1/presentation/${presentationId}`),
      409,
      'sessionClosed',
    );
  });

  test('expired: 410 for whoever comes too late', async () => {
    const { presentationId } = await challenge(world.server, city(), { expirationMinutes: 1 });
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    clock.advanceMs(60_000);
    const late = await postSubmission(world.wallet, definition, { vpToken });
    assertFault(late, 410, 'sessionExpired');
    assert.match(late.text, /VERIFICATION_REQUEST_EXPIRED/);
    const path = `/v1/presentation/${presentationId}`;
    assertFault(await getService(world.service.url, path), 410, 'sessionExpired');
    assertFault(await getService(world.service.url, '/v1/presentation/pres_1_00'), 404, 'sessionUnknown');
  });

  test('made for another nonce, or for none', async () => {
    for (const made of ['0'.repeat(32), undefined]) {
      const { presentationId } = await challenge(world.server, city());
      const order = { revealAttributes: ['city'], challenge: made };
      const { definition, vpToken } = await answerTo(world, presentationId, order);
      assertFailed(
        await postSubmission(world.wallet, definition, { vpToken }),
        presentationId,
        /^challenge: /,
      );
    }
    const { presentationId } = await challenge(world.server, city());
    const order = { revealAttributes: ['city'], challenge: undefined };
    const { definition, vpToken } = await answerTo(world, presentationId, order);
    const stolen = await holderBinding(world.otherHolder, definition.nonce);
    const answer = await postSubmission(world.wallet, definition, { vpToken, holderBinding: stolen });
    assertFailed(answer, presentationId, /^challenge: the holder binding/);
  });

  test('submitted twenty times at once: one decides, and whoever sends the same again is told the same', async () => {
    const { presentationId } = await challenge(world.server, city());
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postSubmission(world.wallet, definition, { vpToken })),
    );
    const told = answers.filter(({ status }) => status === 200);
    assert.ok(told.length > 0);
    for (const late of answers) if (late.status !== 200) assertFault(late, 409, 'sessionClosed');
    const again = await postSubmission(world.wallet, definition, { vpToken });
    for (const one of [...told, again]) assert.deepEqual(objectOf(one), objectOf(told[0]));
    assert.equal(objectOf(again).verified, true);
  });

  test('decided: another presentation, and the same from another wallet, decide nothing and are told nothing', async () => {
    const { presentationId } = await challenge(world.server, city());
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    assert.equal(objectOf(await postSubmission(world.wallet, definition, { vpToken })).verified, true);
    const order = { vc: world.vc, challenge: definition.nonce, revealAttributes: ['city'] };
    const other = await present(world, world.holder, order);
    assertFault(await postSubmission(world.wallet, definition, { vpToken: other }), 409, 'sessionClosed');
    const stranger = { ...world.wallet, headers: await walletHeaders(world.otherHolder) };
    assertFault(await postSubmission(stranger, definition, { vpToken }), 409, 'sessionClosed');
  });

  test('more is shown than asked for: check 4 names it', async () => {
    const { presentationId } = await challenge(world.server, city());
    const order = { revealAttributes: ['city', 'email'] };
    const { definition, vpToken } = await answerTo(world, presentationId, order);
    const answer = await postSubmission(world.wallet, definition, { vpToken });
    assertFailed(answer, presentationId, /^disclosure: email was not asked for$/);
  });

  test('something asked for is missing, out of bounds, or by an issuer who is not trusted', async () => {
    const missing = await challenge(world.server, requirementsOf(world, [claim('city'), claim('email')]));
    const one = await answerTo(world, missing.presentationId, { revealAttributes: ['city'] });
    const first = await postSubmission(world.wallet, one.definition, { vpToken: one.vpToken });
    assertFailed(first, missing.presentationId, /^request: email is not shown$/);

    const bounds = await challenge(world.server, requirementsOf(world, [claim('height', { minimum: 180 })]));
    const two = await answerTo(world, bounds.presentationId, {
      rangeProof: { attribute: 'height', min: 170 },
    });
    const second = await postSubmission(world.wallet, two.definition, { vpToken: two.vpToken });
    assertFailed(second, bounds.presentationId, /wider than the bounds/);

    const more = { trusted_issuers: [world.holder.did] };
    const trusted = await challenge(world.server, city(), more);
    const three = await answerTo(world, trusted.presentationId, { revealAttributes: ['city'] });
    const third = await postSubmission(world.wallet, three.definition, { vpToken: three.vpToken });
    assertFailed(third, trusted.presentationId, /not one of those trusted/);
  });

  test('revoked between fetch and submit', async () => {
    const vc = await issueTo(world, world.holder);
    const { presentationId } = await challenge(world.server, city());
    const { definition, vpToken } = await answerTo(world, presentationId, { vc, revealAttributes: ['city'] });
    const { client, signer } = world.service.issuer;
    await revokeCredential(client, { signer, vcId: vc.id as string });
    const answer = await postSubmission(world.wallet, definition, { vpToken });
    assertFailed(answer, presentationId, /^status: credential revoked/);
  });

  test('a value that was changed, and signed again', async () => {
    const { presentationId } = await challenge(world.server, city());
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    const { proof: _proof, ...payload } = structuredClone(vpToken);
    const [credential] = payload.verifiableCredential as JsonObject[];
    (credential?.credentialSubject as JsonObject).city = 'Nelson';
    const bound = await holderBinding(world.holder, definition.nonce);
    const answer = await postSubmission(world.wallet, definition, {
      vpToken: await jwtOf(payload),
      holderBinding: bound,
    });
    assertFailed(answer, presentationId, /^bbsProof: /);
  });
});

describe('what is refused before anything is decided', () => {
  test('a wallet that does not show who it is, or is another', async () => {
    const { presentationId } = await challenge(world.server, city());
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    const { baseUrl } = world.wallet;
    const none = await postSubmission({ baseUrl }, definition, { vpToken });
    assertFault(none, 401, 'walletNotAuthenticated');
    assert.match(none.text, /WALLET_AUTH_MISSING_PUBLIC_KEY/);
    const right = await walletHeaders(world.holder);
    const other = await walletHeaders(world.otherHolder);
    const mixed = { ...right, 'X-Wallet-Signed-Data': other['X-Wallet-Signed-Data'] as string };
    for (const headers of [other, mixed, { ...right, 'X-Wallet-Signed-Data': 'zz' }])
      assertFault(
        await postSubmission({ baseUrl, headers }, definition, { vpToken }),
        401,
        'walletNotAuthenticated',
      );
    const answer = await postSubmission(world.wallet, definition, { vpToken });
    assert.equal(objectOf(answer).verified, true, 'the session was not used up');
  });

  test('what is no presentation leaves the session as it was', async () => {
    const { presentationId } = await challenge(world.server, city());
    const { definition, vpToken } = await answerTo(world, presentationId, { revealAttributes: ['city'] });
    for (const broken of [
      {},
      { proof: {} },
      'x',
      'a.b.c',
      `v2-${crypto.randomUUID()}`,
      { ...vpToken, extra: 1 },
    ]) {
      const answer = await postSubmission(world.wallet, definition, { vpToken: broken as string });
      assert.ok([400, 404].includes(answer.status), answer.text);
    }
    const { presentation_submission: _omitted, ...body } = submissionBody(presentationId, { vpToken });
    const { headers } = world.wallet;
    const without = await postService(world.service.url, '/v1/presentation/submit', body, { headers });
    assertFault(without, 400, 'requestMalformed');
    assert.equal(objectOf(await postSubmission(world.wallet, definition, { vpToken })).verified, true);
  });

  test('requests without a key, with a bad query, or with an address that is not public', async () => {
    const { url, served } = world.service;
    const { token } = await served.apiKeys.create({ label: 'presents only', scopes: ['present'] });
    const { apiKey } = world.server;
    const ask = (body: JsonObject, key: string | undefined = apiKey) =>
      postService(url, '/v1/verification/request', body, key === undefined ? {} : { apiKey: key });
    const noKey = await postService(url, '/v1/verification/request', { requirements: city() });
    assertFault(noKey, 401, 'notAuthenticated');
    assertFault(await ask({ requirements: city() }, 'ztx_wrong'), 401, 'notAuthenticated');
    assertFault(await ask({ requirements: city() }, token), 401, 'notAllowed');
    assertFault(await ask({ requirements: {} }), 400, 'queryInvalid');
    const pattern = requirementsOf(world, [claim('city', { pattern: '^(a+)+\\1$' })]);
    assertFault(await ask({ requirements: pattern }), 400, 'queryInvalid');
    assertFault(await ask({ requirements: city(), expirationMinutes: 0 }), 400, 'requestMalformed');
    for (const callbackUrl of [
      'ftp://example.org/',
      'http://127.0.0.1/hook',
      'http://[::1]/hook',
      'http://169.254.169.254/latest',
      'http://localhost:9/',
      'https://user:secret@example.org/',
      'http://2130706433/',
    ])
      assertFault(await ask({ requirements: city(), callbackUrl }), 400, 'callbackRefused');
  });

  test('a presentation for somebody else', async () => {
    const { presentationId } = await challenge(world.server, city());
    const definition = await fetchDefinition(world.wallet, presentationId);
    const theirs = await present(world, world.otherHolder, {
      vc: await issueTo(world, world.otherHolder),
      challenge: definition.nonce,
      revealAttributes: ['city'],
    });
    assertFault(
      await postSubmission(world.wallet, definition, { vpToken: theirs }),
      401,
      'walletNotAuthenticated',
    );
  });
});

describe('what keeps a submission from being decided', () => {
  test('a ledger that gives no answer: nothing is decided, and the wallet may come again', async (context) => {
    const node = await startNode(context);
    const way = await cuttableWay(context, node.url);
    const client = createLedgerClient(httpTransport(way.url));
    const small = await startVerificationWorld(context, { proofs, node, client });
    const { presentationId } = await challenge(small.server, requirementsOf(small, [claim('city')]));
    const { definition, vpToken } = await answerTo(small, presentationId, { revealAttributes: ['city'] });
    await way.cut();
    const failed = await postSubmission(small.wallet, definition, { vpToken });
    assertFault(failed, 500, 'ledgerUnreachable');
    await way.mend();
    const answer = await postSubmission(small.wallet, definition, { vpToken });
    assert.equal(objectOf(answer).verified, true, answer.text);
  });
});
