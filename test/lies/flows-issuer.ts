/** Flows of issuers: templates, issuance with keys of either kind, a row of a table, changes of status. */

import { issueRow } from '@symbolon/cli/bulk/issue-row';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { normalisedName, templateId as templateIdOf, tidyName } from '@symbolon/core/names/template-names';
import { sha256 } from '@symbolon/host/work/sha256';
import {
  applyForCredential,
  didOfSigner,
  issueCredential,
  registerTemplate,
  reinstateCredential,
  revokeCredential,
  type Signer,
  signerFromSeed,
  suspendCredential,
} from '@symbolon/sdk/index';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { person } from '../support/people.ts';
import { attribute, fewAttributes, fewValues, twelveAttributes } from '../support/service-steps.ts';
import type { Flow, OrderedStatement, RunParts } from './flow.ts';
import type { LiesWorld } from './lies-world.ts';
import { documentSays } from './statements.ts';

const validUntil = '2099-12-31T23:59:59Z';

/** One call of a registry, from the issuer's account, that pays nothing. */
const registryCall = (source: Signer, registry: string, input: JsonObject): OrderedStatement => ({
  kind: 'transaction',
  says: {
    sourceAddress: source.address,
    operations: [{ type: 7, payCoin: { destAddress: registry, input } }],
  },
});

type TemplateAttributes = typeof twelveAttributes;
interface TemplateCase {
  readonly templateName: string;
  readonly attributes: TemplateAttributes;
  readonly acceptUnbound?: true;
}

function templateFlow(world: LiesWorld, name: string, ordered: TemplateCase): Flow {
  const { issuer } = world.service;
  const register =
    ({ templateName, attributes, ...more }: TemplateCase) =>
    async ({ service, watched }: RunParts): Promise<JsonValue> => {
      const order = { templateName, credentialFormat: [...attributes], version: '1.0.0', ...more };
      const reply = await registerTemplate(service(issuer.apiKey), {
        signer: watched(issuer.signer),
        pins: world.pins,
        ...order,
      });
      return { templateId: reply.templateId };
    };
  const applyFormat = ordered.attributes.map(({ mandatory, ...told }) => ({
    ...told,
    mandatory: mandatory ? 1 : 0,
  }));
  const named = { issuer: issuer.did, name: ordered.templateName };
  const params = {
    templateId: templateIdOf(named, { didMethod: zetrixProfile.didMethod, sha256 }),
    templateName: tidyName(ordered.templateName),
    nameKey: normalisedName(tidyName(ordered.templateName)),
    version: '1.0.0',
    applyFormat: applyFormat as JsonValue,
    metadata: (ordered.acceptUnbound ? { acceptsUnbound: true } : {}) as JsonObject,
    issuerZid: issuer.did,
    publicKey: issuer.signer.publicKey,
  };
  return {
    name,
    ordered: [registryCall(issuer.signer, world.registries.templates, { method: 'addTemplate', params })],
    run: register(ordered),
    other: register({
      templateName: `${ordered.templateName} of another`,
      attributes: [attribute('shoe', 'integer', 3)],
    }),
  };
}

interface Issuing {
  readonly signer: Signer;
  readonly did: string;
  readonly apiKey: string;
  readonly templateId: string;
  readonly templateName: string;
}

/** What an issuer signs about a credential of a few attributes. */
function issuedStatement(world: LiesWorld, issuer: Issuing, vcId: string, holder: string): OrderedStatement {
  const { did, templateId, templateName } = issuer;
  const document = {
    '@context': world.held[0]['@context'] as JsonValue,
    id: vcId,
    type: ['VerifiableCredential', templateName],
    issuer: did,
    validFrom: 'now',
    validUntil,
    credentialSchema: {
      id: templateId,
      type: 'SymbolonTemplate2026',
      version: '1.0.0',
      attributes: [
        { key: 'fullName', type: 'text', format: 'string' },
        { key: 'birthDate', type: 'date', format: 'date' },
      ],
    },
    credentialStatus: {
      id: `ledger:zetrix:testnet:${world.registries.credentials}#${vcId}`,
      type: 'LedgerCredentialStatus2026',
    },
    credentialSubject: { id: holder, ...fewValues },
  };
  const registryEntry = { credential: vcId, template: templateId, templateVersion: '1.0.0', validUntil };
  const options = {
    type: 'Ed25519Signature2020',
    cryptosuite: 'symbolon-jcs-eddsa-2026',
    created: 'now',
    proofPurpose: 'assertionMethod',
    verificationMethod: `${did}#controllerKey`,
    registryEntry: { ...registryEntry, validFrom: 'now' },
  };
  return { kind: 'credential', says: { document, options } };
}

/** The same, as a BBS key signs it. */
function bbsOf({ says }: OrderedStatement): OrderedStatement {
  const { '@context': _fixed, credentialSubject, ...frame } = (says as JsonObject).document as JsonObject;
  const { id: holder, fullName } = credentialSubject as JsonObject;
  const days = (Date.parse(fewValues.birthDate as string) - Date.parse('1800-01-01')) / 86_400_000;
  return {
    kind: 'bbs',
    says: { frame: { ...frame, holder: holder as string }, messages: [`fullName: ${fullName}`, `#${days}`] },
  };
}

async function applied(
  world: LiesWorld,
  templateId: string,
  who: Signer,
  values = fewValues,
): Promise<string> {
  return (await applyForCredential(world.service.stranger, { signer: who, templateId, attributes: values }))
    .vcId;
}

const vaultIssuer = ({ service, fewTemplate, fewTemplateName }: LiesWorld): Issuing => ({
  signer: service.issuer.signer,
  did: service.issuer.did,
  apiKey: service.issuer.apiKey,
  templateId: fewTemplate,
  templateName: fewTemplateName,
});
const ownIssuer = ({ ownKeys }: LiesWorld): Issuing => ({ ...ownKeys, templateName: 'Own proof of name' });

async function issueFlow(world: LiesWorld, name: string, isOwnKey: boolean): Promise<Flow> {
  const issuer = isOwnKey ? ownIssuer(world) : vaultIssuer(world);
  const holder = world.holder.signer;
  const another = await signerFromSeed(person('another applicant').seed);
  const issue =
    (vcId: string, whose: Signer, attributes: typeof fewValues) =>
    async ({ service, ledger, watched, watchedBbs }: RunParts): Promise<JsonValue> => {
      const { publicKeyMultibase, sign } = world.ownKeys.bbsKey;
      const { vcObject } = await issueCredential(service(issuer.apiKey), {
        signer: watched(issuer.signer),
        bbsKey: isOwnKey
          ? { publicKeyMultibase, sign: watchedBbs(sign) }
          : { publicKeyMultibase: world.service.issuer.bbsPublicKey },
        vcId,
        holder: didOfSigner(whose),
        attributes,
        templateId: issuer.templateId,
        templateVersion: '1.0.0',
        // One knows its template, the other asks the ledger.
        ...(isOwnKey ? { ledger } : { template: givenTemplate(issuer) }),
        pins: world.pins,
        engine: world.engine,
        expiredDate: validUntil,
      });
      return documentSays(vcObject);
    };
  const vcId = await applied(world, issuer.templateId, holder);
  const otherValues = { fullName: 'Eve', birthDate: '2001-01-01' };
  const otherId = await applied(world, issuer.templateId, another, otherValues);
  const statement = issuedStatement(world, issuer, vcId, world.holder.did);
  return {
    name,
    ordered: isOwnKey ? [statement, bbsOf(statement)] : [statement],
    run: issue(vcId, holder, fewValues),
    other: issue(otherId, another, otherValues),
  };
}

const givenTemplate = ({ templateName }: Issuing) => ({
  templateName,
  version: '1.0.0',
  credentialFormat: [...fewAttributes],
});

/** A row of a table, with the holder's key at hand or of an application that waits. */
async function rowFlow(world: LiesWorld, name: string, mode: 'keys' | 'application'): Promise<Flow> {
  const issuer = vaultIssuer(world);
  const { templateId } = issuer;
  const holder = await signerFromSeed(person(`holder of a row ${mode}`).seed);
  const did = didOfSigner(holder);
  const vcId = mode === 'keys' ? undefined : await applied(world, templateId, holder);
  const run = async ({ service, ledger, watched }: RunParts): Promise<JsonValue> => {
    const index = { get: () => undefined } as never;
    const journal = {
      file: '',
      index,
      validUntil,
      keyOf: () => `row-${mode}`,
      append: async () => {},
      close: async () => {},
    };
    const outcome = await issueRow(
      {
        client: service(issuer.apiKey),
        holderClient: service(),
        signer: watched(issuer.signer),
        issuer: issuer.did,
        bbsKey: { publicKeyMultibase: world.service.issuer.bbsPublicKey },
        templateId,
        template: givenTemplate(issuer),
        network: { ledger, pins: world.pins, engine: world.engine },
        journal,
        patiently: (call) => call(),
        mode,
        holderKey: async () => watched(holder),
        settleMs: 20,
      },
      {
        row: 1,
        line: 2,
        subject: vcId ?? did,
        ...(mode === 'application' && { holder: did }),
        values: { ...fewValues },
      },
      undefined,
    );
    if ('reason' in outcome) throw new RowFailed(outcome.reason);
    return {};
  };
  const metadata = Object.entries(fewValues).map(([key, value]) => ({ key, value }));
  const application = { kind: 'text', says: canonicalJson({ templateId, metadata }) };
  const isOfRow = ({ kind, says }: OrderedStatement): boolean => {
    // Of which application it is, where the service makes one, only the service knows.
    const told = (says as JsonObject).document as JsonObject | undefined;
    if (kind !== 'credential' || mode !== 'keys' || typeof told?.id !== 'string') return false;
    return canonicalJson(says) === canonicalJson(issuedStatement(world, issuer, told.id, did).says);
  };
  return {
    name,
    ordered: vcId === undefined ? [application] : [issuedStatement(world, issuer, vcId, did)],
    isWithin: isOfRow,
    run,
  };
}

/** Thrown here for a row that the command puts aside with a reason. */
export class RowFailed extends Error {
  override name = 'RowFailed';
}

const changes = { revoke: revokeCredential, suspend: suspendCredential, reinstate: reinstateCredential };

async function statusFlow(
  world: LiesWorld,
  change: keyof typeof changes,
  { vcIds, remark }: { readonly vcIds: readonly [string, string]; readonly remark?: string },
): Promise<Flow> {
  const { issuer } = world.service;
  const order =
    (vcId: string) =>
    async ({ service, watched }: RunParts): Promise<JsonValue> => {
      const what = {
        signer: watched(issuer.signer),
        pins: world.pins,
        vcId,
        ...(remark !== undefined && { remark }),
      };
      await changes[change](service(issuer.apiKey), what);
      return {};
    };
  const params = { credentials: [vcIds[0]], ...(remark !== undefined && { remarkHashes: ['a hash'] }) };
  return {
    name: `${change}Credential${remark === undefined ? '' : ' with a remark'}`,
    ordered: [registryCall(issuer.signer, world.registries.credentials, { method: change, params })],
    run: order(vcIds[0]),
    other: order(vcIds[1]),
  };
}

export async function issuerFlows(world: LiesWorld): Promise<(() => Promise<Flow>)[]> {
  const issued = async () => (await world.issueFew()).id as string;
  const pair = async (): Promise<[string, string]> => [await issued(), await issued()];
  const suspended = await pair();
  const licence = { templateName: 'Driving licence', attributes: fewAttributes };
  const passport = { templateName: 'Passport', attributes: twelveAttributes, acceptUnbound: true } as const;
  return [
    async () => templateFlow(world, 'registerTemplate', licence),
    async () => templateFlow(world, 'registerTemplate of twelve attributes', passport),
    () => issueFlow(world, 'issueCredential', false),
    () => issueFlow(world, 'issueCredential with an own BBS key', true),
    () => rowFlow(world, 'issueRow with a key of the holder', 'keys'),
    () => rowFlow(world, 'issueRow of an application', 'application'),
    () => statusFlow(world, 'suspend', { vcIds: suspended }),
    () => statusFlow(world, 'reinstate', { vcIds: suspended }),
    async () => statusFlow(world, 'revoke', { vcIds: await pair() }),
    async () => statusFlow(world, 'revoke', { vcIds: await pair(), remark: 'no longer true' }),
  ];
}
