/**
 * Presentations end to end, through the flows of the SDK and over plain and sealed HTTP: what can be shown, what the
 * service refuses and with which status, and that a presentation is completed once. Forgeries are in
 * `presentation-attacks.test.ts`.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import { ProofWorkers } from '@symbolon/credential-service/proofs/proof-workers';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import {
  applyForCredential,
  type CredentialClient,
  createLedgerClient,
  derivePresentation,
  downloadCredential,
  httpTransport,
  issueCredential,
  presentCredential,
  readApplication,
  rotateKey,
  SdkError,
  ServiceError,
} from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  applyAs,
  factsAbout,
  type Holder,
  issueTo,
  judge,
  type PresentationWorld,
  present,
  startPresentationWorld,
} from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startNode } from '../support/running-node.ts';
import { shareProofs } from '../support/running-service.ts';
import { cuttableWay } from '../support/service-cut.ts';
import { twelveValues } from '../support/service-steps.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
/** The ledger has its own time; this one is a little ahead of it, and moves when a test says so. */
const clock = fixedClock(Date.now());
let world: PresentationWorld;
let holder: Holder;
let vc: JsonObject;
let open: CredentialClient;

before(async () => {
  world = await startPresentationWorld(owner, { proofs, clock });
  holder = world.holder;
  open = world.service.stranger;
  vc = await issueTo(world, holder);
});

const isFault =
  (status: number, code: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.deepEqual([error.status, error.code], [status, code], error.detail);
    return true;
  };

/** A copy with something else in it. */
function changed(document: JsonObject, change: (copy: JsonObject) => void): JsonObject {
  const copy = structuredClone(document);
  change(copy);
  return copy;
}

describe('what can be shown', () => {
  test('values of every type, ranges on every ordered type, an age', async () => {
    const revealAttributes = ['credentialSubject.fullName', 'photo', 'height', 'income', 'isResident'];
    const presentation = await present(world, holder, {
      vc,
      revealAttributes,
      rangeProof: { attributes: ['enteredAt'], minValues: ['2019-01-01T00:00:00Z'] },
      age: { attribute: 'birthDate', minAge: 18 },
    });
    const request = {
      revealAttributes,
      rangeProof: [{ attribute: 'enteredAt', min: '2019-01-01T00:00:00Z' }],
      age: [{ attribute: 'birthDate', minAge: 18 }],
    };
    const facts = await factsAbout(world, [vc]);
    const { checks, details } = await judge(world, presentation, { facts, request, now: clock.nowMs() });
    assert.deepEqual(checks, []);
    const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
    assert.deepEqual(details, {
      fullName: 'Aroha Ngata',
      photo: `data:image/png;base64,${twelveValues.photo}`,
      height: 171,
      income: '52000.5',
      isResident: true,
      enteredAt: 'range proof ok: >= 2019-01-01T00:00:00Z',
      birthDate: `range proof ok: <= ${Number(today.slice(0, 4)) - 18}${today.slice(4)}`,
    });
    const text = JSON.stringify(presentation);
    for (const hidden of ['1990-05-17', '2019-08-01', 'LK-0042', 'Dunedin'])
      assert.ok(!text.includes(hidden));
  });

  test('nothing at all: that the holder has such a credential', async () => {
    const facts = await factsAbout(world, [vc]);
    const presentation = await present(world, holder, { vc });
    const verdict = await judge(world, presentation, { facts, now: clock.nowMs() });
    assert.deepEqual(verdict, { checks: [], details: {} });
  });

  test('several credentials, of which two say the same thing', async () => {
    const second = await issueTo(world, holder, { city: 'Nelson' });
    const facts = await factsAbout(world, [vc, second]);
    const vcs = [
      { vc, revealAttributes: ['city', 'fullName'] },
      { vc: second, revealAttributes: ['city'], rangeProof: { attribute: 'height', min: 150 } },
    ];
    const presentation = await present(world, holder, { vcs, rangeMethod: 'set-membership' });
    const { checks, details } = await judge(world, presentation, { facts, now: clock.nowMs() });
    assert.deepEqual(checks, []);
    const height = 'range proof ok: >= 150';
    assert.deepEqual(details, {
      '0.fullName': 'Aroha Ngata',
      '0.city': 'Dunedin',
      '1.city': 'Nelson',
      '1.height': height,
    });
  });

  test('the same sealed, and for a caller with an API key', async () => {
    const { holder: person, verifier, issuer } = world.service;
    const { signer } = person;
    const attributes = twelveValues;
    const templateId = world.templateId;
    const { vcId } = await applyForCredential(person.sealedClient, { signer, templateId, attributes });
    const bbsKey = { publicKeyMultibase: issuer.bbsPublicKey };
    // Reads are not served sealed.
    const application = await readApplication(issuer.client, { vcId });
    const terms = { expiredDate: '2099-12-31', now: clock.nowMs() };
    const order = { ...application, signer: issuer.signer, bbsKey, ...terms };
    await issueCredential(issuer.sealedClient, order);
    const { ledger } = world.service;
    const wanted = { signer, vcId, ledger, now: clock.nowMs() };
    const downloaded = await downloadCredential(person.sealedClient, wanted);
    const binding = { challenge: 'sealed', revealAttributes: ['city'] };
    const vp = await presentCredential(person.sealedClient, { signer, vc: downloaded, ...binding });
    const verdict = await verifier.sealedClient.verifyPresentation({ vp, challenge: 'sealed' });
    assert.deepEqual([verdict.verified, verdict.vcDetails], [true, { city: 'Dunedin' }]);
    assert.equal(verdict.credentials?.[0]?.issuer.id, issuer.did, 'sealed too');
    const refused = await verifier.sealedClient.verifyPresentation({ vp });
    assert.equal(refused.verified, false);
    assert.match(refused.errors?.[0] ?? '', /^challenge: /);
  });

  test('a presentation that the holder derived without the service', async () => {
    const facts = await factsAbout(world, [vc]);
    const presentation = await derivePresentation({
      signer: holder.signer,
      vc,
      revealAttributes: ['city'],
      age: { attribute: 'birthDate', minAge: 18, maxAge: 120 },
      challenge: 'own',
      issuerKeys: facts.issuerKeys,
      now: clock.nowMs(),
    });
    const question = { challenge: 'own', facts, now: clock.nowMs() };
    const { checks } = await judge(world, presentation as unknown as JsonObject, question);
    assert.deepEqual(checks, []);
    const stranger = {
      signer: world.otherHolder.signer,
      vc,
      issuerKeys: facts.issuerKeys,
      now: clock.nowMs(),
    };
    await assert.rejects(derivePresentation(stranger), SdkError);
    await assert.rejects(derivePresentation({ ...stranger, issuerKeys: [] }), SdkError);
  });

  test('a credential with its one old-style proof, as older clients keep it', async () => {
    const [bbs] = vc.proof as [JsonObject, JsonObject];
    const facts = await factsAbout(world, [vc]);
    const presentation = await present(world, holder, {
      vc: { ...vc, proof: bbs },
      revealAttributes: ['city'],
    });
    assert.deepEqual((await judge(world, presentation, { facts, now: clock.nowMs() })).checks, []);
  });
});

describe('vp/create refuses', () => {
  const refused = async (body: JsonObject, status: number, code: string, client = open): Promise<void> => {
    await assert.rejects(client.createPresentation(body as never), isFault(status, code));
  };

  test('400: what is no credential, attributes it lacks, ranges that are none', async () => {
    await refused({}, 400, 'requestMalformed');
    await refused({ vc: {} }, 400, 'credentialMalformed');
    await refused({ vc: changed(vc, (copy) => delete copy.credentialStatus) }, 400, 'credentialMalformed');
    await refused({ vc: { ...vc, extra: 1 } }, 400, 'credentialMalformed');
    await refused({ vc, revealAttributes: ['rank'] }, 400, 'attributeUnknown');
    await refused({ vc, revealAttributes: ['remark'] }, 400, 'attributeUnknown');
    const ranges: JsonObject[] = [
      { attribute: 'height', min: 180, max: 170 },
      { attribute: 'height', min: 'tall' },
      { attribute: 'fullName', min: 'A' },
      { attribute: 'isResident', min: 0 },
      { attribute: 'birthDate', max: '2008-02-30' },
    ];
    for (const rangeProof of ranges) await refused({ vc, rangeProof }, 400, 'rangeInvalid');
    await refused({ vc, age: { attribute: 'birthDate', minAge: 40, maxAge: 30 } }, 400, 'rangeInvalid');
    await refused({ vc, age: { attribute: 'height', minAge: 18 } }, 400, 'rangeInvalid');
    await refused({ vc, age: { attribute: 'birthDate', minAge: 120 } }, 400, 'rangeInvalid');
    await refused(
      { vc, revealAttributes: ['height'], rangeProof: { attribute: 'height', min: 1 } },
      400,
      'rangeInvalid',
    );
  });

  test('401: the API key of somebody else', async () => {
    await refused({ vc }, 401, 'notAllowed', world.service.verifier.client);
    await refused({ vc }, 401, 'notAuthenticated', world.service.clientWith({ apiKey: 'sym_no_such_key' }));
  });

  test('404: a credential that the ledger does not know', async () => {
    const id = `did:zid:${'ef'.repeat(32)}`;
    const unknown = JSON.parse(JSON.stringify(vc).replaceAll(vc.id as string, id)) as JsonObject;
    await refused({ vc: unknown }, 404, 'credentialUnknown');
  });

  test('500: a credential whose own proof is not valid', async () => {
    const subject = { ...(vc.credentialSubject as JsonObject), city: 'Auckland' };
    await refused({ vc: { ...vc, credentialSubject: subject } }, 500, 'credentialProofInvalid');
    const proofs = vc.proof as [JsonObject, JsonObject];
    const otherVc = await issueTo(world, holder, { city: 'Oamaru' });
    const [otherBbs] = otherVc.proof as [JsonObject, JsonObject];
    const spoiled = [{ ...proofs[0], proofValue: otherBbs.proofValue as string }, proofs[1]];
    await refused({ vc: { ...vc, proof: spoiled } }, 500, 'credentialProofInvalid');
    const unpublished = [{ ...proofs[0], verificationMethod: `${vc.issuer}#delegateKey-9` }, proofs[1]];
    await refused({ vc: { ...vc, proof: unpublished } }, 500, 'credentialProofInvalid');
  });
});

describe('vp/submit', () => {
  const signed = async (signer: Holder['signer'], { blobId, blob }: { blobId: string; blob: string }) => {
    const signature = await signer.sign(Buffer.from(blob, 'hex'));
    const ed25519SignData = Buffer.from(signature).toString('hex');
    return { blobId, ed25519SignData, ed25519PubKey: signer.publicKey };
  };

  test('completes a presentation once, whoever is first', async () => {
    const offered = await open.createPresentation({ vc, revealAttributes: ['city'] });
    assert.match(offered.blobId, /^[0-9A-F]{32}$/);
    assert.match(offered.blob, /^[0-9A-F]+$/);
    const body = await signed(holder.signer, offered);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => open.submitPresentation(body)));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') isFault(404, 'blobUnknown')(outcome.reason);
  });

  test('401 for the signature or the key of somebody else, and the blob still waits', async () => {
    const offered = await open.createPresentation({ vc });
    const theirs = await signed(world.otherHolder.signer, offered);
    const own = await signed(holder.signer, offered);
    await assert.rejects(open.submitPresentation(theirs), isFault(401, 'signerMismatch'));
    const stolenKey = { ...theirs, ed25519PubKey: own.ed25519PubKey };
    await assert.rejects(open.submitPresentation(stolenKey), isFault(401, 'signerMismatch'));
    const wrongKey = { ...own, ed25519PubKey: theirs.ed25519PubKey };
    await assert.rejects(open.submitPresentation(wrongKey), isFault(401, 'signerMismatch'));
    const { vpObject } = await open.submitPresentation(own);
    assert.equal((await open.verifyPresentation({ vp: vpObject })).verified, true);
  });

  test('400 for what is no signature or key, 404 for a blob that is unknown or expired', async () => {
    const offered = await open.createPresentation({ vc });
    const body = await signed(holder.signer, offered);
    const submit = (change: Partial<typeof body>) => open.submitPresentation({ ...body, ...change });
    await assert.rejects(submit({ ed25519SignData: 'ab' }), isFault(400, 'signatureMalformed'));
    await assert.rejects(submit({ ed25519PubKey: 'ab' }), isFault(400, 'publicKeyMalformed'));
    await assert.rejects(submit({ blobId: 'A'.repeat(32) }), isFault(404, 'blobUnknown'));
    clock.advanceMs(601_000);
    await assert.rejects(submit({}), isFault(404, 'blobUnknown'));
  });
});

describe('vp/verify', () => {
  test('400 for what is no presentation', async () => {
    const vp = await present(world, holder, { vc });
    for (const body of [{ vp: {} }, { vp: vc }, { vp: changed(vp, (copy) => delete copy.holder) }])
      await assert.rejects(open.verifyPresentation(body), isFault(400, 'presentationMalformed'));
    await assert.rejects(open.verifyPresentation({}), isFault(400, 'requestMalformed'));
    const request = { age: { attribute: 'birthDate', minAge: 40, maxAge: 30 } };
    await assert.rejects(open.verifyPresentation({ vp, request }), isFault(400, 'rangeInvalid'));
  });

  test('an expired credential', async () => {
    const facts = await factsAbout(world, [vc]);
    const presentation = await present(world, holder, { vc });
    const now = clock.nowMs();
    clock.setMs(Date.UTC(2100, 0, 1));
    try {
      const verdict = await judge(world, presentation, { facts, now: clock.nowMs() });
      assert.deepEqual(verdict.checks, ['status']);
      const { errors } = await open.verifyPresentation({ vp: presentation });
      assert.deepEqual(errors, ['status: expired credential']);
    } finally {
      clock.setMs(now);
    }
  });

  test('a key that was rotated since is good for what was issued with it', async () => {
    const { issuer, ledger } = world.service;
    const presentation = await present(world, holder, { vc, revealAttributes: ['city'] });
    const secret = new Uint8Array(32).fill(5);
    const publicKeyMultibase = encodeBbsPublicKey(await world.engine.publicKeyOf(secret));
    const order = {
      signer: issuer.signer,
      number: 1,
      type: 'Bls12381G2Key2020',
      publicKeyMultibase,
    } as const;
    await rotateKey(ledger, order);
    assert.equal((await open.verifyPresentation({ vp: presentation })).verified, true);
    // The service does not have the new key: the issuer signs alone.
    const vcId = await applyAs(world, holder);
    const application = await readApplication(issuer.client, { vcId });
    const terms = { expiredDate: '2099-12-31', now: clock.nowMs() };
    const creation = { ...application, signer: issuer.signer, ...terms };
    const { vcObject } = await issueCredential(issuer.client, {
      ...creation,
      bbsKey: {
        publicKeyMultibase,
        sign: async (task) =>
          world.engine.sign({
            ...task,
            secretKey: secret,
            publicKey: await world.engine.publicKeyOf(secret),
          }),
      },
    });
    const rangeProof = { attribute: 'height', min: 171 };
    const later = await present(world, holder, { vc: vcObject, revealAttributes: ['city'], rangeProof });
    assert.equal((await open.verifyPresentation({ vp: later })).verified, true);
  });
});

describe('no verdict without facts and proofs', () => {
  test('a ledger that gives no answer is an error, not a verdict', async (context) => {
    const node = await startNode(context);
    const way = await cuttableWay(context, node.url);
    const client = createLedgerClient(httpTransport(way.url));
    const small = await startPresentationWorld(context, { proofs, node, client });
    const own = await issueTo(small, small.holder);
    const vp = await present(small, small.holder, { vc: own });
    const { stranger } = small.service;
    assert.equal((await stranger.verifyPresentation({ vp })).verified, true);
    await way.cut();
    for (const call of [
      () => stranger.verifyPresentation({ vp }),
      () => stranger.createPresentation({ vc: own }),
    ])
      await assert.rejects(call(), (error) => error instanceof ServiceError && error.status === 500);
    await way.mend();
    assert.equal((await stranger.verifyPresentation({ vp })).verified, true);
  });

  test('too many proofs at once are an error, not a verdict', async (context) => {
    const few = new ProofWorkers({
      workers: 1,
      shortJobWorkers: 0,
      warmUp: false,
      limits: { waitingMax: 1 },
    });
    context.after(() => few.close());
    const small = await startPresentationWorld(context, { proofs: few });
    const own = await issueTo(small, small.holder);
    const vp = await present(small, small.holder, { vc: own, revealAttributes: ['city'] });
    const { stranger } = small.service;
    const calls = Array.from({ length: 6 }, () => stranger.verifyPresentation({ vp }));
    const outcomes = await Promise.allSettled(calls);
    let refused = 0;
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') assert.equal(outcome.value.verified, true);
      else {
        isFault(503, 'overloaded')(outcome.reason);
        refused += 1;
      }
    }
    assert.ok(refused >= 1 && refused < outcomes.length, `${refused} of ${outcomes.length} were refused`);
  });
});
