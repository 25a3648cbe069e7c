import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { contextUrls } from '../json-ld/contexts.ts';
import {
  ed25519Signer,
  makeFormatWorld,
  nowMs,
  p256Signer,
  sampleCredential,
} from '../testing/format-world.ts';
import { encodeSignature, signedHashes } from './hash-suites.ts';
import type { ProofProblem } from './proof-problems.ts';
import { addProof, proofsOf } from './signing.ts';
import { type ProofExpectations, verifyDocument } from './verifying.ts';

const world = await makeFormatWorld();
const { load } = world;
after(() => world.engine.close());
const [first, second] = [ed25519Signer(1), p256Signer(2)];
const purpose = 'assertionMethod';
const expected: ProofExpectations = { purpose, nowMs };
const credential = sampleCredential(first.did);
const single = await addProof(credential, { signer: first, load, purpose, id: 'urn:proof:1' });

const problemsOf = async (
  document: unknown,
  more: Partial<ProofExpectations> = {},
): Promise<(ProofProblem | 'none')[]> =>
  (await verifyDocument(document, { ...expected, ...more }, world)).proofs.map((verdict) =>
    verdict.isVerified ? 'none' : verdict.problem,
  );
/** Its statements are the document's alone, so nothing would hold it to the proof that it says it follows. */
const followingBbsProof: Fields = {
  ...(single.proof as Fields),
  id: 'urn:proof:2',
  cryptosuite: 'bbs-2023',
  previousProof: 'urn:proof:1',
};
const withProof = (document: Fields, change: Fields): Fields => ({
  ...document,
  proof: { ...(document.proof as Fields), ...change },
});

test('a set of proofs: each is over the document alone, and all must hold', async () => {
  const both = await addProof(single, { signer: second, load, purpose });
  assert.deepEqual(
    proofsOf(both).map(({ cryptosuite }) => cryptosuite),
    ['eddsa-rdfc-2022', 'ecdsa-rdfc-2019'],
  );
  assert.deepEqual(await problemsOf(both), ['none', 'none']);
  const [one, two] = proofsOf(both) as [Fields, Fields];
  assert.deepEqual(await problemsOf({ ...both, proof: [two, one] }), ['none', 'none']);
  assert.deepEqual(await problemsOf({ ...both, proof: two }), ['none']);
  const changed = { ...both, validFrom: '2025-01-01T00:00:00Z' };
  assert.deepEqual(await problemsOf(changed), ['signatureWrong', 'signatureWrong']);
  const verdict = await verifyDocument(
    { ...both, proof: [one, { ...two, created: '2026-01-01T00:00:00Z' }] },
    expected,
    world,
  );
  assert.equal(verdict.isVerified, false);
  assert.equal(verdict.proofs[0]?.isVerified, true);
});

test('a chain of proofs: the second is over the first as well', async () => {
  const chained = await addProof(single, {
    signer: second,
    load,
    purpose,
    id: 'urn:proof:2',
    previousProofs: ['urn:proof:1'],
  });
  assert.deepEqual(await problemsOf(chained), ['none', 'none']);
  const third = await addProof(chained, {
    signer: first,
    load,
    purpose,
    previousProofs: ['urn:proof:1', 'urn:proof:2'],
  });
  assert.deepEqual(await problemsOf(third), ['none', 'none', 'none']);
  const [one, two] = proofsOf(chained) as [Fields, Fields];
  assert.deepEqual(await problemsOf({ ...chained, proof: two }), ['previousProofMissing']);
  const { previousProof: _, ...cut } = two;
  assert.deepEqual(await problemsOf({ ...chained, proof: [one, cut] }), ['none', 'signatureWrong']);
  const again = await addProof(credential, {
    signer: first,
    load,
    purpose,
    id: 'urn:proof:1',
    created: '2026-02-02T00:00:00Z',
  });
  assert.deepEqual(await problemsOf({ ...chained, proof: [again.proof, two] }), ['none', 'signatureWrong']);
  assert.deepEqual(await problemsOf({ ...chained, proof: [one, one, two] }), [
    'none',
    'none',
    'previousProofMissing',
  ]);
  await assert.rejects(
    addProof(single, { signer: second, load, purpose, previousProofs: ['urn:proof:9'] }),
    (error) => error instanceof Fault && error.code === 'requestMalformed',
  );
});

test('a proof is for its purpose, its domain, its challenge and its time', async () => {
  const bound = await addProof(credential, {
    signer: first,
    load,
    purpose: 'authentication',
    domain: 'verifier.example',
    challenge: 'c-1',
    created: '2026-05-31T23:59:00Z',
    expires: '2026-06-02T00:00:00Z',
  });
  const right = { purpose: 'authentication', domain: 'verifier.example', challenge: 'c-1' } as const;
  assert.deepEqual(await problemsOf(bound, right), ['none']);
  const cases: [ProofProblem, Partial<ProofExpectations>][] = [
    ['purposeWrong', { ...right, purpose }],
    ['domainWrong', { ...right, domain: 'other.example' }],
    ['challengeWrong', { ...right, challenge: 'c-2' }],
    ['proofExpired', { ...right, nowMs: nowMs + 86_400_000 }],
    ['notYetMade', { ...right, nowMs: nowMs - 86_400_000 }],
    ['keyNotOfIssuer', { ...right, controller: second.did }],
  ];
  for (const [problem, more] of cases) assert.deepEqual(await problemsOf(bound, more), [problem]);
});

test('what is no proof, or one of nobody, has a name', async () => {
  const { proof: _, ...unsigned } = single;
  const cases: [ProofProblem, unknown][] = [
    ['proofMissing', unsigned],
    ['documentMalformed', 7],
    ['documentMalformed', { ...single, proof: 'text' }],
    ['documentMalformed', { ...single, proof: Array(17).fill(single.proof) }],
    [
      'documentMalformed',
      { ...single, '@context': [...(single['@context'] as string[]), 'https://else.example/v1'] },
    ],
    ['documentMalformed', { ...single, '@context': contextUrls.credentialsV2 }],
    ['cryptosuiteUnknown', withProof(single, { cryptosuite: 'eddsa-rdfc-2023' })],
    ['cryptosuiteUnknown', withProof(single, { type: 'RsaSignature2018' })],
    ['cryptosuiteUnknown', withProof(single, { cryptosuite: { toString: null } })],
    ['cryptosuiteUnknown', withProof(single, { type: { toString: null } })],
    ['previousProofMissing', { ...single, proof: [single.proof, followingBbsProof] }],
    ['keyUnknown', withProof(single, { verificationMethod: 'did:example:1#key' })],
    ['keyUnknown', withProof(single, { verificationMethod: `${first.did}#z6Mkother` })],
    ['keyOfOtherType', withProof(single, { verificationMethod: second.verificationMethod })],
    ['proofMalformed', withProof(single, { verificationMethod: 7 })],
    ['documentMalformed', withProof(single, { proofValue: undefined })],
    ['proofMalformed', withProof(single, { proofValue: 7 })],
    ['proofMalformed', withProof(single, { proofValue: 'zabc' })],
    ['proofMalformed', withProof(single, { proofValue: `u${'A'.repeat(86)}` })],
    ['proofMalformed', withProof(single, { created: '2026-01-01' })],
    ['proofMalformed', withProof(single, { previousProof: [] })],
    ['signatureWrong', withProof(single, { verificationMethod: ed25519Signer(3).verificationMethod })],
    ['signatureWrong', withProof(single, { nonce: 'added' })],
  ];
  for (const [problem, document] of cases)
    assert.deepEqual((await problemsOf(document)).slice(-1), [problem], JSON.stringify(document).slice(-200));
});

test('the older Ed25519Signature2020 is verified', async () => {
  const config = {
    type: 'Ed25519Signature2020',
    created: '2026-01-01T00:00:00Z',
    verificationMethod: first.verificationMethod,
    proofPurpose: purpose,
  };
  for (const contexts of [
    [contextUrls.credentialsV1, contextUrls.ed25519Signature2020, contextUrls.examplesV2],
    [contextUrls.credentialsV2, contextUrls.ed25519Signature2020, contextUrls.examplesV2],
  ]) {
    const { validFrom: __, ...rest } = credential;
    const document = { ...rest, '@context': contexts };
    const message = await signedHashes(document, { proof: config, suite: 'Ed25519Signature2020' }, load);
    const signed = {
      ...document,
      proof: { ...config, proofValue: encodeSignature(await first.sign(message)) },
    };
    assert.deepEqual(await problemsOf(signed), ['none']);
    assert.deepEqual(await problemsOf({ ...signed, issuer: second.did }), ['signatureWrong']);
  }
});
