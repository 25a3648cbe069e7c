import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type JsonObject, parseJson } from '../json/json.ts';
import {
  renderCallback,
  renderCreated,
  renderEvent,
  renderSubmitted,
  type SessionResult,
  signedPayload,
  signedResultText,
} from './replies.ts';

const vectorFile = new URL('../../../core/vectors/credential-family/verification.json', import.meta.url);
const { result: vector } = JSON.parse(readFileSync(vectorFile, 'utf8')) as {
  result: Record<'secret' | 'timestamp' | 'presentationId' | 'text' | 'signature', string> & {
    verifiedClaims: Record<string, string>;
  };
};

const result: SessionResult = {
  verified: true,
  claims: vector.verifiedClaims,
  credentials: [],
  errors: [],
  signedText: vector.text,
};
const signatures = { timestamp: vector.timestamp, shared: vector.signature, own: 'head..signature' };

test('the text of a result, and what is signed of it', () => {
  const text = signedResultText({
    id: vector.presentationId,
    state: 'VERIFIED',
    requestHash: undefined,
    claims: vector.verifiedClaims,
  });
  assert.equal(text, vector.text);
  const hmac = createHmac('sha256', vector.secret).update(signedPayload(vector.timestamp, text));
  assert.equal(hmac.digest('base64'), vector.signature);
  const failed = '{"presentationId":"p","verified":false,"status":"FAILED","verifiedClaims":{}}';
  assert.equal(signedResultText({ id: 'p', state: 'FAILED', requestHash: undefined }), failed);
});

test('the text of a result with a credential is these bytes, an age last', () => {
  const presented = {
    id: 'did:zid:01',
    issuer: { id: 'did:zid:02', name: 'Uni', nameSource: 'issuer' },
    issuerTrust: 'trusted',
    holder: 'did:zid:03',
    template: { id: 'did:zid:04', name: 'Degree', version: '1' },
    validFrom: 'f',
    validUntil: 'u',
    status: { state: 'active', ledgerSeq: '7', since: 's' },
    revealed: { grade: 'A' },
    ranges: [{ attribute: 'born', age: { minAge: 18 }, max: '2008-01-01', text: '18 or older' }],
    answersRequest: true,
  } as const;
  const credential = {
    queryId: 'q',
    id: presented.id,
    type: 'Degree',
    templateId: 't',
    issuer: 'i',
    holder: 'h',
    validUntil: 'u',
    subject: {},
    presented,
  };
  assert.equal(
    signedResultText({ id: 'p', state: 'VERIFIED', requestHash: 'r', credentials: [credential] }),
    '{"presentationId":"p","verified":true,"status":"VERIFIED","verifiedClaims":{},"credentials":[{"queryId":"q",' +
      '"id":"did:zid:01","issuer":{"id":"did:zid:02","name":"Uni","nameSource":"issuer"},"issuerTrust":"trusted",' +
      '"holder":"did:zid:03","template":{"id":"did:zid:04","name":"Degree","version":"1"},"validFrom":"f",' +
      '"validUntil":"u","status":{"state":"active","ledgerSeq":"7","since":"s"},"revealed":{"grade":"A"},' +
      '"ranges":[{"attribute":"born","max":"2008-01-01","text":"18 or older","age":{"minAge":18}}],' +
      '"answersRequest":true}],"requestHash":"r"}',
  );
});

test('the answer carries the text as it was signed, and the headers that go with it', () => {
  const { text, headers } = renderSubmitted('VERIFIED', result, signatures);
  const { object, messages } = parseJson(text) as { object: JsonObject; messages: unknown };
  assert.equal(object.signed_result, vector.text);
  assert.deepEqual(messages, []);
  assert.deepEqual(headers, {
    'X-Callback-Timestamp': vector.timestamp,
    'X-Callback-Signature': vector.signature,
    'X-Result-Signature': 'head..signature',
  });
  const unshared = renderSubmitted('VERIFIED', result, { ...signatures, shared: undefined });
  assert.equal('X-Callback-Signature' in (unshared.headers ?? {}), false);
});

test('a name that is not shown stands nowhere in an answer, a callback or an event', () => {
  const name = 'Umiversity degree';
  const frame = { id: 'did:zid:01', issuer: 'did:zid:02', holder: 'did:zid:03', validUntil: 'u' };
  const template = { id: 'did:zid:04', version: '1' };
  const credentialsOf = (shown: { name?: string }): SessionResult['credentials'] => [
    {
      ...frame,
      queryId: 'a',
      type: name,
      templateId: template.id,
      subject: {},
      presented: {
        ...frame,
        issuer: { id: frame.issuer },
        issuerTrust: 'not asked',
        template: { ...template, ...shown },
        validFrom: 'f',
        status: { state: 'active' },
        revealed: {},
        ranges: [],
      },
    },
  ];
  const session = { id: 'p', stateId: 's', state: 'VERIFIED' } as const;
  const textsOf = (credentials: SessionResult['credentials']) => [
    renderSubmitted('VERIFIED', { ...result, credentials }, signatures).text,
    renderCallback({ ...session, result: { ...result, credentials } }, 5),
    renderEvent({ ...session, result: { ...result, credentials } }, signatures),
  ];
  for (const text of textsOf(credentialsOf({ name }))) assert.match(text, /"type":"Umiversity degree"/);
  for (const text of textsOf(credentialsOf({}))) {
    assert.ok(!text.includes(name), text);
    assert.match(text, /"type":"VerifiableCredential"/);
  }
});

test('links point at the public address', () => {
  const session = { id: 'pres_1_a', stateId: 's', nonce: 'n', state: 'CREATED', expiresAt: 0 } as const;
  const created = renderCreated(session, 'https://verifier.example');
  assert.equal(
    created.deepLinkUrl,
    'zetrix://?request_uri=https://verifier.example/v1/presentation/pres_1_a',
  );
  assert.equal(created.expiresAt, '1970-01-01T00:00:00.000Z');
});

test('a callback says why a session did not end well', () => {
  const session = { id: 'p', stateId: 's' } as const;
  const read = (text: string) => parseJson(text) as JsonObject;
  assert.equal(
    read(renderCallback({ ...session, state: 'EXPIRED' }, 5)).error_message,
    'VERIFICATION_REQUEST_EXPIRED',
  );
  const failed = { ...result, verified: false, claims: {}, errors: ['status: expired credential'] };
  const body = read(renderCallback({ ...session, state: 'FAILED', result: failed }, 5));
  assert.equal(body.error_message, 'status: expired credential');
  assert.deepEqual([body.timestamp, body.verified, body.verified_claims], [5, false, {}]);
});

test('an event is one line of data, whatever is in it', () => {
  const strange = { ...result, signedText: 'line\nbreak\r\n\ndata: forged' };
  const text = renderEvent({ id: 'p', stateId: 'a\nb', state: 'VERIFIED', result: strange }, signatures);
  assert.equal(text.split('\n').length, 4);
  assert.match(text, /^event: result\ndata: \{.*\}\n\n$/);
});
