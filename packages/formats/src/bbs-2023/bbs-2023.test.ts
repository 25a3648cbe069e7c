import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { bbsLimits } from '@symbolon/core/limits/documents';
import { addBaseProof } from '../data-integrity/signing.ts';
import { canonicalQuads } from '../json-ld/canonical.ts';
import { parseDidKey } from '../json-ld/did-key.ts';
import { bbsSigner, makeFormatWorld, sampleCredential } from '../testing/format-world.ts';
import { createBaseProof, deriveDocument, verifyDerivedProof } from './bbs-2023.ts';
import { encodeDerivedProof, parseBaseProof, parseDerivedProof } from './proof-value.ts';
import { discloseStatements, groupStatements, proofConfigHash } from './transformation.ts';

interface Vectors {
  readonly publicKey: string;
  readonly hmacKey: string;
  readonly presentationHeader: string;
  readonly proofHash: string;
  readonly mandatoryHash: string;
  readonly mandatoryPointers: readonly string[];
  readonly selectivePointers: readonly string[];
  readonly mandatoryIndexes: readonly number[];
  readonly selectiveIndexes: readonly number[];
  readonly labels: readonly [number, number][];
  readonly statements: readonly string[];
  readonly proofConfigStatements: string;
  readonly signed: Fields & { readonly proof: Fields };
  readonly untaggedBaseProofValue: string;
  readonly shown: Fields & { readonly proof: Fields };
  readonly olderDraftProofValue: string;
}

const file = new URL('../../vectors/bbs-2023.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

const world = await makeFormatWorld();
const { engine, load } = world;
after(() => engine.close());
const issuer = await bbsSigner(engine, 1);
const mandatoryPointers = ['/issuer', '/validFrom'];
const signed = await addBaseProof(sampleCredential(issuer.did), { signer: issuer, mandatoryPointers, load });
const base = signed.proof as Fields;
const presentationHeader = encodeUtf8('a nonce');
const shown = await deriveDocument(signed, base, {
  selectivePointers: ['/credentialSubject/attribute1', '/credentialSubject/attribute7'],
  presentationHeader,
  engine,
  load,
});
const judge = (document: Fields, more: { presentationHeader?: Uint8Array; publicKey?: Uint8Array } = {}) =>
  verifyDerivedProof(document, document.proof as Fields, {
    publicKey: issuer.publicKey,
    engine,
    load,
    ...more,
  });
const malformed = (error: unknown) => error instanceof Fault && error.code === 'credentialMalformed';
const unusable = (error: unknown) => error instanceof Fault && error.code === 'requestMalformed';

test('the published base proof is what our steps make of its document', async () => {
  const { signed: document, hmacKey } = vectors;
  const read = parseBaseProof(document.proof.proofValue);
  assert.deepEqual(read.mandatoryPointers, vectors.mandatoryPointers);
  assert.equal(encodeHex(read.publicKey), vectors.publicKey);
  assert.deepEqual(read.hmacKey, bytesOf(hmacKey));
  assert.equal(encodeHex(read.header), vectors.proofHash + vectors.mandatoryHash);
  assert.deepEqual(parseBaseProof(vectors.untaggedBaseProofValue).header.length, 64);
  assert.equal(encodeHex(await proofConfigHash(document, document.proof, load)), vectors.proofHash);
  const { proofValue: _, ...config } = document.proof;
  const configText = await canonicalQuads({ '@context': document['@context'], ...config }, load);
  assert.equal(configText, vectors.proofConfigStatements);
  const grouped = await groupStatements(document, { ...read }, load);
  assert.deepEqual(grouped.all, vectors.statements);
  assert.equal(
    encodeHex(sha256(encodeUtf8([...grouped.mandatory.values()].join('')))),
    vectors.mandatoryHash,
  );
  const messages = [...grouped.nonMandatory.values()].map((text) => ({ bytes: encodeUtf8(text) }));
  const { publicKey, header, signature } = read;
  assert.equal(
    await engine.verifySignature({ interface: 'plain', publicKey, header, messages, signature }),
    true,
  );
});

test('the published derived proof verifies, and ours shows the same of the published base proof', async () => {
  const { shown: document, signed: whole } = vectors;
  const publicKey = parseDidKey(String(document.proof.verificationMethod))?.publicKey as Uint8Array;
  const bound = { publicKey, presentationHeader: bytesOf(vectors.presentationHeader) };
  assert.equal(await judge(document, bound), true);
  assert.equal(await judge(document, { publicKey, presentationHeader: new Uint8Array(4) }), false);
  const older = { ...document, proof: { ...document.proof, proofValue: vectors.olderDraftProofValue } };
  assert.equal(await judge(older, bound), false);
  const read = parseDerivedProof(document.proof.proofValue);
  const disclosure = await discloseStatements(
    whole,
    {
      hmacKey: bytesOf(vectors.hmacKey),
      mandatoryPointers: vectors.mandatoryPointers,
      selectivePointers: vectors.selectivePointers,
    },
    load,
  );
  for (const made of [read, disclosure]) {
    assert.deepEqual(made.mandatoryIndexes, vectors.mandatoryIndexes);
    assert.deepEqual(made.selectiveIndexes, vectors.selectiveIndexes);
    assert.deepEqual([...made.labels], vectors.labels);
  }
  const ours = await deriveDocument(whole, whole.proof, {
    selectivePointers: vectors.selectivePointers,
    presentationHeader: bound.presentationHeader,
    engine,
    load,
  });
  assert.deepEqual({ ...ours, proof: undefined }, { ...document, proof: undefined });
  assert.equal(await judge(ours, bound), true);
});

test('what is selected is shown, what is mandatory too, and nothing else', async () => {
  assert.deepEqual(shown.credentialSubject, { attribute1: 'value 1', attribute7: 'value 7' });
  assert.equal(shown.issuer, issuer.did);
  assert.equal(await judge(shown), true);
  assert.equal(await judge(shown, { presentationHeader }), true);
  assert.equal(JSON.stringify(shown).includes('value 2'), false);
  const onlyMandatory = await deriveDocument(signed, base, { selectivePointers: [], engine, load });
  assert.equal(onlyMandatory.credentialSubject, undefined);
  assert.equal(await judge(onlyMandatory), true);
});

test('nothing that is shown can be changed, added, dropped or bound to something else', async () => {
  const subject = shown.credentialSubject as Fields;
  const proof = shown.proof as Fields;
  const otherKey = (await bbsSigner(engine, 2)).publicKey;
  const changes: [string, Fields][] = [
    ['a value', { ...shown, credentialSubject: { ...subject, attribute1: 'value 2' } }],
    ['a value more', { ...shown, credentialSubject: { ...subject, attribute2: 'value 2' } }],
    ['a value less', { ...shown, credentialSubject: { attribute1: 'value 1' } }],
    ['a mandatory value', { ...shown, validFrom: '2020-01-01T00:00:00Z' }],
    ['the issuer', { ...shown, issuer: 'did:example:other' }],
    ['the type', { ...shown, type: ['VerifiableCredential', 'OtherCredential'] }],
    ['the purpose', { ...shown, proof: { ...proof, proofPurpose: 'authentication' } }],
    ['a time', { ...shown, proof: { ...proof, created: '2026-01-01T00:00:00Z' } }],
  ];
  for (const [what, document] of changes)
    assert.equal(await judge(document).catch((error) => malformed(error) && false), false, what);
  assert.equal(await judge(shown, { publicKey: otherKey }), false);
  assert.equal(await judge(shown, { presentationHeader: encodeUtf8('another nonce') }), false);
});

test('names of nodes in a derived proof are those of its nodes, one for each', async () => {
  const read = parseDerivedProof((shown.proof as Fields).proofValue);
  const [first, second] = [...read.labels.keys()] as [number, number];
  const same = read.labels.get(first) as number;
  const rewritten = (labels: ReadonlyMap<number, number>) => ({
    ...shown,
    proof: { ...(shown.proof as Fields), proofValue: encodeDerivedProof({ ...read, labels }) },
  });
  await assert.rejects(judge(rewritten(new Map(read.labels).set(second, same))), malformed);
  await assert.rejects(judge(rewritten(new Map(read.labels).set(99, 99))), malformed);
  await assert.rejects(judge(rewritten(new Map([[first, same]]))), malformed);
  assert.equal(await judge(rewritten(new Map(read.labels).set(first, 7))), false);
});

test('values that selective disclosure would take for something else are not signed', async () => {
  const sign = (change: Fields) =>
    createBaseProof(
      { ...sampleCredential(issuer.did), ...change },
      { signer: issuer, mandatoryPointers, load },
    );
  for (const text of ['a _:b0 b', '_:x', 'urn:bnid:_1_0', '<urn:bnid:x>'])
    await assert.rejects(sign({ credentialSubject: { attribute0: text } }), malformed, text);
  await assert.rejects(
    sign({ unknownTerm: 1, '@context': ['https://www.w3.org/ns/credentials/v2'] }),
    malformed,
  );
  const many = Object.fromEntries(
    Array.from({ length: bbsLimits.messagesMax + 1 }, (_, index) => [`a${index}`, `${index}`]),
  );
  await assert.rejects(sign({ credentialSubject: many }), malformed);
});

test('pointers must point at something, and by their own names', async () => {
  const cases: unknown[] = [
    '/nothing',
    '/credentialSubject/__proto__',
    '/credentialSubject/constructor',
    '/constructor/prototype',
    '/type/01',
    '/type/0x',
    '/type/7',
    '/proof',
    '/@context',
    'issuer',
    '',
    '/credentialSubject/attribute1~2',
    7,
  ];
  for (const pointer of cases) {
    const selectivePointers = [pointer] as string[];
    await assert.rejects(deriveDocument(signed, base, { selectivePointers, engine, load }), unusable);
  }
  await assert.rejects(
    createBaseProof(sampleCredential(issuer.did), {
      signer: issuer,
      mandatoryPointers: ['/validUntil'],
      load,
    }),
    unusable,
  );
});

test('a base proof is not shown, and a derived one not derived from', async () => {
  await assert.rejects(judge(signed), malformed);
  await assert.rejects(
    deriveDocument(shown, shown.proof as Fields, { selectivePointers: ['/issuer'], engine, load }),
    malformed,
  );
});
