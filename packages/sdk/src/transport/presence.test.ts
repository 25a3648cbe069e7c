import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHex } from '@symbolon/core/basics/bytes';
import { presenceLimits } from '@symbolon/core/limits/documents';
import { parsePresenceText, presenceProblem } from '@symbolon/core/presentation/presence-text';
import { parsePresenceHeader } from '@symbolon/wire/credentials/presence-requests';
import { SdkError } from '../errors/errors.ts';
import { signerFromSeed } from '../keys/signer.ts';
import { createCredentialClient } from '../service/credential-client.ts';
import { holderBinding, holderHeaders, walletHeaders } from './call-headers.ts';
import { signPresence } from './presence.ts';

const signer = await signerFromSeed(new Uint8Array(32).fill(7));
const service = createCredentialClient('https://service.example/under');
const audience = 'https://service.example';

test('what is signed names purpose, service, subject and now, and is never the same twice', async () => {
  const order = { purpose: 'download', subject: 'did:zid:ab' } as const;
  const [one, other] = await Promise.all([1, 2].map(() => signPresence(signer, service, order)));
  assert.notEqual(one?.text, other?.text);
  const { nonce, created = '', ...said } = parsePresenceText(one?.text ?? '') ?? {};
  assert.deepEqual(said, { ...order, audience });
  assert.ok(Math.abs(Date.parse(created) - Date.now()) < presenceLimits.ageMsMax);
  assert.deepEqual(parseHex(one?.signature ?? ''), await signer.sign(Buffer.from(one?.text ?? '')));
});

test('headers and bindings say what they are for', async () => {
  const wallet = await walletHeaders(signer, service, 'a-session');
  assert.equal(parsePresenceHeader(wallet['x-wallet-signed-text'] ?? '')?.subject, 'a-session');
  const all = await holderHeaders(signer, service, { purpose: 'download-all' });
  assert.equal(parsePresenceHeader(all.signedtext ?? '')?.subject, signer.address);
  const paid = await holderHeaders(signer, service, { purpose: 'payment-status', paymentId: 'ab' });
  assert.equal(parsePresenceHeader(paid.signedtext ?? '')?.subject, 'ab');
  const bound = await holderBinding(signer, service, { sessionId: 'a-session', nonce: 'n' });
  assert.equal(parsePresenceText(bound.signedText)?.challenge, 'n');
});

test('a part with a space, a line break or a strange sign is not signed, nor a text that is too long', async () => {
  const guarded = { ...signer, sign: () => assert.fail('nothing is signed') };
  const session = (sessionId: string) => walletHeaders(guarded, service, sessionId);
  const refused = (part: string) => (error: unknown) => {
    assert.ok(error instanceof SdkError && error.code === 'invalidArgument', String(error));
    assert.ok(error.message.includes(part), error.message);
    return true;
  };
  const wrong = [
    '',
    'a b',
    'a\nnonce: n',
    'a\r',
    'a\u2028',
    'ä',
    '\u0000',
    'a'.repeat(presenceLimits.textCharsMax),
  ];
  for (const word of wrong) {
    await assert.rejects(session(word), refused('subject'));
    await assert.rejects(
      holderBinding(guarded, service, { sessionId: 's', nonce: word }),
      refused('challenge'),
    );
    const about = { purpose: 'payment-status', paymentId: word } as const;
    await assert.rejects(holderHeaders(guarded, service, about), refused('subject'));
    await assert.rejects(walletHeaders(guarded, { audience: word }, 's'), refused('audience'));
  }
  const misspelt = { sessionId: 's', nonse: 'n' } as never;
  await assert.rejects(holderBinding(guarded, service, misspelt), refused('"nonce"'));
  await assert.rejects(holderBinding(guarded, service, { sessionId: 's' } as never), refused('challenge'));
});

test('what one service was shown is worth nothing at another, whatever the service says about itself', async () => {
  const evil = 'https://evil.example';
  const shown: string[] = [];
  /** Claims to be the other one, in every word and header that it has. */
  const lying: typeof fetch = async (_input, init) => {
    shown.push(new Headers(init?.headers).get('signedtext') ?? '');
    const told = { audience, publicUrl: audience, origin: audience, data: [], code: 200, messages: [] };
    return Response.json(told, { headers: { audience, origin: audience, location: audience } });
  };
  const client = createCredentialClient(evil, { fetch: lying });
  for (let round = 0; round < 2; round++) {
    const headers = await holderHeaders(signer, client, { purpose: 'download-all' });
    await client.downloadExtended({ address: signer.address }, { headers }).catch(() => undefined);
  }
  assert.equal(shown.length, 2);
  const expected = { purpose: 'download-all', subject: signer.address, now: Date.now() } as const;
  for (const text of shown) {
    const given = parsePresenceHeader(text);
    assert.ok(given);
    assert.equal(presenceProblem(given, { ...expected, audience: evil }), undefined);
    assert.match(presenceProblem(given, { ...expected, audience }) ?? '', /for another service/);
  }
});

test('a client that does not know whose it is signs nothing until it is told', async () => {
  const transport = async () => assert.fail('nothing is sent');
  const order = { purpose: 'download', subject: 'did:zid:ab' } as const;
  const isTold = (error: unknown) => error instanceof SdkError && /audience/.test(error.hint ?? '');
  await assert.rejects(signPresence(signer, createCredentialClient(transport), order), isTold);
  const named = createCredentialClient(transport, { audience });
  assert.equal(parsePresenceText((await signPresence(signer, named, order)).text)?.audience, audience);
});
