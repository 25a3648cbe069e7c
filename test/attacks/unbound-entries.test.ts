/**
 * A service whose registry bound no contents, started anew: the old registry stays readable beside a new one, and what
 * it holds counts only where the template's issuer says so. The old registry's code is kept here as it was deployed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import {
  attachProofs,
  issuerDigests,
  issuerSigningInput,
} from '@symbolon/core/credential/credential-assembly';
import { parseProofValue } from '@symbolon/core/credential/credential-shapes';
import { issuerProofOptions } from '@symbolon/core/credential/issuer-proof-options';
import type { Credential } from '@symbolon/core/documents/model';
import { putRow } from '@symbolon/credential-service/database/statements';
import { addCredential } from '@symbolon/credential-service/issuance/credential-rows';
import {
  applyForCredential,
  endKey,
  fetchOfflineFacts,
  registerTemplate,
  revokeCredential,
  ServiceError,
  sendTransaction,
  signerFromSeed,
  verifyPresentationOffline,
} from '@symbolon/sdk/index';
import { parseJson } from '@symbolon/wire/json/json';
import { ownerOfSuite } from '../support/owner.ts';
import { richest } from '../support/people.ts';
import { twelveAttributes, twelveValues } from '../support/service-steps.ts';
import {
  type AttackWorld,
  asJson,
  derive,
  revealAttributes,
  startAttackWorld,
  universityTemplate,
} from './attack-world.ts';
import { altered, counterfeit, renamed, show, unsignedOf } from './attacker.ts';
import { askBoth, askSession, sha256 } from './three-verifiers.ts';

const owner = ownerOfSuite();
const oldCode = readFileSync(new URL('./unbound-registry.txt', import.meta.url), 'utf8');
let world: AttackWorld;
let registry: string;
let permit: Credential;
let guest: Credential;
/** An application with a draft that the service made when there was only the old registry. */
let draftedId: string;

before(async () => {
  const made = await startAttackWorld(owner);
  registry = await deployOld(made);
  permit = await issueUnbound(made, `did:zid:${'0a'.repeat(32)}`);
  guest = await issueUnbound(made, `did:zid:${'0b'.repeat(32)}`, {
    type: made.credentials.otherTemplate.type,
    schema: { id: made.otherTemplateId },
  });
  draftedId = await draft(made);
  const { kysely } = made.service.served.parts.database;
  const now = Date.now();
  const setting = { name: 'ledger.credentialRegistry', text: registry, updatedAt: now };
  await putRow(kysely, 'settings', ['name'], setting);
  await kysely.deleteFrom('settings').where('name', '=', 'ledger.boundCredentialRegistry').execute();
  const service = await made.service.restart();
  const { university } = made;
  const { token } = await service.served.apiKeys.create({
    label: 'University, again',
    scopes: ['templates', 'issue', 'revoke'],
    did: university.did,
  });
  world = { ...made, service, university: { ...university, client: service.clientWith({ apiKey: token }) } };
});

async function deployOld({ service }: AttackWorld): Promise<string> {
  const { templates, credentials } = service.served.parts.ledger.registries;
  const { result } = await service.ledger.getAccountMetaData({ address: credentials, key: 'settings' });
  const { registrar } = JSON.parse(result?.settings?.value ?? '{}') as { registrar: string };
  const params = { didMethod: 'zid', templateRegistry: templates, registrar };
  const receipt = await sendTransaction(service.ledger, {
    signers: [await signerFromSeed(richest.seed)],
    operations: [
      {
        createAccount: {
          contract: { payload: oldCode },
          priv: { thresholds: { txThreshold: 1n } },
          initInput: JSON.stringify({ params }),
        },
      },
    ],
  });
  const [created] = parseJson(receipt.description) as { contract_address: string }[];
  return created?.contract_address as string;
}

/** As the version before issued: no salt, no commitment, and an entry that has neither. */
async function issueUnbound(
  from: AttackWorld,
  id: string,
  changes: Parameters<typeof altered>[1] = {},
): Promise<Credential> {
  const { service, university } = from;
  const { signer, keys } = university;
  const honest = renamed(unsignedOf(from.credentials.first), id);
  const { networkId } = service.served.parts.profile;
  const status = { ...honest.credentialStatus, id: `ledger:${networkId}:${registry}#${id}` };
  const credential = altered(honest, { credentialStatus: status, ...changes });
  const { bbsProof } = await counterfeit(from, { credential, key: keys[0], salt: null });
  const options = issuerProofOptions(credential, '2026-01-01T00:00:00Z');
  const signature = await signer.sign(issuerSigningInput({ credential, options }, sha256));
  const digest = encodeHex(issuerDigests({ credential, options }, sha256).credential);
  const { created, registryEntry } = options;
  const entry = { issuerKey: signer.publicKey, ...registryEntry, created, digest };
  const params = { entries: [{ ...entry, signature: encodeHex(signature) }] };
  const { hash } = await sendTransaction(service.ledger, {
    signers: [signer],
    operations: [
      {
        payCoin: { destAddress: registry, amount: 0n, input: JSON.stringify({ method: 'issue', params }) },
      },
    ],
  });
  await addCredential(service.served.parts.database.kysely, {
    vcId: id,
    templateId: credential.credentialSchema.id,
    templateVersion: credential.credentialSchema.version,
    issuer: credential.issuer,
    holder: credential.credentialSubject.id,
    digest,
    anchorTx: hash,
    anchorSeq: null,
    validFrom: null,
    validUntil: null,
    label: null,
    credential: null as never,
    downloadExpiresAt: 0,
    now: Date.now(),
  });
  const proofValue = parseProofValue(bbsProof.proofValue) as Uint8Array;
  const { verificationMethod } = bbsProof;
  return attachProofs(credential, {
    bbs: { created, verificationMethod, signature: proofValue },
    issuer: { options, signature },
  });
}

async function draft({ service, university, holder, templateId }: AttackWorld): Promise<string> {
  const order = { signer: holder.signer, templateId, attributes: twelveValues };
  const { vcId } = await applyForCredential(service.stranger, order);
  await university.client.createCredential({ vcId, expiredDate: '2099-12-31' });
  return vcId;
}

const present = (vc: Credential) => derive(world, world.holder, { vc: asJson(vc), revealAttributes });
/** What all three verifiers say. */
async function ask(vc: Credential): Promise<readonly string[]> {
  const presentation = await present(vc);
  const failed = await askBoth(world, presentation, { registry });
  assert.deepEqual((await askSession(world, presentation)).length === 0, failed.length === 0);
  return failed;
}

const registerVersion = (version: string, more: { acceptUnbound?: boolean } = {}) =>
  registerTemplate(world.university.client, {
    signer: world.university.signer,
    templateName: universityTemplate,
    credentialFormat: [...twelveAttributes],
    version,
    ...more,
  });

test('a new registry stands beside the old one', () => {
  const { credentials, unbound } = world.service.served.parts.ledger.registries;
  assert.equal(unbound, registry);
  assert.notEqual(credentials, registry);
});

test('a draft of before is made anew', async () => {
  const { university } = world;
  const again = { vcId: draftedId, expiredDate: '2099-12-31' };
  await assert.doesNotReject(university.client.createCredential(again));
});

test('what binds no contents counts once the newest version of the template says so, and no longer', async () => {
  assert.deepEqual(await ask(permit), ['status']);
  await registerVersion('3.0.0', { acceptUnbound: true });
  assert.deepEqual(await ask(permit), []);
  assert.deepEqual(await ask(guest), ['status'], 'another template of the same issuer');
  await registerVersion('4.0.0');
  assert.deepEqual(await ask(permit), ['status']);
  await registerVersion('5.0.0', { acceptUnbound: true });
  assert.deepEqual(await ask(permit), []);
});

test('a verifier without a service who names no registry goes by the one that the record names', async () => {
  const { service, engine, university, holder } = world;
  const vcId = permit.id;
  const facts = await fetchOfflineFacts(service.stranger, { issuer: university.did, vcIds: [vcId] });
  const verdictOn = async (presentation: object) =>
    (await verifyPresentationOffline(presentation, { facts, takenFrom: 'self', now: Date.now(), engine }))
      .verified;
  assert.equal(await verdictOn(await present(permit)), true);
  const { id, type } = permit.credentialStatus;
  const { credentials } = service.served.parts.ledger.registries;
  const credentialStatus = { type, id: id.replace(registry, credentials) };
  const credential = { ...unsignedOf(permit), credentialStatus };
  const made = await counterfeit(world, { credential, key: university.keys[0], salt: null });
  assert.equal(await verdictOn(await show(world, [made], { holder })), false);
});

test('its status is changed where it is kept', async () => {
  const { university, service } = world;
  const { client, signer } = university;
  await revokeCredential(client, { signer, vcId: permit.id });
  assert.deepEqual(await ask(permit), ['status']);
  const { status, record } = await service.stranger.getCredentialStatus({
    vcId: permit.id,
    issuer: university.did,
  });
  assert.deepEqual([status, record.registry, record.commitment], ['Revoked', registry, null]);
});

test('and nothing of a key that others may have, however early it was recorded', async () => {
  const { university, service } = world;
  const later = await issueUnbound(world, `did:zid:${'0c'.repeat(32)}`);
  assert.deepEqual(await ask(later), []);
  const [key] = university.keys;
  // The ledger's times are whole seconds in documents: the next one begins after the entry.
  await new Promise((done) => setTimeout(done, 1_100));
  const since = Math.floor(Date.now() / 1_000);
  const end = { signer: university.signer, number: key.number, compromisedSince: since };
  await endKey(service.ledger, end);
  const compromisedSince = new Date(since * 1_000).toISOString().replace('.000', '');
  const told = [{ ...key, compromisedSince }, ...university.keys.slice(1)];
  world = { ...world, university: { ...university, keys: told as unknown as typeof university.keys } };
  assert.deepEqual(await ask(later), ['bbsProof']);
});

test('a service does not slip into a template what its issuer did not order', async () => {
  const { client } = world.university;
  const lying: typeof client = {
    ...client,
    createTemplateBlob: (body) => client.createTemplateBlob({ ...body, acceptUnbound: true }),
  };
  const order = { signer: world.university.signer, templateName: 'Slipped', version: '1.0.0' };
  const sent = registerTemplate(lying, { ...order, credentialFormat: [...twelveAttributes] });
  await assert.rejects(
    sent,
    (error) => !(error instanceof ServiceError) && /was ordered/.test(String(error)),
  );
});
