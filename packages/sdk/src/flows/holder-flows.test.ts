import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import {
  holder,
  parsed,
  sampleCredential,
  samplePresentation,
} from '@symbolon/core/credential/testing/sample-credentials';
import type { DerivedCredential, RangeClaim, UnsignedPresentation } from '@symbolon/core/documents/model';
import {
  attachHolderSignature,
  holderSigningInput,
} from '@symbolon/core/presentation/presentation-derivation';
import type { JsonObject } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';
import { didOfSigner, type Signer, signerFromSeed } from '../keys/signer.ts';
import { createCredentialClient } from '../service/credential-client.ts';
import { derivePresentation, type PresentationOrder, presentCredential } from './holder-flows.ts';

const signer = await signerFromSeed(new Uint8Array(32).fill(2));
const vc = sampleCredential() as unknown as JsonObject;
const otherCredential = sampleCredential({ id: `did:zid:${'cd'.repeat(32)}` });

/** The day on which a minimum age of 18 means born on 2008-06-15 or before. */
const now = Date.UTC(2026, 5, 15, 12);
const order = {
  vc,
  revealAttributes: ['credentialSubject.fullName', 'country'],
  rangeProof: [{ attribute: 'points', min: -10, max: 500 }],
  age: { attribute: 'birthDate', minAge: 18 },
  challenge: 'c-1',
  domain: 'verifier.example',
};
const ranges: readonly RangeClaim[] = [
  { attribute: 'birthDate', max: '2008-06-15' },
  { attribute: 'points', min: '-10', max: '500' },
];

/** What an honest service offers, with whatever a lying one changes. */
function offer(change: (offered: Lie) => void = () => undefined, credentials = [parsed()]): string {
  const { proof, ...honest } = structuredClone(
    samplePresentation({ revealAttributes: ['fullName', 'country'], ranges }, undefined, credentials),
  );
  const { jws: _signature, ...options } = proof;
  const offered = { ...honest, proof: options } as unknown as Lie;
  change(offered);
  return encodeHex(holderSigningInput(offered as unknown as UnsignedPresentation));
}
// biome-ignore lint/suspicious/noExplicitAny: a lie may be of any shape.
type Lie = any;

/** The presentation in the bytes to sign, with the signature that was sent. */
function completed(blob: string, bodyText: string): JsonObject {
  const [, payload = ''] = Buffer.from(blob, 'hex').toString('utf8').split('.');
  const unsigned = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  const { ed25519SignData } = JSON.parse(bodyText);
  return attachHolderSignature(unsigned, Buffer.from(ed25519SignData, 'hex')) as unknown as JsonObject;
}

/** A service that offers this blob, and what it was then sent. */
function serviceOffering(blob: string, handBack = completed) {
  const submitted: string[] = [];
  const client = createCredentialClient(async ({ path, bodyText = '' }) => {
    const isSubmission = path.endsWith('/submit');
    if (isSubmission) submitted.push(bodyText);
    const body = isSubmission ? { vpObject: handBack(blob, bodyText) } : { blobId: 'A'.repeat(32), blob };
    return {
      status: 200,
      contentType: 'application/json',
      retryAfter: undefined,
      text: JSON.stringify(body),
    };
  });
  return { client, submitted };
}

const guarded: Signer = { ...signer, sign: () => assert.fail('nothing is signed') };

test('a holder signs what was ordered', async () => {
  const blob = offer();
  const { client, submitted } = serviceOffering(blob.toUpperCase());
  const signed = await presentCredential(client, { signer, ...order }, { now });
  assert.deepEqual(signed, completed(blob, submitted[0] ?? '{}'));
  const { ed25519PubKey, ed25519SignData } = JSON.parse(submitted[0] ?? '{}');
  assert.equal(ed25519PubKey, signer.publicKey);
  assert.equal(ed25519SignData, encodeHex(await signer.sign(Buffer.from(blob, 'hex'))));
});

const shown = (offered: Lie): DerivedCredential & Lie => offered.verifiableCredential[0];

/** What a service that lies offers, and the member that the refusal names. */
const lies: Record<string, readonly [blob: string, member: string]> = {
  'a further attribute': [
    offer((it) => {
      shown(it).credentialSubject.email = 'a@example.com';
    }),
    'verifiableCredential[0].credentialSubject.email',
  ],
  'an attribute less': [
    offer((it) => {
      delete shown(it).credentialSubject.country;
    }),
    'verifiableCredential[0].credentialSubject.country',
  ],
  'another value': [
    offer((it) => {
      shown(it).credentialSubject.fullName = 'Somebody Else';
    }),
    'verifiableCredential[0].credentialSubject.fullName',
  ],
  'another id': [offer(undefined, [parsed(otherCredential)]), 'verifiableCredential[0].id'],
  'another issuer': [
    offer((it) => {
      shown(it).issuer = `did:zid:${'ab'.repeat(32)}`;
    }),
    'verifiableCredential[0].issuer',
  ],
  'another validity': [
    offer((it) => {
      shown(it).validUntil = '2099-01-01T00:00:00Z';
    }),
    'verifiableCredential[0].validUntil',
  ],
  'another template': [
    offer((it) => {
      shown(it).credentialSchema.version = '2.0.0';
    }),
    'verifiableCredential[0].credentialSchema.version',
  ],
  'another registry': [
    offer((it) => {
      shown(it).credentialStatus.id = `ledger:other:x#${shown(it).id}`;
    }),
    'verifiableCredential[0].credentialStatus.id',
  ],
  'a member of the frame that is new': [
    offer((it) => {
      shown(it).evidence = 'x';
    }),
    'verifiableCredential[0].evidence',
  ],
  'a further range': [
    offer((it) => {
      shown(it).proof.ranges.unshift({ attribute: 'balance', max: '0' });
    }),
    'verifiableCredential[0].proof.ranges[0].attribute',
  ],
  'a narrower range': [
    offer((it) => {
      shown(it).proof.ranges[1].max = '0';
    }),
    'verifiableCredential[0].proof.ranges[1].max',
  ],
  'a closed range instead of an open one': [
    offer((it) => {
      shown(it).proof.ranges[0].min = '2008-06-15';
    }),
    'verifiableCredential[0].proof.ranges[0].min',
  ],
  'another age': [
    offer((it) => {
      shown(it).proof.ranges[0].max = '2005-06-15';
    }),
    'verifiableCredential[0].proof.ranges[0].max',
  ],
  'ranges proved with parameters of its own': [
    offer((it) => {
      Object.assign(shown(it).proof, { rangeMethod: 'set-membership', rangeParameters: 'ab'.repeat(32) });
    }),
    'verifiableCredential[0].proof.rangeMethod',
  ],
  'another key of the issuer': [
    offer((it) => {
      shown(it).proof.verificationMethod = `${shown(it).issuer}#delegateKey-2`;
    }),
    'verifiableCredential[0].proof.verificationMethod',
  ],
  'a proof that is none': [
    offer((it) => {
      shown(it).proof.proofValue = { secret: true };
    }),
    'verifiableCredential[0].proof.proofValue',
  ],
  'another holder': [
    offer((it) => {
      it.holder = `did:zid:${'ab'.repeat(32)}`;
    }),
    'holder',
  ],
  'another challenge': [
    offer((it) => {
      it.proof.challenge = 'd';
    }),
    'proof.challenge',
  ],
  'no challenge': [
    offer((it) => {
      delete it.proof.challenge;
    }),
    'proof.challenge',
  ],
  'another domain': [
    offer((it) => {
      it.proof.domain = 'evil.example';
    }),
    'proof.domain',
  ],
  'a time to come': [
    offer((it) => {
      it.proof.created = shown(it).proof.created = '2036-06-15T12:00:00Z';
    }),
    'proof.created',
  ],
  'two times': [
    offer((it) => {
      shown(it).proof.created = '2026-06-15T12:00:01Z';
    }),
    'verifiableCredential[0].proof.created',
  ],
  'a further credential': [offer(undefined, [parsed(), parsed(otherCredential)]), 'verifiableCredential[1]'],
  'no credentials': [
    offer((it) => {
      it.verifiableCredential = 'none';
    }),
    'verifiableCredential',
  ],
  'a transaction': ['ab'.repeat(100), 'blob'],
  'the presentation under another header': [
    encodeHex(new TextEncoder().encode(`e30.${Buffer.from('{}').toString('base64url')}`)),
    'blob',
  ],
  'no hex': ['presentation', 'blob'],
};

describe('a service gets no signature that offers', () => {
  for (const [name, [blob, member]] of Object.entries(lies)) {
    test(name, async () => {
      const { client, submitted } = serviceOffering(blob);
      await assert.rejects(presentCredential(client, { signer: guarded, ...order }, { now }), (error) => {
        assert.ok(error instanceof SdkError, String(error));
        assert.equal(error.code, 'notAsOrdered');
        assert.ok(error.message.endsWith(`: ${member}`), error.message);
        assert.deepEqual(error.members, [member]);
        return true;
      });
      assert.deepEqual(submitted, []);
    });
  }
});

test('parameters of set membership are the service’s, if they were ordered', async () => {
  const blob = offer((it) => {
    Object.assign(shown(it).proof, { rangeMethod: 'set-membership', rangeParameters: 'ab'.repeat(32) });
  });
  const wanted = { signer, ...order, rangeMethod: 'set-membership' } as const;
  await presentCredential(serviceOffering(blob).client, wanted, { now });
  const plain = { ...wanted, signer: guarded };
  await assert.rejects(presentCredential(serviceOffering(offer()).client, plain, { now }), SdkError);
});

describe('a range that tells the value', () => {
  const telling: readonly PresentationOrder[] = [
    { rangeProof: { attribute: 'points', min: -3, max: -3 } },
    { rangeProof: { attribute: 'points', min: -4, max: -2 } },
    { rangeProof: { attribute: 'birthDate', min: '2008-06-12', max: '2008-06-18' } },
    { rangeProof: { attribute: 'enteredAt', min: '2020-02-29T00:00:00Z', max: '2020-02-29T23:59:59Z' } },
  ].map((one) => ({ signer: guarded, vc, ...one }));

  test('is proved only where that was said', async () => {
    for (const one of telling) {
      const { client } = serviceOffering('nothing');
      await assert.rejects(
        presentCredential(client, one, { now }),
        (error) =>
          error instanceof SdkError && error.code === 'invalidArgument' && /tells/.test(error.message),
      );
      const { attribute } = one.rangeProof as { attribute: string };
      // Then it is the service that is asked, and found out.
      await assert.rejects(
        presentCredential(client, { ...one, tellingRanges: [attribute] }, { now }),
        (error) => error instanceof SdkError && error.code === 'notAsOrdered',
      );
    }
  });

  test('a wider one is not one', async () => {
    for (const rangeProof of [
      { attribute: 'points', min: -4, max: -1 },
      { attribute: 'points', max: -3 },
      { attribute: 'birthDate', min: '2008-06-10', max: '2008-06-17' },
    ])
      await assert.rejects(
        presentCredential(serviceOffering('nothing').client, { signer: guarded, vc, rangeProof }, { now }),
        (error) => error instanceof SdkError && error.code === 'notAsOrdered',
      );
  });

  const another = otherCredential as unknown as JsonObject;
  const from = (min: string) => ({ revealAttributes: [], rangeProof: { attribute: 'birthDate', min } });
  const until = (max: string) => ({ revealAttributes: [], rangeProof: { attribute: 'birthDate', max } });
  const together: Record<string, PresentationOrder['vcs']> = {
    'one credential twice': [
      { vc, ...from('2008-06-14') },
      { vc, ...until('2008-06-16') },
    ],
    'the same attribute of two credentials': [
      { vc, ...from('2008-06-14') },
      { vc: another, ...until('2008-06-16') },
    ],
    'an age beside a date': [
      { vc, ...from('2008-06-14') },
      { vc: another, revealAttributes: [], age: { attribute: 'birthDate', minAge: 18 } },
    ],
    'two, and a third that excludes them': [
      { vc, ...from('2008-06-14') },
      { vc: another, ...until('2008-06-16') },
      { vc: another, ...from('2010-01-01') },
    ],
  };
  for (const [name, vcs] of Object.entries(together))
    test(`is also what several leave together: ${name}`, async () => {
      const one = { signer: guarded, vcs, challenge: 'c' };
      const { client } = serviceOffering('nothing');
      const isTelling = (error: unknown) =>
        error instanceof SdkError &&
        error.code === 'invalidArgument' &&
        /birthDate .*tells/.test(error.message);
      await assert.rejects(presentCredential(client, one, { now }), isTelling);
      await assert.rejects(derivePresentation({ ...one, issuerKeys: [], now }), isTelling);
      await assert.rejects(
        presentCredential(client, { ...one, tellingRanges: ['birthDate'] }, { now }),
        (error) => error instanceof SdkError && error.code === 'notAsOrdered',
      );
    });
});

test('a clock that is a little apart does no harm', async () => {
  const late = now + 4 * 60_000;
  assert.ok(instantTextOfUnixMs(late) > instantTextOfUnixMs(now));
  await presentCredential(serviceOffering(offer()).client, { signer, ...order }, { now: late });
});

test('what a service hands back is what was signed', async () => {
  const { client } = serviceOffering(offer(), (blob, bodyText) => ({
    ...completed(blob, bodyText),
    holder: 'did:zid:another',
  }));
  await assert.rejects(
    presentCredential(client, { signer, ...order }, { now }),
    (error) =>
      error instanceof SdkError && error.code === 'notAsOrdered' && error.message.endsWith(': holder'),
  );
});

test('a signer of another network has no DID here', () => {
  const foreign: Signer = { ...signer, publicKey: 'ab'.repeat(38) };
  assert.throws(() => didOfSigner(foreign), SdkError);
  assert.equal(didOfSigner(signer), holder.did);
});

test('who signs for another holder is told before a service is asked', async () => {
  const { client } = serviceOffering('nothing');
  const theirs = { ...vc, credentialSubject: { id: `did:zid:${'ab'.repeat(32)}` } };
  for (const wrong of [
    { ...order, vc: theirs },
    { vcs: [{ vc: theirs, revealAttributes: [] }], challenge: 'c' },
  ])
    await assert.rejects(
      presentCredential(client, { signer: guarded, ...wrong }),
      (error) =>
        error instanceof SdkError && error.code === 'invalidArgument' && /holder/.test(error.message),
    );
});
