/**
 * Credentials and presentations of a running service, and the two verifiers that every test asks: the service over
 * HTTP, and the SDK alone with nothing but the issuer's keys and statuses. A forger's tools are here, too: whatever
 * is changed is signed again by the holder, so that only the proof can stop it.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import type { UnsignedPresentation } from '@symbolon/core/documents/model';
import {
  attachHolderSignature,
  holderSigningInput,
} from '@symbolon/core/presentation/presentation-derivation';
import {
  askVerdict,
  type CollectedFacts,
  type CredentialClient,
  didOfSigner,
  Fault,
  fetchOfflineFacts,
  issueCredential,
  type ProofEngine,
  presentCredential,
  readApplication,
  registerTemplate,
  ServiceError,
  type Signer,
  signerFromSeed,
  verifyPresentationOffline,
} from '@symbolon/sdk/index';
import { createDockEngine } from '@symbolon/sdk/proofs/dock-engine';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import type { Owner } from './owner.ts';
import { person } from './people.ts';
import { type RunningService, type ServiceOrder, startService } from './running-service.ts';
import { applicationText, twelveAttributes, twelveValues } from './service-steps.ts';

/** Somebody who holds credentials. */
export interface Holder {
  readonly did: string;
  readonly signer: Signer;
}

export interface PresentationWorld {
  readonly service: RunningService;
  /** In this thread, for the verifier that has no service. */
  readonly engine: ProofEngine;
  readonly templateId: string;
  readonly holder: Holder;
  readonly otherHolder: Holder;
}

const holderOf = (signer: Signer): Holder => ({ did: didOfSigner(signer), signer });

export async function startPresentationWorld(
  owner: Owner,
  order: ServiceOrder = {},
): Promise<PresentationWorld> {
  const service = await startService(owner, order);
  const engine = await createDockEngine();
  owner.after(() => engine.close());
  const { templateId } = await registerTemplate(service.issuer.client, {
    signer: service.issuer.signer,
    templateName: 'Residence permit',
    credentialFormat: [...twelveAttributes],
    version: '1.0.0',
  });
  const otherHolder = holderOf(await signerFromSeed(person('another holder').seed));
  return { service, engine, templateId, holder: holderOf(service.holder.signer), otherHolder };
}

/** An application of twelve attributes, signed at the time of the service, which a test may have moved on. */
export async function applyAs(
  { service, templateId }: Pick<PresentationWorld, 'service' | 'templateId'>,
  { signer }: Pick<Holder, 'signer'>,
  values: Readonly<Record<string, string>> = {},
): Promise<string> {
  const attributes = { ...twelveValues, ...values };
  const metadata = Object.entries(attributes).map(([key, value]) => ({ key, value }));
  const nowMs = service.served.parts.clock.nowMs();
  const order = { audience: service.url, nowMs, nonce: randomUUID() };
  const signedText = applicationText({ templateId, metadata }, order);
  const signData = Buffer.from(await signer.sign(Buffer.from(signedText))).toString('hex');
  const body = { templateId, metadata, signData, holderPublicKey: signer.publicKey, signedText };
  return (await service.stranger.applyForCredential(body)).vcId;
}

/** A credential of twelve attributes, applied for, issued and handed over. */
export async function issueTo(
  { service, engine, templateId }: PresentationWorld,
  { signer }: Holder,
  values: Readonly<Record<string, string>> = {},
): Promise<JsonObject> {
  const { client: issuerClient, signer: issuerSigner, bbsPublicKey } = service.issuer;
  const vcId = await applyAs({ service, templateId }, { signer }, values);
  const { vcObject } = await issueCredential(issuerClient, {
    ...(await readApplication(issuerClient, { vcId })),
    signer: issuerSigner,
    bbsKey: { publicKeyMultibase: bbsPublicKey },
    expiredDate: '2099-12-31',
    engine,
    now: service.served.parts.clock.nowMs(),
  });
  return vcObject;
}

export type Derivation = Parameters<CredentialClient['createPresentation']>[0];
export const present = (
  { service }: PresentationWorld,
  { signer }: Holder,
  order: Derivation & { readonly tellingRanges?: readonly string[] },
) => presentCredential(service.stranger, { signer, ...order }, { now: service.served.parts.clock.nowMs() });

/** What a verifier asks, of the service and of the SDK alike. */
export type Question = Pick<
  Parameters<CredentialClient['verifyPresentation']>[0],
  'challenge' | 'domain' | 'request'
>;

/** Of a verdict: nothing if verified, else which checks failed. Of no presentation at all: `malformed`. */
type FailedChecks = readonly string[];
const uniqueChecks = (checks: readonly string[]): FailedChecks => [...new Set(checks)].sort();

async function askService({ service }: PresentationWorld, presentation: JsonObject, question: Question) {
  try {
    const verdict = await askVerdict(service.stranger, { presentation, ...question });
    if (verdict.verified) return { checks: [], details: verdict.vcDetails };
    assert.ok(verdict.failures.length > 0, 'a refusal says why');
    for (const { detail } of verdict.failures) assert.notEqual(detail, '');
    return { checks: uniqueChecks(verdict.failures.map(({ check }) => check)), details: undefined };
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'presentationMalformed', String(error));
    assert.equal(error.status, 400);
    return { checks: ['malformed'], details: undefined };
  }
}

/** Facts about everything that was ever issued to these holders, as a verifier may have copied them. */
export const factsAbout = (
  { service }: PresentationWorld,
  credentials: readonly JsonObject[],
): Promise<CollectedFacts> =>
  fetchOfflineFacts(service.stranger, {
    issuer: service.issuer.did,
    vcIds: credentials.map(({ id }) => id as string),
  });

export interface OfflineQuestion extends Question {
  readonly facts: CollectedFacts;
  readonly now?: number;
  /** Which of the service's registries keeps the entries, if not the usual one. */
  readonly registry?: string;
}

async function askAlone(
  { service, engine }: PresentationWorld,
  presentation: JsonObject,
  { facts, now = Date.now(), registry, ...question }: OfflineQuestion,
) {
  const { profile, ledger, rangeParameters } = service.served.parts;
  const address = registry ?? ledger.registries.credentials;
  try {
    const verdict = await verifyPresentationOffline(presentation, {
      // As fresh as can be: what is asked here is not how old facts may be.
      facts: { ...facts, fetchedAt: instantTextOfUnixMs(now) },
      takenFrom: 'self',
      challenge: question.challenge ?? undefined,
      domain: question.domain ?? undefined,
      request: question.request,
      now,
      engine,
      registry: `ledger:${profile.networkId}:${address}`,
      ownRangeParameters: [rangeParameters],
    });
    assert.equal(verdict.verified, verdict.errors.length === 0);
    const checks = uniqueChecks(verdict.errors.map((text) => text.slice(0, text.indexOf(':'))));
    return { checks, details: verdict.vcDetails };
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === 'presentationMalformed', String(error));
    return { checks: ['malformed'], details: undefined };
  }
}

/** What both verifiers say, which must be the same; then the checks that fail. */
export async function judge(
  world: PresentationWorld,
  presentation: JsonObject,
  { facts, now, registry, ...question }: OfflineQuestion,
) {
  const online = await askService(world, presentation, question);
  const offline = await askAlone(world, presentation, { facts, now, registry, ...question });
  assert.deepEqual(offline, online, 'a verifier with the service and one without it agree');
  return online;
}

/** A credential of a presentation as a forger handles it: any member, any value. */
export type LooseCredential = JsonObject & {
  credentialSubject: JsonObject;
  credentialSchema: JsonObject;
  credentialStatus: JsonObject;
  proof: JsonObject;
};
export type Loose = JsonObject & { proof: JsonObject; verifiableCredential: LooseCredential[] };
/** What is done to a presentation, and to its first credential. */
export type Forgery = (presentation: Loose, credential: LooseCredential) => void;

export const firstOf = (presentation: JsonObject): LooseCredential => {
  const [first] = (presentation as Loose).verifiableCredential;
  assert.ok(first);
  return first;
};

type Members = Readonly<Record<string, JsonValue | undefined>>;

/** Sets members, and takes those away that are undefined. */
function set(target: JsonObject, members: Members): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) delete target[name];
    else target[name] = structuredClone(value);
  }
}

/** Forgeries of one part each. */
export const forgery = {
  presentation:
    (members: Members): Forgery =>
    (presentation) =>
      set(presentation, members),
  holderProof:
    (members: Members): Forgery =>
    ({ proof }) =>
      set(proof, members),
  credential:
    (members: Members): Forgery =>
    (_presentation, credential) =>
      set(credential, members),
  subject:
    (members: Members): Forgery =>
    (_presentation, { credentialSubject }) =>
      set(credentialSubject, members),
  schema:
    (members: Members): Forgery =>
    (_presentation, { credentialSchema }) =>
      set(credentialSchema, members),
  proof:
    (members: Members): Forgery =>
    (_presentation, { proof }) =>
      set(proof, members),
} as const;

/** The presentation changed, and signed again by whoever has it. */
export async function forge(
  presentation: JsonObject,
  { signer }: Holder,
  ...forgeries: readonly Forgery[]
): Promise<JsonObject> {
  const loose = structuredClone(presentation) as Loose;
  delete loose.proof.jws;
  for (const change of forgeries) change(loose, firstOf(loose));
  const unsigned = loose as unknown as UnsignedPresentation;
  const signature = await signer.sign(holderSigningInput(unsigned));
  return attachHolderSignature(unsigned, signature) as unknown as JsonObject;
}
