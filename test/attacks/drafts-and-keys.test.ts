/**
 * What is left of a draft that was made anew, and what of a key that others have: nothing that can be shown. Beside
 * the attacks stands what must go on: a credential that the ledger bound before its key ended or was compromised.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  decodeUtf8,
  encodeBase64,
  encodeHex,
  encodeUtf8,
  parseBase64,
  parseHex,
} from '@symbolon/core/basics/bytes';
import { contentsCommitment } from '@symbolon/core/credential/credential-assembly';
import { credentialHeader, credentialMessages } from '@symbolon/core/credential/credential-messages';
import { encodeProofValue } from '@symbolon/core/credential/credential-shapes';
import type { Credential } from '@symbolon/core/documents/model';
import type { BbsMessage } from '@symbolon/core/proofs/proof-engine';
import { applyForCredential, endKey, fetchOfflineFacts, ServiceError } from '@symbolon/sdk/index';
import { judge } from '../support/credential-fixtures.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { twelveValues } from '../support/service-steps.ts';
import {
  type AttackWorld,
  asJson,
  type BbsKey,
  derive,
  issueByOwnKey,
  publishOwnKey,
  revealAttributes,
  startAttackWorld,
} from './attack-world.ts';
import { type Counterfeit, counterfeit, show, unsignedOf } from './attacker.ts';
import { askBoth, askSession, proofFails, sha256 } from './three-verifiers.ts';

const owner = ownerOfSuite();
/** The service's clock, ahead of the machine's by as much as a test says. */
let aheadMs = 0;
const nowMs = () => Date.now() + aheadMs;
const clock = { nowMs, nowMicros: () => BigInt(nowMs()) * 1_000n };
let world: AttackWorld;

before(async () => {
  world = await startAttackWorld(owner, { clock });
});

const present = (vc: Credential, on: AttackWorld = world) =>
  derive(on, on.holder, { vc: asJson(vc), revealAttributes });

describe('a key that has ended', () => {
  test('leaves what was recorded before, with all three verifiers', async () => {
    const { endedKey, compromisedKey } = world.credentials;
    for (const vc of [endedKey, compromisedKey]) {
      const presentation = await present(vc);
      assert.deepEqual(await askBoth(world, presentation), []);
      assert.deepEqual(await askSession(world, presentation), []);
    }
  });

  test('is among the facts that a verifier fetches, for what was recorded while it was good', async () => {
    const { service, university, credentials, holder } = world;
    const { endedKey, compromisedKey, first } = credentials;
    const vcIds = [first, endedKey, compromisedKey].map(({ id }) => id);
    const facts = await fetchOfflineFacts(service.stranger, { issuer: university.did, vcIds });
    for (const vc of [first, endedKey, compromisedKey])
      assert.deepEqual((await judge(world, await present(vc), { facts })).checks, []);
    const told = facts.issuerKeys.filter(({ compromisedSince }) => compromisedSince !== undefined);
    assert.deepEqual(
      told.map(({ verificationMethod }) => verificationMethod),
      [university.keys[3]?.verificationMethod],
    );
    // Keys that came later are good for nothing that was recorded before, with the service and without.
    for (const key of university.keys.slice(2)) {
      const { salt } = first.proof[0];
      const made = await counterfeit(world, { credential: unsignedOf(first), key, salt });
      const { checks } = await judge(world, await show(world, [made], { holder }), { facts });
      assert.deepEqual(checks, ['bbsProof']);
    }
  });

  test('and is said to be compromised since before an entry, takes the entry with it', async () => {
    const { service, engine, university, holder } = world;
    const on = { client: service.ledger, engine };
    const key = await publishOwnKey(on, university.signer, 41);
    const keys = [...university.keys, key] as unknown as AttackWorld['university']['keys'];
    const issuer = { ...university, keys };
    const vc = await issueByOwnKey({ stranger: service.stranger, engine }, { issuer, holder, key });
    const presentation = await present(vc, { ...world, university: issuer });
    assert.deepEqual(await askBoth({ ...world, university: issuer }, presentation), []);
    const compromisedSince = Math.floor(Date.parse(key.validFrom) / 1_000) - 60;
    await endKey(service.ledger, { signer: university.signer, number: key.number, compromisedSince });
    const told: BbsKey = { ...key, compromisedSince: new Date(compromisedSince * 1_000).toISOString() };
    const known = {
      ...world,
      university: { ...issuer, keys: [...university.keys, told] as unknown as typeof keys },
    };
    assert.deepEqual(await askBoth(known, presentation), ['bbsProof']);
    assert.deepEqual(await askSession(world, presentation), ['bbsProof']);
  });
});

/** Header and messages that the service offers to an issuer who keeps the BBS+ key elsewhere. */
function readTask(offered: string) {
  const [header = '', ...texts] = JSON.parse(decodeUtf8(parseBase64(offered) as Uint8Array)) as string[];
  const messages = texts.map(
    (text): BbsMessage =>
      /^#[0-9]+$/.test(text) ? { integer: BigInt(text.slice(1)) } : { bytes: encodeUtf8(text) },
  );
  const salt = (texts.at(-1) ?? '').replace('$salt: ', '');
  return { header: encodeUtf8(header), messages, salt };
}

test('a draft that is made anew leaves nothing usable of the first', async () => {
  const { service, engine, university, holder, templateId } = world;
  const { client, signer } = university;
  const [key] = university.keys;
  const attributes = twelveValues;
  const { vcId } = await applyForCredential(service.stranger, {
    signer: holder.signer,
    templateId,
    attributes,
  });
  const order = { vcId, validFrom: '2026-01-01T00:00:00Z', expiredDate: '2099-12-31' };
  const draft = async () => {
    const { ed25519Blob, bbsBlsBase64 } = await client.createCredential(order);
    const task = readTask(bbsBlsBase64);
    const { secretKey, publicKey } = key;
    const signature = await engine.sign({ interface: 'typed', secretKey, publicKey, ...task });
    return { task, signature, ed25519: await signer.sign(parseHex(ed25519Blob) as Uint8Array) };
  };
  const first = await draft();
  aheadMs = 24 * 3_600_000 + 1_000;
  const second = await draft();
  assert.notEqual(first.task.salt, second.task.salt);
  assert.deepEqual(first.task.header, second.task.header, 'all else is the same');
  const submit = (ed25519: Uint8Array, bbs: Uint8Array) =>
    client.submitCredential({
      vcId,
      ed25519PubKey: signer.publicKey,
      ed25519SignData: encodeHex(ed25519),
      bbsBlsPubKey: key.publicKeyMultibase,
      bbsBlsSignData: encodeBase64(bbs),
    });
  const isRefused = (code: string) => (error: unknown) =>
    error instanceof ServiceError && error.status < 500 && error.code === code;
  await assert.rejects(submit(first.ed25519, first.signature), isRefused('signerMismatch'));
  await assert.rejects(submit(first.ed25519, second.signature), isRefused('signerMismatch'));
  await assert.rejects(submit(second.ed25519, first.signature), isRefused('signatureInvalid'));
  const issued = (await submit(second.ed25519, second.signature)).vcObject as unknown as Credential;

  const presentation = await present(issued);
  assert.deepEqual(await askBoth(world, presentation), []);
  const fromFirst = await show(world, [await ofFirstDraft(issued, first, key)], { holder });
  assert.deepEqual(await askBoth(world, fromFirst), [...proofFails]);
  assert.deepEqual(await askSession(world, fromFirst), [...proofFails]);
});

/** The credential that the first draft would have become. */
async function ofFirstDraft(
  issued: Credential,
  { task, signature }: { task: { salt: string }; signature: Uint8Array },
  { publicKey }: BbsKey,
): Promise<Counterfeit> {
  const credential = unsignedOf(issued);
  const { salt } = task;
  const header = credentialHeader(credential, credential.credentialSubject.id);
  const messages = credentialMessages({ ...credential, salt }, sha256);
  const contents = contentsCommitment(salt, await world.engine.commit({ header, messages }));
  const bbsProof = { ...issued.proof[0], proofValue: encodeProofValue(signature), ...contents };
  return { credential, publicKey, bbsProof };
}
