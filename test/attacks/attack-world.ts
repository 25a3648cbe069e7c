/**
 * A running service and everybody that attacks on presentations need: a University whose BBS+ secret the attacker may
 * have, an issuer that the attacker made up, honest credentials, and good presentations of them to start from. None of
 * the presentations names a challenge, so that one and the same document can be shown to all three verifiers.
 */
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { Credential } from '@symbolon/core/documents/model';
import type { RangeParameters } from '@symbolon/core/proofs/proof-engine';
import {
  applyForCredential,
  type CredentialClient,
  derivePresentation,
  didOfSigner,
  endKey,
  issueCredential,
  publishKey,
  readApplication,
  registerTemplate,
  revokeCredential,
  type Signer,
  signerFromSeed,
  suspendCredential,
} from '@symbolon/sdk/index';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Derivation, Holder, PresentationWorld } from '../support/credential-fixtures.ts';
import type { Owner } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type ServiceOrder, shareProofs, startService } from '../support/running-service.ts';
import { twelveAttributes, twelveValues } from '../support/service-steps.ts';
import { fund, makeParty, type ServiceAccess } from '../support/service-world.ts';

/** A BBS+ key with its secret: what a thief has, or an issuer of one's own making. */
export interface BbsKey {
  readonly number: number;
  readonly secretKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly publicKeyMultibase: string;
  readonly verificationMethod: string;
  readonly validFrom: string;
  /** When it ended, if it has, and since when others may have it. */
  readonly validUntil?: string;
  readonly compromisedSince?: string;
}

export interface AttackIssuer {
  readonly did: string;
  readonly signer: Signer;
  readonly client: CredentialClient;
  /** The first is the one that credentials are issued with. */
  readonly keys: readonly [BbsKey, ...BbsKey[]];
  readonly templateId: string;
}

/** Honest presentations, all of the same holder but the thief's own. */
export interface GoodPresentations {
  readonly plain: JsonObject;
  readonly ranged: JsonObject;
  readonly membership: JsonObject;
  readonly two: JsonObject;
  readonly thiefs: JsonObject;
  readonly bound: JsonObject;
}

/** Honest credentials of the University by what is special about them. */
export interface GoodCredentials {
  readonly first: Credential;
  readonly second: Credential;
  readonly thiefs: Credential;
  readonly revoked: Credential;
  readonly suspended: Credential;
  readonly brief: Credential;
  readonly future: Credential;
  readonly otherTemplate: Credential;
  readonly newVersion: Credential;
  /** Recorded while the key was good that has ended since. */
  readonly endedKey: Credential;
  readonly compromisedKey: Credential;
}

export interface AttackWorld extends PresentationWorld {
  readonly thief: Holder;
  readonly university: AttackIssuer;
  readonly otherTemplateId: string;
  /** The attacker's own issuer. */
  readonly maker: AttackIssuer;
  readonly credentials: GoodCredentials;
  readonly good: GoodPresentations;
  readonly setMembership: RangeParameters;
}

export const question = { challenge: 'verifier-7f3a', domain: 'https://verifier.example' } as const;
export const revealAttributes = ['fullName', 'nationality', 'isResident'];
export const birthRange = { attribute: 'birthDate', max: '2008-11-15' } as const;
export const universityTemplate = 'University residence permit';
const farAway = '2099-12-31T00:00:00Z';

type Engine = PresentationWorld['engine'];

interface Making extends ServiceAccess {
  readonly engine: Engine;
  readonly clientWith: (options: { apiKey: string }) => CredentialClient;
  readonly stranger: CredentialClient;
}

/** Publishes a key that no service has ever seen. */
export async function publishOwnKey(
  { client, engine }: Pick<Making, 'client' | 'engine'>,
  signer: Signer,
  filling: number,
): Promise<BbsKey> {
  const secretKey = new Uint8Array(32).fill(filling);
  const publicKey = await engine.publicKeyOf(secretKey);
  const publicKeyMultibase = encodeBbsPublicKey(publicKey);
  const validFrom = instantOf(Math.floor(Date.now() / 1_000));
  const { number, verificationMethod } = await publishKey(client, {
    signer,
    type: 'Bls12381G2Key2020',
    publicKeyMultibase,
  });
  return { number, secretKey, publicKey, publicKeyMultibase, verificationMethod, validFrom };
}

const instantOf = (seconds: number): string => instantTextOfUnixMs(seconds * 1_000);

async function makeAttackIssuer(
  making: Making,
  { name, templateName, filling }: { name: string; templateName: string; filling: number },
): Promise<AttackIssuer> {
  const party = await makeParty(making, name);
  await fund(making.client, [party], 1_000_000_000n);
  const signer = await signerFromSeed(party.seed);
  const key = await publishOwnKey(making, signer, filling);
  const client = making.clientWith({ apiKey: party.apiKey });
  const { templateId } = await registerTemplate(client, {
    signer,
    templateName,
    credentialFormat: [...twelveAttributes],
    version: '1.0.0',
  });
  return { did: party.did, signer, client, keys: [key], templateId };
}

export interface Issuing {
  readonly issuer: AttackIssuer;
  readonly holder: Holder;
  readonly templateId?: string;
  readonly key?: BbsKey;
  readonly values?: Readonly<Record<string, string>>;
  readonly validFrom?: string;
  readonly expiredDate?: string;
}

/** Issues by the issuer's own BBS+ key, which no service keeps. */
export async function issueByOwnKey(
  { stranger, engine }: Pick<Making, 'stranger' | 'engine'>,
  { issuer, holder, templateId = issuer.templateId, key = issuer.keys[0], ...order }: Issuing,
): Promise<Credential> {
  const { values, validFrom, expiredDate = farAway } = order;
  const attributes = { ...twelveValues, ...values };
  const { vcId } = await applyForCredential(stranger, { signer: holder.signer, templateId, attributes });
  const { secretKey, publicKey, publicKeyMultibase } = key;
  const { vcObject } = await issueCredential(issuer.client, {
    signer: issuer.signer,
    bbsKey: {
      publicKeyMultibase,
      sign: (task) => engine.sign({ ...task, publicKey, secretKey }),
    },
    ...(await readApplication(issuer.client, { vcId })),
    expiredDate,
    ...(validFrom !== undefined && { validFrom }),
  });
  return vcObject as unknown as Credential;
}

/** Keys that have an end: what was recorded with them before stays, and the attacker has their secrets. */
async function endedKeys(making: Making, issuer: AttackIssuer, holder: Holder) {
  const { signer } = issuer;
  const ended = await publishOwnKey(making, signer, 21);
  const endedCredential = await issueByOwnKey(making, { issuer, holder, key: ended });
  const compromised = await publishOwnKey(making, signer, 22);
  const compromisedCredential = await issueByOwnKey(making, { issuer, holder, key: compromised });
  // The ledger's times are whole seconds in documents: the next one begins after the entry.
  await new Promise((done) => setTimeout(done, 1_100));
  const since = Math.floor(Date.now() / 1_000);
  await endKey(making.client, { signer, number: ended.number });
  await endKey(making.client, { signer, number: compromised.number, compromisedSince: since });
  const validUntil = instantOf(since);
  return {
    keys: [
      { ...ended, validUntil },
      { ...compromised, validUntil, compromisedSince: validUntil },
    ],
    credentials: { endedKey: endedCredential, compromisedKey: compromisedCredential },
  };
}

export async function startAttackWorld(owner: Owner, order: ServiceOrder = {}): Promise<AttackWorld> {
  const service = await startService(owner, { proofs: shareProofs(owner), ...order });
  const engine = await createDockEngine();
  owner.after(() => engine.close());
  const { url, ledger, served, clientWith, stranger } = service;
  const making: Making = { url, client: ledger, apiKeys: served.apiKeys, engine, clientWith, stranger };
  const holder = { did: service.holder.did, signer: service.holder.signer };
  const thiefSigner = await signerFromSeed(person('thief').seed);
  const thief = { did: didOfSigner(thiefSigner), signer: thiefSigner };
  const first = await makeAttackIssuer(making, {
    name: 'University',
    templateName: universityTemplate,
    filling: 11,
  });
  const maker = await makeAttackIssuer(making, {
    name: 'self-made issuer',
    templateName: 'Throw-away',
    filling: 12,
  });
  const spare = await publishOwnKey(making, first.signer, 13);
  const issued = await issueHonestly(making, { university: first, holder, thief });
  const ended = await endedKeys(making, first, holder);
  const university = { ...first, keys: [first.keys[0], spare, ...ended.keys] as const };
  const credentials = { ...issued.credentials, ...ended.credentials };
  const setMembership: RangeParameters = {
    method: 'set-membership',
    parameters: served.parts.rangeParameters,
  };
  const base = { service, engine, templateId: university.templateId, holder, otherHolder: thief };
  const world = { ...base, thief, university, maker, credentials, setMembership };
  const { otherTemplateId } = issued;
  return { ...world, otherTemplateId, good: await presentHonestly(world) };
}

async function issueHonestly(
  making: Making,
  { university: issuer, holder, thief }: { university: AttackIssuer; holder: Holder; thief: Holder },
) {
  const { signer, client } = issuer;
  const issue = (order: Partial<Issuing>) => issueByOwnKey(making, { issuer, holder, ...order });
  const template = { signer, credentialFormat: [...twelveAttributes] };
  const { templateId: otherTemplateId } = await registerTemplate(client, {
    ...template,
    templateName: 'University guest card',
    version: '1.0.0',
  });
  const before = {
    first: await issue({}),
    second: await issue({ values: { nationality: 'FR', birthDate: '1970-01-01' } }),
    thiefs: await issue({ holder: thief, values: { fullName: 'Tama Rua', birthDate: '2008-11-16' } }),
    revoked: await issue({}),
    suspended: await issue({}),
    brief: await issue({ expiredDate: new Date(Date.now() + 5_000).toISOString() }),
    future: await issue({ validFrom: '2090-01-01T00:00:00Z' }),
    otherTemplate: await issue({ templateId: otherTemplateId }),
  };
  await revokeCredential(client, { signer, vcId: before.revoked.id });
  await suspendCredential(client, { signer, vcId: before.suspended.id });
  await registerTemplate(client, { ...template, templateName: universityTemplate, version: '2.0.0' });
  return { credentials: { ...before, newVersion: await issue({}) }, otherTemplateId };
}

/** A presentation that the holder makes without any service. */
export async function derive(
  { engine, university }: Pick<AttackWorld, 'engine' | 'university'>,
  { signer }: Holder,
  order: Omit<Derivation, 'rangeMethod'> & { readonly rangeParameters?: RangeParameters },
): Promise<JsonObject> {
  const presentation = await derivePresentation({
    ...order,
    signer,
    issuerKeys: university.keys,
    now: Date.now(),
    engine,
  });
  return presentation as unknown as JsonObject;
}

export const asJson = (credential: Credential): JsonObject => credential as unknown as JsonObject;

async function presentHonestly(
  world: Omit<AttackWorld, 'good' | 'otherTemplateId'>,
): Promise<GoodPresentations> {
  const { holder, thief, credentials, setMembership } = world;
  const [vc, second, thiefs] = [credentials.first, credentials.second, credentials.thiefs].map(asJson);
  const order = { vc, revealAttributes };
  return {
    plain: await derive(world, holder, order),
    ranged: await derive(world, holder, { ...order, rangeProof: birthRange }),
    membership: await derive(world, holder, {
      ...order,
      rangeProof: birthRange,
      rangeParameters: setMembership,
    }),
    two: await derive(world, holder, { vcs: [vc, second].map((one) => ({ vc: one, revealAttributes })) }),
    thiefs: await derive(world, thief, { vc: thiefs, revealAttributes }),
    bound: await derive(world, holder, { ...order, ...question }),
  };
}
