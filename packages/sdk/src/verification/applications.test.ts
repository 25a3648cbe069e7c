/** Applications as a service shows them to an issuer: only what the holder signed is taken from them. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { SdkError } from '../errors/errors.ts';
import { didOfSigner, type Signer, signerFromSeed } from '../keys/signer.ts';
import type { CredentialReply } from '../service/credential-client.ts';
import { type PresenceOrder, signPresence, subjectOf } from '../transport/presence.ts';
import { readApplication } from './applications.ts';

type Shown = CredentialReply<'getApplication'>;

const audience = 'https://service.example';
const vcId = `did:zid:${'c'.repeat(64)}`;
const templateId = `did:zid:${'7'.repeat(64)}`;
const metadata = [
  { key: 'name', value: 'Ann' },
  { key: 'points', value: 5 },
];
const content = canonicalJson({ templateId, metadata });

let holder: Signer;
let eve: Signer;
before(async () => {
  holder = await signerFromSeed(new Uint8Array(32).fill(1));
  eve = await signerFromSeed(new Uint8Array(32).fill(2));
});

const signedBy = async (signer: Signer, text: string) => encodeHex(await signer.sign(encodeUtf8(text)));

async function shownWith(signed: Shown['signed'], changes: Partial<Shown> = {}): Promise<Shown> {
  const instant = '2026-11-16T12:00:00Z';
  return {
    vcId,
    status: 'Pending',
    templateId,
    templateVersion: '1.0.0',
    holder: didOfSigner(holder),
    issuer: `did:zid:${'1'.repeat(64)}`,
    createdAt: instant,
    updatedAt: instant,
    // What is not signed is not read.
    metadata: [{ key: 'name', value: 'Eve' }],
    ...(signed && { signed }),
    ...changes,
  };
}

const clientOf = (shown: Shown) => ({ audience, getApplication: async () => shown });

async function presenceOver(text: string, order: Partial<PresenceOrder> = {}, at = audience) {
  const wanted = { purpose: 'application', subject: subjectOf(text), ...order } as const;
  const { text: signedText, signature } = await signPresence(holder, { audience: at }, wanted);
  return { signedText, signData: signature };
}

async function refuses(member: RegExp, shown: Shown): Promise<void> {
  await assert.rejects(readApplication(clientOf(shown), { vcId }), (error) => {
    assert.ok(error instanceof SdkError && error.code === 'notAsOrdered', String(error));
    assert.match(error.message, member);
    assert.doesNotMatch(error.message, /Ann|Eve/);
    return true;
  });
}

describe('an application', () => {
  const wanted = { vcId, templateId, templateVersion: '1.0.0', attributes: { name: 'Ann', points: 5 } };

  test('is read as its holder signed it, in every form that there is', async () => {
    const pair = JSON.stringify({ templateId, metadata });
    const listed = JSON.stringify([
      { templateId: templateId.toUpperCase(), metadata: { name: 'Ann', points: 5 } },
    ]);
    const forms = [
      { content, ...(await presenceOver(content)) },
      ...(await Promise.all(
        [content, pair, listed.replace('DID:ZID', 'did:zid')].map(async (text) => ({
          content: text,
          signData: await signedBy(holder, text),
        })),
      )),
    ];
    for (const signed of forms) {
      const read = await readApplication(clientOf(await shownWith(signed)), { vcId: vcId.toUpperCase() });
      assert.deepEqual(read, { ...wanted, holder: didOfSigner(holder) });
    }
  });

  test('is refused when it is not what its holder signed', async () => {
    const good = { content, ...(await presenceOver(content)) };
    const other = canonicalJson({ templateId, metadata: [{ key: 'name', value: 'Eve' }] });
    const elsewhere = canonicalJson({ templateId: vcId, metadata });
    const download = await presenceOver(content, { purpose: 'download' });
    const abroad = await presenceOver(content, {}, 'https://other.example');
    const bare = { content, signData: await signedBy(holder, content) };
    await refuses(/signedText/, await shownWith({ ...good, content: other }));
    await refuses(/signData/, await shownWith(good, { holder: didOfSigner(eve) }));
    await refuses(/signData/, await shownWith({ ...good, signData: await signedBy(eve, good.signedText) }));
    await refuses(/signData/, await shownWith({ ...good, signData: 'zz' }));
    await refuses(/signedText/, await shownWith({ ...good, signedText: 'anything' }));
    await refuses(/signedText/, await shownWith({ content, ...download }));
    await refuses(/signedText/, await shownWith({ content, ...abroad }));
    await refuses(/signData/, await shownWith({ ...bare, content: other }));
    await refuses(/vcId/, await shownWith(good, { vcId: templateId }));
    await refuses(/templateId/, await shownWith(good, { templateId: vcId }));
    const moved = { content: elsewhere, signData: await signedBy(holder, elsewhere) };
    await refuses(/templateId/, await shownWith(moved));
    for (const text of ['no JSON', '{}', `{"templateId":"${templateId}"}`, '[]'])
      await refuses(
        /signed: (templateId|metadata)$/,
        await shownWith({ content: text, signData: await signedBy(holder, text) }),
      );
    await refuses(/no signature/, await shownWith(undefined));
  });
});
