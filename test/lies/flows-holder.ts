/** Flows of holders: applying, downloading, presenting with and without a service, buying. */

import { createHash } from 'node:crypto';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import {
  applyForCredential,
  buyCredential,
  derivePresentation,
  downloadCredential,
  issuerKeysOf,
  type ProofEngine,
  presentCredential,
  type Signer,
} from '@symbolon/sdk/index';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import type { Derivation } from '../support/credential-fixtures.ts';
import { fewValues, twelveValues } from '../support/service-steps.ts';
import type { Flow, OrderedStatement, RunParts } from './flow.ts';
import { type LiesWorld, prices } from './lies-world.ts';
import { documentSays, shownIn } from './statements.ts';

const subjectOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const presence = (world: LiesWorld, purpose: string, subject: string): OrderedStatement => ({
  kind: 'presence',
  says: { purpose, audience: world.serviceUrl, subject, created: 'now' },
});

function applyFlow(world: LiesWorld): Flow {
  const { fewTemplate: templateId, holder } = world;
  const metadata = Object.entries(fewValues).map(([key, value]) => ({ key, value }));
  return {
    name: 'applyForCredential',
    ordered: [presence(world, 'application', subjectOf(canonicalJson({ templateId, metadata })))],
    run: async ({ service, watched }) => {
      const order = { signer: watched(holder.signer), templateId, attributes: fewValues };
      await applyForCredential(service(), order);
      return {};
    },
  };
}

function downloadFlow(world: LiesWorld): Flow {
  const [first, second] = world.heldFew;
  const download =
    (vcId: string) =>
    async ({ service, ledger, watched }: RunParts): Promise<JsonValue> => {
      const { holder, pins, engine } = world;
      const order = { signer: watched(holder.signer), vcId, ledger, pins, engine };
      return signedPartOf(await downloadCredential(service(), order));
    };
  return {
    name: 'downloadCredential and keep it',
    ordered: [presence(world, 'download', first.id as string)],
    run: download(first.id as string),
    other: download(second.id as string),
  };
}

/** Without the moment of the BBS proof, which no signature covers and nobody relies on. */
function signedPartOf(document: JsonObject): JsonObject {
  const [bbsProof, ...others] = Array.isArray(document.proof) ? document.proof : [];
  if (!isJsonObject(bbsProof)) return document;
  const { created: _anybodys, ...signed } = bbsProof;
  return { ...document, proof: [signed, ...others] };
}

/** What of a credential a presentation shows, as the holder meant it. */
function shownOf(vc: JsonObject, keys: readonly string[], ranges: readonly JsonObject[]): JsonObject {
  const { proof, credentialSubject, ...frame } = vc;
  const [bbsProof] = proof as JsonObject[];
  const subject = credentialSubject as JsonObject;
  const shown = Object.entries(subject).filter(([key]) => key === 'id' || keys.includes(key));
  return {
    ...frame,
    credentialSubject: Object.fromEntries(shown),
    proof: {
      type: 'BbsBlsSignatureProof2020',
      cryptosuite: 'symbolon-bbs-2026',
      created: 'now',
      proofPurpose: 'assertionMethod',
      verificationMethod: bbsProof?.verificationMethod as string,
      ...(ranges.length > 0 && { ranges: [...ranges], rangeMethod: 'bulletproofs' }),
    },
  };
}

function presentation(
  world: LiesWorld,
  shown: readonly JsonObject[],
  { challenge, domain }: { challenge?: string; domain?: string },
): OrderedStatement {
  const { did } = world.holder;
  const proof = {
    type: 'Ed25519Signature2020',
    cryptosuite: 'symbolon-jcs-eddsa-2026',
    created: 'now',
    proofPurpose: 'authentication',
    verificationMethod: `${did}#controllerKey`,
    ...(challenge !== undefined && { challenge }),
    ...(domain !== undefined && { domain }),
  };
  const context = world.held[0]['@context'] as JsonValue;
  const document = { '@context': context, type: ['VerifiablePresentation'], holder: did, proof };
  return { kind: 'presentation', says: { ...document, verifiableCredential: [...shown] } };
}

interface PresentationCase {
  readonly name: string;
  readonly order: Derivation;
  readonly shown: readonly JsonObject[];
}

function presentFlow(world: LiesWorld, { name, order, shown }: PresentationCase): Flow {
  // On a tape time stands still: a slow machine must not find the presentation too old.
  const now = Date.now();
  const present =
    (what: Derivation) =>
    async ({ service, watched }: RunParts): Promise<JsonValue> =>
      shownIn(await presentCredential(service(), { signer: watched(world.holder.signer), ...what }, { now }));
  const { challenge, domain } = order as { challenge?: string; domain?: string };
  const everything = Object.keys(twelveValues);
  return {
    name,
    ordered: [presentation(world, shown, { challenge, domain })],
    isShown: true,
    run: present(order),
    other: present({
      vc: world.held[0],
      revealAttributes: everything,
      ...(challenge !== undefined && { challenge }),
    }),
  };
}

function presentFlows(world: LiesWorld): Flow[] {
  const [first, second] = world.held;
  const day = new Date().toISOString().slice(0, 10);
  // A multiple of four years, so that there is such a day in February too.
  const twentyYearsAgo = `${Number(day.slice(0, 4)) - 20}${day.slice(4)}`;
  const cases: PresentationCase[] = [
    {
      name: 'presentCredential',
      order: { vc: first, revealAttributes: ['city'], challenge: 'asked-once', domain: 'shop.example' },
      shown: [shownOf(first, ['city'], [])],
    },
    {
      name: 'presentCredential of ranges',
      order: {
        vc: first,
        rangeProof: [{ attribute: 'height', min: 150, max: 200 }],
        challenge: 'asked-once',
      },
      shown: [shownOf(first, [], [{ attribute: 'height', min: 150, max: 200 }])],
    },
    {
      name: 'presentCredential of an age',
      order: { vc: first, age: { attribute: 'birthDate', minAge: 20 }, challenge: 'asked-once' },
      shown: [shownOf(first, [], [{ attribute: 'birthDate', max: twentyYearsAgo }])],
    },
    {
      name: 'presentCredential of several credentials',
      order: {
        vcs: [
          { vc: first, revealAttributes: ['fullName'] },
          { vc: second, revealAttributes: ['city'] },
        ],
        challenge: 'asked-once',
      },
      shown: [shownOf(first, ['fullName'], []), shownOf(second, ['city'], [])],
    },
  ];
  return cases.map((one) => presentFlow(world, one));
}

/** Proves nothing: what is derived from is decided before any proof is made. */
const idleEngine = {
  derive: async () => new Uint8Array(400),
  close: async () => {},
} as unknown as ProofEngine;

/** The keys of the issuer come from a service; nothing else does. */
function deriveFlow(world: LiesWorld): Flow {
  const [vc] = world.held;
  return {
    name: 'derivePresentation',
    ordered: [presentation(world, [shownOf(vc, ['city'], [])], { challenge: 'asked-once' })],
    isShown: true,
    run: async ({ service, watched }) => {
      const { didDocument } = await service().resolveDid({ did: world.service.issuer.did });
      const issuerKeys = issuerKeysOf(isJsonObject(didDocument) ? didDocument : {});
      const order = { vc, revealAttributes: ['city'], challenge: 'asked-once' };
      const signer = watched(world.holder.signer);
      const made = await derivePresentation({
        ...order,
        signer,
        issuerKeys,
        now: Date.now(),
        engine: idleEngine,
      });
      return shownIn(made as unknown as JsonValue);
    },
  };
}

/** Whether a payment is one of at most so much: to whom and how much of it, the price says. */
function isPayment(world: LiesWorld, payer: Signer, asset: 'native' | 'token') {
  return ({ kind, says }: OrderedStatement): boolean => {
    const { sourceAddress, operations, ...more } = says as JsonObject;
    const [operation, ...others] = (operations ?? []) as JsonObject[];
    const payCoin = operation?.payCoin as JsonObject | undefined;
    if (kind !== 'transaction' || sourceAddress !== payer.address || !payCoin) return false;
    if (others.length > 0 || Object.keys(more).length > 0 || Object.keys(operation ?? {}).length !== 2)
      return false;
    if (asset === 'native')
      return Object.keys(payCoin).length === 2 && Number(payCoin.amount) <= prices.native;
    const { destAddress, input, ...rest } = payCoin;
    const { method, params } = input as JsonObject;
    const isTransfer = method === 'transfer' && destAddress === world.token && Object.keys(rest).length === 0;
    return isTransfer && Number((params as JsonObject).value) <= prices.token;
  };
}

function buyFlow(world: LiesWorld, asset: 'native' | 'token'): Flow {
  const { buyer, sold } = world;
  const templateId = sold[asset];
  const data = stringifyJson([{ templateId, metadata: { ...fewValues } }]);
  const application = presence(world, 'paid-application', subjectOf(data));
  const amountsMax = asset === 'native' ? { ZTX: prices.native } : { [world.token]: prices.token };
  const buy =
    (who: Signer, attributes: typeof fewValues) =>
    async ({ service, ledger, watched }: RunParts): Promise<JsonValue> => {
      const { pins, engine } = world;
      const payer = { client: ledger, amountsMax };
      const order = { signer: watched(who), templateId, attributes, payer, pins, engine };
      const bought = await buyCredential(service(), order);
      return documentSays(bought.verifiableCredential as JsonObject);
    };
  return {
    name: `buyCredential with ${asset === 'native' ? 'coins' : 'a token'}`,
    ordered: [application],
    isWithin: isPayment(world, buyer, asset),
    run: buy(buyer, fewValues),
    other: buy(world.otherBuyer, { fullName: 'Eve', birthDate: '2001-01-01' }),
  };
}

export const holderFlows = (world: LiesWorld): Flow[] => [
  applyFlow(world),
  downloadFlow(world),
  ...presentFlows(world),
  deriveFlow(world),
  buyFlow(world, 'native'),
  buyFlow(world, 'token'),
];
