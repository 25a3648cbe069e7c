/**
 * Attacks on presentations, each signed again by the holder so that only the proof, the ledger or the verifier's own
 * expectation can stop it. Every one is tried on the service over HTTP and on the SDK without a service; both must
 * refuse it and name the same checks.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { encodeBbsPublicKey } from '@symbolon/core/did';
import {
  derivePresentation,
  type FetchedFacts,
  publishKey,
  revokeCredential,
  ServiceError,
} from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json';
import {
  type Forgery,
  factsAbout,
  firstOf,
  forge,
  forgery,
  type Holder,
  issueTo,
  judge,
  type PresentationWorld,
  present,
  type Question,
  startPresentationWorld,
} from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { shareProofs } from '../support/running-service.ts';

const owner = ownerOfSuite();

const question: Question = { challenge: 'verifier-7f3a', domain: 'https://verifier.example' };
const elsewhere: Question = { challenge: 'another verifier', domain: 'https://other.example' };
const revealAttributes = ['fullName', 'nationality', 'isResident'];
const birthRange = { attribute: 'birthDate', max: '2008-11-15' };
/** What a proof that does not fit leaves unconfirmed. */
const proofFails = ['bbsProof', 'revealedAttributes'];

let world: PresentationWorld;
let holder: Holder;
let thief: Holder;
let vc: JsonObject;
let secondVc: JsonObject;
let thiefVc: JsonObject;
let facts: FetchedFacts;
/** Without ranges: the same attack is then a hundred times faster to refuse. */
let plain: JsonObject;
let ranged: JsonObject;
let thiefPlain: JsonObject;

before(async () => {
  world = await startPresentationWorld(owner, { proofs: shareProofs(owner) });
  holder = world.holder;
  thief = world.otherHolder;
  vc = await issueTo(world, holder);
  secondVc = await issueTo(world, holder, { nationality: 'FR', birthDate: '1970-01-01' });
  thiefVc = await issueTo(world, thief, { fullName: 'Tama Rua', birthDate: '2008-11-16' });
  facts = await factsAbout(world, [vc, secondVc, thiefVc]);
  plain = await present(world, holder, { vc, revealAttributes, ...question });
  ranged = await present(world, holder, { vc, revealAttributes, rangeProof: birthRange, ...question });
  thiefPlain = await present(world, thief, { vc: thiefVc, revealAttributes, ...question });
});

async function assertVerified(presentation: JsonObject, asked: Question = question) {
  const verdict = await judge(world, presentation, { facts, ...asked });
  assert.deepEqual(verdict.checks, []);
  return verdict.details;
}

async function assertRefused(
  presentation: JsonObject,
  checks: readonly string[],
  asked: Question = question,
): Promise<void> {
  const verdict = await judge(world, presentation, { facts, ...asked });
  assert.deepEqual(verdict.checks, [...checks].sort());
  assert.equal(verdict.details, undefined);
}

const isFault =
  (status: number, code: string) =>
  (error: unknown): boolean =>
    error instanceof ServiceError && error.status === status && error.code === code;

test('what the attacks start from verifies', async () => {
  for (const good of [plain, thiefPlain]) await assertVerified(good);
  assert.deepEqual(await assertVerified(ranged), {
    fullName: 'Aroha Ngata',
    nationality: 'NZ',
    isResident: true,
    birthDate: 'range proof ok: <= 2008-11-15',
  });
});

describe('revealed values', () => {
  const attacks: Record<string, Forgery> = {
    'a changed text': forgery.subject({ fullName: 'Aroha Ngata II' }),
    'a changed truth': forgery.subject({ isResident: false }),
    'values of two attributes exchanged': forgery.subject({ fullName: 'NZ', nationality: 'Aroha Ngata' }),
    'a value left out': forgery.subject({ nationality: undefined }),
    'a true value added': forgery.subject({ city: 'Dunedin' }),
    'a false value added': forgery.subject({ height: 200 }),
    'a value moved to another attribute': forgery.subject({ city: 'NZ', nationality: undefined }),
    'an optional attribute that the credential lacks': forgery.subject({ remark: 'sworn' }),
  };
  for (const [name, change] of Object.entries(attacks))
    test(name, async () => assertRefused(await forge(plain, holder, change), proofFails));

  test('every value left out', async () => {
    const bare = forgery.credential({ credentialSubject: { id: holder.did } });
    await assertRefused(await forge(plain, holder, bare), ['bbsProof']);
  });

  test('a value that is no attribute, or not spelled as it is signed', async () => {
    for (const values of [{ rank: 'general' }, { isResident: 'true' }])
      await assertRefused(await forge(plain, holder, forgery.subject(values)), ['revealedAttributes']);
  });
});

describe('ranges', () => {
  const claiming = (...ranges: JsonObject[]): Forgery => forgery.proof({ ranges });
  const removed = forgery.proof({ ranges: undefined, rangeMethod: undefined, rangeParameters: undefined });
  const attacks: Record<string, Forgery> = {
    'moved by a day': claiming({ attribute: 'birthDate', max: '2008-11-14' }),
    widened: claiming({ attribute: 'birthDate', max: '2020-01-01' }),
    'narrowed from the other side': claiming({ ...birthRange, min: '1990-01-01' }),
    'turned around': claiming({ attribute: 'birthDate', min: '2008-11-15' }),
    'about another attribute': claiming({ attribute: 'height', max: 200 }),
    'about a time instead of a date': claiming({ attribute: 'enteredAt', max: '2020-01-01T00:00:00Z' }),
    'a second one added': claiming(birthRange, { attribute: 'height', min: 170 }),
    removed,
    'removed, with an invented value in its place': (all, credential) => {
      removed(all, credential);
      forgery.subject({ birthDate: '1980-01-01' })(all, credential);
    },
  };
  for (const [name, change] of Object.entries(attacks))
    test(name, async () => assertRefused(await forge(ranged, holder, change), proofFails));

  test('added where none was proved', async () => {
    const claimed = forgery.proof({ ranges: [birthRange], rangeMethod: 'bulletproofs' });
    await assertRefused(await forge(plain, holder, claimed), proofFails);
  });

  test('under age by one day: not derived, and not claimed either', async () => {
    const order = { vc: thiefVc, revealAttributes, ...question };
    const tooStrict = present(world, thief, { ...order, rangeProof: birthRange });
    await assert.rejects(tooStrict, isFault(400, 'rangeInvalid'));
    const truth = { attribute: 'birthDate', max: '2008-11-16' };
    const young = await present(world, thief, { ...order, rangeProof: truth });
    await assertVerified(young);
    await assertRefused(await forge(young, thief, claiming(birthRange)), proofFails);
    const request = { revealAttributes, rangeProof: birthRange };
    await assertRefused(young, ['disclosure'], { ...question, request });
  });

  test("an older relative's proof, pasted in", async () => {
    const pasted = forgery.credential({ proof: firstOf(ranged).proof });
    await assertRefused(await forge(thiefPlain, thief, pasted), proofFails);
  });

  test('proved with parameters that the verifier did not make', async () => {
    const parameters = await world.engine.makeRangeParameters();
    const order = { vc, revealAttributes, rangeProof: birthRange, ...question };
    const own = await derivePresentation({
      ...order,
      signer: holder.signer,
      issuerKeys: facts.issuerKeys,
      now: Date.now(),
      engine: world.engine,
      rangeParameters: { method: 'set-membership', parameters },
    });
    await assertRefused(own as unknown as JsonObject, ['bbsProof']);
    const renamed = forgery.proof({ rangeMethod: 'set-membership' });
    await assertRefused(await forge(ranged, holder, renamed), ['bbsProof']);
  });

  test('all of it again, proved by set membership', async () => {
    const order = { vc, revealAttributes, rangeProof: birthRange, ...question };
    const good = await present(world, holder, { ...order, rangeMethod: 'set-membership' });
    await assertVerified(good);
    for (const change of Object.values(attacks))
      await assertRefused(await forge(good, holder, change), proofFails);
    const unnamed = forgery.proof({ rangeMethod: 'bulletproofs', rangeParameters: undefined });
    await assertRefused(await forge(good, holder, unnamed), proofFails);
  });

  for (const rangeMethod of ['bulletproofs', 'set-membership'] as const) {
    test(`exactly the minimum and exactly the maximum pass, by ${rangeMethod}`, async () => {
      const exact = Object.entries({
        birthDate: '1990-05-17',
        height: 171,
        income: '52000.5',
        enteredAt: '2019-08-01T09:30:00Z',
      }).map(([attribute, value]) => ({ attribute, min: value, max: value }));
      const order = { vc, revealAttributes: [], rangeProof: exact, rangeMethod, ...question };
      await assertVerified(await present(world, holder, order));
    });
  }

  test('one beyond is not derived', async () => {
    const beyond = [
      { attribute: 'birthDate', min: '1990-05-18' },
      { attribute: 'birthDate', max: '1990-05-16' },
      { attribute: 'height', min: 172 },
      { attribute: 'height', max: 170 },
      { attribute: 'income', min: '52000.51' },
      { attribute: 'income', max: '52000.49' },
      { attribute: 'enteredAt', min: '2019-08-01T09:30:01Z' },
      { attribute: 'enteredAt', max: '2019-08-01T09:29:59Z' },
    ];
    for (const rangeProof of beyond) {
      const order = { vc, rangeProof, ...question };
      await assert.rejects(present(world, holder, order), isFault(400, 'rangeInvalid'));
    }
  });
});

describe('challenge and domain', () => {
  test("another verifier's, or none at all", async () => {
    const { challenge, domain } = question;
    const others = [
      { challenge: 'another verifier', domain },
      { challenge, domain: 'other.example' },
    ];
    for (const asked of [...others, { domain }, { challenge }, {}])
      await assertRefused(plain, ['challenge'], asked);
    const unbound = await present(world, holder, { vc, revealAttributes });
    await assertVerified(unbound, {});
    await assertRefused(unbound, ['challenge']);
  });

  test('replaced and signed again', async () => {
    const { challenge, domain } = elsewhere;
    await assertRefused(await forge(plain, holder, forgery.holderProof({ challenge })), proofFails, {
      ...question,
      challenge,
    });
    await assertRefused(await forge(plain, holder, forgery.holderProof({ domain })), proofFails, {
      ...question,
      domain,
    });
    const stripped = forgery.holderProof({ challenge: undefined, domain: undefined });
    await assertRefused(await forge(plain, holder, stripped), proofFails, {});
  });

  test('an old proof in a new presentation', async () => {
    const fresh = await present(world, holder, { vc, revealAttributes, ...elsewhere });
    const replayed = forgery.credential({ proof: firstOf(plain).proof });
    await assertRefused(await forge(fresh, holder, replayed), proofFails, elsewhere);
  });
});

describe('the holder', () => {
  const claimed: Forgery = (presentation) => {
    presentation.holder = thief.did;
    presentation.proof.verificationMethod = `${thief.did}#controllerKey`;
  };

  test('somebody else signs', async () => {
    const named = forgery.holderProof({ verificationMethod: `${thief.did}#controllerKey` });
    for (const change of [() => undefined, claimed, named])
      await assertRefused(await forge(plain, thief, change), ['holderSignature']);
  });

  test('somebody else signs, and is the subject now', async () => {
    await assertRefused(await forge(plain, thief, claimed, forgery.subject({ id: thief.did })), proofFails);
  });

  test('credentials of two holders in one presentation', async () => {
    const vcs = [vc, thiefVc].map((one) => ({ vc: one, revealAttributes }));
    // The SDK does not even ask; whoever asks without it is refused by the service.
    await assert.rejects(present(world, holder, { vcs, ...question }), { code: 'invalidArgument' });
    const asked = world.service.stranger.createPresentation({ vcs, ...question });
    await assert.rejects(asked, isFault(400, 'credentialMalformed'));
    const theirs = firstOf(thiefPlain);
    const joined = (subject: JsonObject): Forgery => {
      const credentialSubject = { ...theirs.credentialSubject, ...subject };
      return (all) => void all.verifiableCredential.push({ ...structuredClone(theirs), credentialSubject });
    };
    await assertRefused(await forge(plain, holder, joined({})), ['holderSignature']);
    await assertRefused(await forge(plain, holder, joined({ id: holder.did })), proofFails);
  });

  test("one's own two credentials with their values exchanged", async () => {
    const vcs = [vc, secondVc].map((one) => ({ vc: one, revealAttributes }));
    const good = await present(world, holder, { vcs, ...question });
    await assertVerified(good);
    const exchanged = await forge(good, holder, ({ verifiableCredential: [first, second] }) => {
      assert.ok(first && second);
      const { credentialSubject } = first;
      first.credentialSubject = second.credentialSubject;
      second.credentialSubject = credentialSubject;
    });
    await assertRefused(exchanged, proofFails);
  });
});

describe('the issuer', () => {
  test("a key that is not published, or is somebody else's", async () => {
    for (const verificationMethod of [`${vc.issuer}#delegateKey-9`, `${thief.did}#delegateKey-1`])
      await assertRefused(await forge(plain, holder, forgery.proof({ verificationMethod })), ['bbsProof']);
  });

  test('another issuer altogether', async () => {
    const key = forgery.proof({ verificationMethod: `${thief.did}#delegateKey-1` });
    const claimed = await forge(plain, holder, key, forgery.credential({ issuer: thief.did }));
    await assertRefused(claimed, ['bbsProof', 'status']);
  });

  test('another key of the same issuer', async () => {
    const { signer } = world.service.issuer;
    const publicKey = await world.engine.publicKeyOf(new Uint8Array(32).fill(3));
    const published = await publishKey(world.service.ledger, {
      signer,
      type: 'Bls12381G2Key2020',
      publicKeyMultibase: encodeBbsPublicKey(publicKey),
    });
    const { issuerKeys } = await factsAbout(world, []);
    assert.equal(issuerKeys.length, facts.issuerKeys.length + 1);
    const later = await issueTo(world, holder);
    facts = await factsAbout(world, [vc, secondVc, thiefVc, later]);
    const good = await present(world, holder, { vc: later, revealAttributes, ...question });
    await assertVerified(good);
    const { verificationMethod } = published;
    await assertRefused(await forge(good, holder, forgery.proof({ verificationMethod })), proofFails);
  });
});

describe('the frame', () => {
  const attacks: Record<string, () => Forgery> = {
    'the id and status of another good credential': () =>
      forgery.credential({ id: secondVc.id, credentialStatus: secondVc.credentialStatus }),
    'valid for longer': () => forgery.credential({ validUntil: '2199-12-31T00:00:00Z' }),
    'valid from earlier on': () => forgery.credential({ validFrom: '2001-01-01T00:00:00Z' }),
    'another version of the template': () => forgery.schema({ version: '2.0.0' }),
    'another template': () => forgery.schema({ id: `did:zid:${'ab'.repeat(32)}` }),
    'another name of the template': () =>
      forgery.credential({ type: ['VerifiableCredential', 'Diplomatic permit'] }),
    'attributes in another order': () => {
      const { attributes } = firstOf(plain).credentialSchema;
      return forgery.schema({ attributes: [...(attributes as JsonObject[])].reverse() });
    },
    'an attribute of another format': () => {
      const [first, ...others] = firstOf(plain).credentialSchema.attributes as [JsonObject, ...JsonObject[]];
      return forgery.schema({ attributes: [{ ...first, format: 'text' }, ...others] });
    },
    'another time of derivation': () => forgery.proof({ created: '2026-01-01T00:00:00Z' }),
  };
  for (const [name, change] of Object.entries(attacks))
    test(name, async () => assertRefused(await forge(plain, holder, change()), proofFails));

  test('the status of another credential, another registry, an invented credential', async () => {
    const [place = ''] = (firstOf(plain).credentialStatus.id as string).split('#');
    const [, network] = place.split(':');
    const id = `did:zid:${'cd'.repeat(32)}`;
    const statusOf = (status: string) => ({ id: status, type: 'LedgerCredentialStatus2026' });
    const registry = `ledger:${network}:ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy`;
    const changes = [
      { credentialStatus: secondVc.credentialStatus },
      { credentialStatus: statusOf(`${registry}#${vc.id}`) },
      { id, credentialStatus: statusOf(`${place}#${id}`) },
    ];
    for (const change of changes) {
      const forged = await forge(plain, holder, forgery.credential(change));
      await assertRefused(forged, [...proofFails, 'status']);
    }
  });

  test('members that are not known or missing are no presentation', async () => {
    const changes = [
      forgery.credential({ evidence: 'none' }),
      forgery.credential({ credentialStatus: undefined }),
      forgery.presentation({ '@context': ['https://evil.example'] }),
      forgery.presentation({ verifiableCredential: [] }),
    ];
    for (const change of changes) await assertRefused(await forge(plain, holder, change), ['malformed']);
  });
});

describe('what was asked for', () => {
  const cases: Record<string, Question['request']> = {
    'less than is shown': { revealAttributes: ['fullName', 'nationality'], rangeProof: birthRange },
    'more than is shown': { revealAttributes: [...revealAttributes, 'city'], rangeProof: birthRange },
    'no range': { revealAttributes },
    'a stricter range': { revealAttributes, rangeProof: { attribute: 'birthDate', max: '2000-01-01' } },
    'a range of another attribute': { revealAttributes, rangeProof: { attribute: 'height', min: 1 } },
    'two credentials': [{ revealAttributes, rangeProof: birthRange }, { revealAttributes: ['city'] }],
  };
  for (const [name, request] of Object.entries(cases))
    test(name, () => assertRefused(ranged, ['disclosure'], { ...question, request }));

  test('exactly that', async () => {
    await assertVerified(ranged, { ...question, request: { revealAttributes, rangeProof: birthRange } });
  });
});

test('a replay after the revocation', async () => {
  const { issuer, stranger } = world.service;
  const doomed = await issueTo(world, holder);
  facts = await factsAbout(world, [vc, doomed]);
  const order = { vc: doomed, revealAttributes, ...question };
  const good = await present(world, holder, order);
  await assertVerified(good);
  await revokeCredential(issuer.client, { signer: issuer.signer, vcId: doomed.id as string });
  facts = await factsAbout(world, [vc, doomed]);
  await assertRefused(good, ['status']);
  const { errors } = await stranger.verifyPresentation({ vp: good, ...question });
  assert.match(errors?.[0] ?? '', /^status: credential revoked in ledger \d+ \(since [0-9T:Z-]+\)$/);
  await assertRefused(await present(world, holder, order), ['status']);
});
