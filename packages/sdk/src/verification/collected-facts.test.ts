import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import {
  binding,
  commitment,
  holder,
  idealProof,
  issuer,
  now,
  parsed,
  request,
  sampleCredential,
  sha256,
  signAs,
  template,
} from '@symbolon/core/credential/testing/sample-credentials';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import {
  buildUnsignedPresentation,
  planPresentation,
} from '@symbolon/core/presentation/presentation-derivation';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import type { SdkErrorCode } from '../errors/error-words.ts';
import { SdkError } from '../errors/errors.ts';
import { signFacts } from '../flows/verifier-flows.ts';
import { didOfSigner, signerFromSeed } from '../keys/signer.ts';
import { type CollectedFacts, factsForm, type OfflineFacts } from './collected-facts.ts';
import { type OfflineQuestion, verifyPresentationOffline } from './offline-verification.ts';

/** The generator of the keys' group: ideal proofs need a key, and no secret. */
const issuerBbsKey = parseHex(
  '93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e' +
    '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
) as Uint8Array;
const plan = planPresentation([{ parsed: parsed(), publicKey: issuerBbsKey, request }], binding, sha256);
const presentation = signAs(
  holder,
  buildUnsignedPresentation(
    plan,
    plan.disclosures.map(({ order }) => idealProof(order)),
  ),
);

const collector = await signerFromSeed(new Uint8Array(32).fill(8));
const stranger = await signerFromSeed(new Uint8Array(32).fill(9));
const collectorDid = didOfSigner(collector);

const engine = {
  verifyProof: async (order) => Buffer.compare(idealProof(order), order.proof) === 0,
} as Partial<ProofEngine> as ProofEngine;

/** All that the sample's verdict needs, collected an hour ago. */
const facts: CollectedFacts = {
  form: factsForm,
  fetchedAt: instantTextOfUnixMs(now - 3_600_000),
  basis: { service: 'https://credentials.example', ledgerSeq: '7', blockHash: 'ab'.repeat(32) },
  issuerKeys: [
    {
      verificationMethod: `${issuer.did}#delegateKey-1`,
      publicKeyMultibase: encodeBbsPublicKey(issuerBbsKey),
    },
  ],
  statuses: [
    {
      vcId: sampleCredential().id,
      issuer: issuer.did,
      status: 'Active',
      record: {
        issuedAt: '2026-01-01T00:00:00Z',
        validFrom: '2026-01-01T00:00:00Z',
        validUntil: '2027-01-01T00:00:00Z',
        commitment: encodeHex(commitment),
        template: {
          id: template.id,
          version: template.version,
          name: template.name,
          issuer: template.issuer,
          attributes: template.attributes.map(({ key, type, format }) => ({ key, type, format })),
          acceptsUnbound: false,
        },
      },
    },
  ],
  issuerNames: [],
};

const verdict = async (
  document: Partial<OfflineFacts> = {},
  more: Partial<OfflineQuestion> = {},
): Promise<boolean> => {
  const { challenge, domain } = binding;
  const question = { challenge, domain, now, engine, takenFrom: [collectorDid] };
  const asked = { facts: { ...facts, ...document }, ...question, ...more };
  return (await verifyPresentationOffline(presentation, asked)).verified;
};

const isRefusal = (code: SdkErrorCode) => (error: unknown) => {
  assert.ok(error instanceof SdkError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

describe('facts that somebody collected', () => {
  test('count where the collector is one of those whose facts are taken', async () => {
    const signed = await signFacts(facts, collector);
    assert.equal(signed.proof.collector, collectorDid);
    assert.equal(await verdict(signed), true);
    assert.equal(await verdict(signed, { takenFrom: [didOfSigner(stranger), collectorDid] }), true);
    await assert.rejects(
      verdict(signed, { takenFrom: [didOfSigner(stranger)] }),
      isRefusal('factsNotTrusted'),
    );
  });

  test('do not count without a signature', async () => {
    await assert.rejects(verdict(), isRefusal('factsNotSigned'));
  });

  test('do not count once anything in them was changed', async () => {
    const signed = await signFacts(facts, collector);
    const [status] = facts.statuses;
    const [key] = facts.issuerKeys;
    assert.ok(status && key);
    const changes: Partial<CollectedFacts>[] = [
      { fetchedAt: instantTextOfUnixMs(now) },
      { basis: { service: 'https://evil.example' } },
      { statuses: [] },
      { statuses: [{ ...status, status: 'Revoked' }] },
      { statuses: [status, status] },
      { issuerKeys: [{ ...key, compromisedSince: '2026-01-01T00:00:00Z' }] },
      { issuerNames: [{ did: issuer.did, name: 'The University' }] },
    ];
    for (const change of changes)
      await assert.rejects(verdict({ ...signed, ...change }), isRefusal('factsNotTrusted'));
    const { proof } = signed;
    const theirs = (await signFacts(facts, stranger)).proof;
    for (const signature of [theirs.signature, 'ab', 'x', proof.signature.toUpperCase()])
      await assert.rejects(
        verdict({ ...signed, proof: { ...proof, signature } }),
        isRefusal('factsNotTrusted'),
      );
    // A signature over the same facts for another use.
    const plain = encodeHex(await collector.sign(new TextEncoder().encode(JSON.stringify(facts))));
    await assert.rejects(
      verdict({ ...signed, proof: { ...proof, signature: plain } }),
      isRefusal('factsNotTrusted'),
    );
  });

  test('of the verifier itself need no signature, and a word that says so', async () => {
    assert.equal(await verdict({}, { takenFrom: 'self' }), true);
    for (const takenFrom of [undefined, [], 'anybody', ['nobody']])
      await assert.rejects(
        verdict({}, { takenFrom } as unknown as Partial<OfflineQuestion>),
        isRefusal('invalidArgument'),
      );
  });

  test('of the verifier itself are not those that somebody signed, who is named', async () => {
    const strangers = await signFacts(facts, stranger);
    for (const theirs of [strangers, { ...strangers, statuses: [] }])
      await assert.rejects(
        verdict(theirs, { takenFrom: 'self' }),
        (error) =>
          isRefusal('factsNotTrusted')(error) && (error as Error).message.includes(didOfSigner(stranger)),
      );
    const own = await signFacts(facts, collector);
    await assert.rejects(verdict(own, { takenFrom: 'self' }), isRefusal('factsNotTrusted'));
    assert.equal(await verdict(own, { takenFrom: [collectorDid] }), true);
  });
});

describe('names that facts tell', () => {
  const other = didOfSigner(stranger);
  const [own] = facts.statuses as [CollectedFacts['statuses'][number]];
  const named = async (told: Partial<OfflineFacts>, more: Partial<OfflineQuestion> = {}) => {
    const { challenge, domain } = binding;
    const question = { challenge, domain, now, engine, takenFrom: 'self' as const, ...more };
    const found = await verifyPresentationOffline(presentation, {
      facts: { ...facts, ...told },
      ...question,
    });
    assert.ok(found.verified);
    const [shown] = found.credentials ?? [];
    return [shown?.template.name, shown?.issuer.name];
  };
  const called = (did: string, name: string) => ({ issuerNames: [{ did, name }] });
  const alike = template.name.toUpperCase();
  const registeredBy = (issuerDid: string, name: string) => ({
    statuses: [
      own,
      {
        ...own,
        vcId: `did:zid:${'e'.repeat(64)}`,
        issuer: issuerDid,
        record: own.record && { ...own.record, template: { ...own.record.template, name } as never },
      },
    ],
  });

  test('are shown where they are nobody else’s', async () => {
    assert.deepEqual(await named({}), [template.name, undefined]);
    assert.deepEqual(await named(called(issuer.did, 'Ministry')), [template.name, 'Ministry']);
    assert.deepEqual(await named(registeredBy(issuer.did, alike)), [template.name, undefined]);
    assert.deepEqual(await named(called(other, 'Ministry')), [template.name, undefined]);
  });

  test('are left out where another issuer has one in the facts that is read alike', async () => {
    assert.deepEqual(await named(called(other, alike)), [undefined, undefined]);
    assert.deepEqual(await named(registeredBy(other, alike)), [undefined, undefined]);
    const ministries = [
      { did: issuer.did, name: 'Ministry' },
      { did: other, name: 'MINISTRY' },
    ];
    assert.deepEqual(await named({ issuerNames: ministries }), [template.name, undefined]);
  });

  test('stay with an issuer that the verifier trusts, whatever others call themselves', async () => {
    const trustedIssuers = [issuer.did];
    assert.deepEqual(await named(called(other, alike), { trustedIssuers }), [template.name, undefined]);
  });
});

describe('the age of facts', () => {
  const at = (ms: number) => ({ fetchedAt: instantTextOfUnixMs(ms) });
  const own = (document: Partial<OfflineFacts>, more: Partial<OfflineQuestion> = {}) =>
    verdict(document, { takenFrom: 'self', ...more });
  const day = 86_400_000;

  test('is a day at most', async () => {
    assert.equal(await own(at(now - day)), true);
    await assert.rejects(own(at(now - day - 1_000)), isRefusal('factsStale'));
    await assert.rejects(own(at(0)), isRefusal('factsStale'));
  });

  test('or what the verifier says', async () => {
    assert.equal(await own(at(now - 3 * day), { maxAgeSeconds: 3 * 86_400 }), true);
    await assert.rejects(own(at(now - 61_000), { maxAgeSeconds: 60 }), isRefusal('factsStale'));
    for (const maxAgeSeconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      await assert.rejects(own(at(now), { maxAgeSeconds }), isRefusal('invalidArgument'));
  });

  test('is not negative, but for what clocks are apart', async () => {
    assert.equal(await own(at(now + 299_000)), true);
    await assert.rejects(own(at(now + 301_000)), isRefusal('factsFromFuture'));
  });

  test('is known', async () => {
    for (const fetchedAt of [undefined, '', 'yesterday'])
      await assert.rejects(
        own({ fetchedAt } as unknown as Partial<OfflineFacts>),
        isRefusal('invalidArgument'),
      );
  });
});

test('a facts document says nothing but facts: whoever writes a condition into it is refused', async () => {
  const stale = await signFacts(
    { ...facts, fetchedAt: instantTextOfUnixMs(now - 3 * 86_400_000) },
    collector,
  );
  await assert.rejects(verdict(stale), isRefusal('factsStale'));
  const { challenge, domain } = binding;
  const mixed = { ...stale, challenge, domain, now, engine, takenFrom: [collectorDid], maxAgeSeconds: 1e9 };
  await assert.rejects(
    verifyPresentationOffline(presentation, mixed as unknown as OfflineQuestion),
    (error) => isRefusal('invalidArgument')(error) && /\{ facts, takenFrom/.test((error as SdkError).hint),
  );
  const injected = {
    maxAgeSeconds: 1e9,
    trustedIssuers: [{ did: issuer.did, name: 'Ministry of Truth' }],
    request: { revealAttributes: ['name'] },
    domain: 'evil.example',
    takenFrom: [didOfSigner(stranger)],
  };
  for (const [name, value] of Object.entries(injected)) {
    const document = { ...stale, [name]: value };
    const isNamed = (error: unknown) =>
      isRefusal('invalidArgument')(error) && (error as Error).message.includes(name);
    await assert.rejects(verdict(document), isNamed);
    await assert.rejects(signFacts(document, collector), isNamed);
  }
});

test('facts of an older form are refused, with how to make new ones', async () => {
  const older = { ...facts, form: 'symbolon-verification-facts-2', service: 'https://credentials.example' };
  const question = { now, takenFrom: 'self' } as const;
  await assert.rejects(
    verifyPresentationOffline(presentation, { facts: older as unknown as OfflineFacts, ...question }),
    (error) => isRefusal('invalidArgument')(error) && /verify facts/.test((error as SdkError).hint),
  );
});

test('facts that say nothing of what they rest on are not signed', async () => {
  await assert.rejects(signFacts({ ...facts, basis: {} }, collector), isRefusal('invalidArgument'));
});
