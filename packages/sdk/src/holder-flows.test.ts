import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeHex } from '@symbolon/core/bytes';
import type { UnsignedPresentation } from '@symbolon/core/credential/model';
import { holderSigningInput } from '@symbolon/core/credential/presentation-derivation';
import { createCredentialClient } from './credential-client.ts';
import { SdkError } from './errors.ts';
import { didOfSigner, presentCredential } from './holder-flows.ts';
import { type Signer, signerFromSeed } from './signer.ts';

const signer = await signerFromSeed(new Uint8Array(32).fill(4));
const did = didOfSigner(signer);

/** As much of a presentation as a holder looks at. */
const offer = (members: object = {}, shown: object = { city: 'Nelson' }): UnsignedPresentation =>
  ({
    holder: did,
    verifiableCredential: [{ credentialSubject: { id: did, ...shown } }],
    proof: { challenge: 'c' },
    ...members,
  }) as unknown as UnsignedPresentation;

/** A service that offers this blob, and what it was then sent. */
function serviceOffering(blob: string) {
  const submitted: string[] = [];
  const client = createCredentialClient(async ({ path, bodyText = '' }) => {
    const isSubmission = path.endsWith('/submit');
    if (isSubmission) submitted.push(bodyText);
    const body = isSubmission ? { vpObject: { good: true } } : { blobId: 'A'.repeat(32), blob };
    return {
      status: 200,
      contentType: 'application/json',
      retryAfter: undefined,
      text: JSON.stringify(body),
    };
  });
  return { client, submitted };
}

const order = { vc: {}, revealAttributes: ['credentialSubject.city'], challenge: 'c' };
const blobOf = (presentation: UnsignedPresentation): string => encodeHex(holderSigningInput(presentation));

test('a holder signs what was ordered', async () => {
  const { client, submitted } = serviceOffering(blobOf(offer()).toUpperCase());
  assert.deepEqual(await presentCredential(client, { signer, ...order }), { good: true });
  const { ed25519PubKey, ed25519SignData } = JSON.parse(submitted[0] ?? '{}');
  assert.equal(ed25519PubKey, signer.publicKey);
  assert.equal(ed25519SignData, encodeHex(await signer.sign(holderSigningInput(offer()))));
});

const lies: Record<string, string> = {
  'a further attribute': blobOf(offer({}, { city: 'Nelson', income: '1' })),
  'another holder': blobOf(offer({ holder: `did:zid:${'ab'.repeat(32)}` })),
  'another challenge': blobOf(offer({ proof: { challenge: 'd' } })),
  'no challenge': blobOf(offer({ proof: {} })),
  'a domain': blobOf(offer({ proof: { challenge: 'c', domain: 'evil.example' } })),
  'a further credential': blobOf(
    offer({ verifiableCredential: [...offer().verifiableCredential, ...offer().verifiableCredential] }),
  ),
  'no credentials': blobOf(offer({ verifiableCredential: 'none' })),
  'a transaction': 'ab'.repeat(100),
  'the presentation under another header': encodeHex(
    new TextEncoder().encode(`e30.${Buffer.from(JSON.stringify(offer())).toString('base64url')}`),
  ),
  'no hex': 'presentation',
};
for (const [name, blob] of Object.entries(lies)) {
  test(`a service that offers ${name} gets no signature`, async () => {
    const { client, submitted } = serviceOffering(blob);
    const guarded: Signer = { ...signer, sign: () => assert.fail('nothing is signed') };
    await assert.rejects(
      presentCredential(client, { signer: guarded, ...order }),
      (error) => error instanceof SdkError && error.code === 'unexpectedReply',
    );
    assert.deepEqual(submitted, []);
  });
}

test('a signer of another network has no DID here', () => {
  const foreign: Signer = { ...signer, publicKey: 'ab'.repeat(38) };
  assert.throws(() => didOfSigner(foreign), SdkError);
});

test('who signs for another holder is told before a service is asked', async () => {
  const { client } = serviceOffering('nothing');
  const vc = { credentialSubject: { id: `did:zid:${'ab'.repeat(32)}` } };
  for (const wrong of [
    { ...order, vc },
    { vcs: [{ vc, revealAttributes: [] }], challenge: 'c' },
  ])
    await assert.rejects(
      presentCredential(client, { signer, ...wrong }),
      (error) =>
        error instanceof SdkError && error.code === 'invalidArgument' && /holder/.test(error.message),
    );
});
