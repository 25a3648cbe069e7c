/**
 * A small ledger to invent attacks on: issuers, versions of templates, keys with ends and compromises, entries with
 * statuses, and an attacker who has some of the secret keys and records what it likes under issuers of its own making.
 * Everything is drawn from small pools, so that what is shown and what is recorded often nearly agree. Proofs are made
 * and judged by whoever tests: ideal ones in the pure rules, real ones where the engine is.
 */
import fc from 'fast-check';
import type {
  AttributeValue,
  CredentialFrame,
  CredentialSubject,
  LedgerStatus,
  RegistryEntryTerms,
  SignedAttribute,
  UnsignedCredential,
} from '../../documents/model.ts';
import { zetrixProfile } from '../../keys/profile.ts';
import { templateId } from '../../names/template-names.ts';
import type { RecordedTemplate } from '../../presentation/ledger-terms.ts';
import type { CommitOrder } from '../../proofs/proof-engine.ts';
import { credentialHeader, credentialMessages } from '../credential-messages.ts';
import { documentContexts, encodeProofValue } from '../credential-shapes.ts';
import { makeParty, type Party, sha256 } from './sample-credentials.ts';

/** The first is honest; the second is the attacker's own. */
export const issuers: readonly [Party, Party] = [makeParty(31), makeParty(32)];
export const holders: readonly [Party, Party] = [makeParty(33), makeParty(34)];
export const challenge = 'model';
/** Where entries are kept. */
export const place = `ledger:${zetrixProfile.networkId}:ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy`;
const otherPlace = `ledger:${zetrixProfile.networkId}:ZTX3WxaZDRLfCf2pLyhXbQ5KzAyN7t3zBSeyh`;

const did = (digit: string): string => `did:zid:${digit.repeat(64)}`;
const ids = [did('a'), did('b')] as const;
const versions = ['1.0.0', '2.0.0'] as const;
const names = ['Degree', 'Throw-away'] as const;
/** Of whom and of what name the identifiers are. */
const owned = names.map((name, at) => {
  const issuer = issuers[at].did;
  const rule = { didMethod: zetrixProfile.didMethod, sha256 };
  return { id: templateId({ issuer, name }, rule), issuer, name };
});
const templateIds = owned.map(({ id }) => id);
const text: SignedAttribute = { key: 'name', type: 'text', format: 'string' };
const integer: SignedAttribute = { key: 'grade', type: 'integer', format: 'integer' };
const attributeLists: readonly (readonly SignedAttribute[])[] = [
  [text, integer],
  [integer, text],
  [text, { ...integer, format: 'integer', key: 'points' }],
];
const begins = ['2026-01-01T00:00:00Z', '2025-01-01T00:00:00Z'] as const;
const ends = ['2027-01-01T00:00:00Z', '2026-01-01T00:00:01Z', '2099-01-01T00:00:00Z'] as const;
const times = ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const;
const salts = [5, 6].map((byte) => encodeProofValue(new Uint8Array(32).fill(byte)));
const statuses: readonly LedgerStatus[] = ['active', 'active', 'active', 'suspended', 'revoked'];

export interface ModelKey {
  readonly issuer: string;
  readonly number: number;
  readonly validUntil?: string;
  readonly compromisedSince?: string;
  /** Whether the attacker has the secret. */
  readonly isStolen: boolean;
}

/** Contents that somebody signs, salt included; unbound ones have none. */
export interface ModelContents {
  readonly credential: UnsignedCredential;
  readonly salt?: string;
}

export interface ModelEntry {
  readonly issuer: string;
  readonly terms: RegistryEntryTerms;
  readonly status: LedgerStatus;
  readonly issuedAt: string;
  /** What the entry commits to; an honest issuer's is what it issued. Absent where it binds nothing. */
  readonly committed?: ModelContents;
  /** What an honest issuer signed, whether the entry binds it or not. */
  readonly issued?: ModelContents & { readonly keyNumber: number };
}

export interface ModelLedger {
  readonly templates: readonly Omit<RecordedTemplate, 'acceptsUnbound'>[];
  /** Of the newest version, by the template's id. */
  readonly accepting: readonly string[];
  readonly keys: readonly ModelKey[];
  readonly entries: readonly ModelEntry[];
}

/** What the attacker shows. */
export interface ModelAttack {
  readonly contents: ModelContents;
  readonly keyNumber: number;
  /** The issuer whose key signs; the proof names it, too. */
  readonly keyIssuer: string;
  readonly revealed: readonly string[];
  readonly presenter: Party;
}

export const methodOf = (issuer: string, number: number): string => `${issuer}#delegateKey-${number}`;
export const headerAndMessages = ({ credential, salt }: ModelContents): CommitOrder => ({
  header: credentialHeader(credential, credential.credentialSubject.id),
  messages: credentialMessages({ ...credential, salt }, sha256),
});

const oneOf = <Value>(values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);

const credentials: fc.Arbitrary<UnsignedCredential> = fc
  .record({
    id: oneOf(ids),
    issuer: oneOf(issuers),
    holder: oneOf(holders),
    template: oneOf(templateIds),
    version: oneOf(versions),
    name: oneOf(names),
    attributes: oneOf(attributeLists),
    validFrom: oneOf(begins),
    validUntil: oneOf(ends),
    registry: fc.oneof({ weight: 9, arbitrary: fc.constant(place) }, fc.constant(otherPlace)),
    shown: oneOf(['Aroha', 'Tama']),
    hidden: oneOf(['1', '2']),
  })
  .map((drawn) => ({
    '@context': documentContexts,
    id: drawn.id,
    type: ['VerifiableCredential', drawn.name],
    issuer: drawn.issuer.did,
    validFrom: drawn.validFrom,
    validUntil: drawn.validUntil,
    credentialSchema: {
      id: drawn.template,
      type: 'SymbolonTemplate2026',
      version: drawn.version,
      attributes: drawn.attributes,
    },
    credentialStatus: { id: `${drawn.registry}#${drawn.id}`, type: 'LedgerCredentialStatus2026' },
    credentialSubject: subjectOf(drawn.holder.did, drawn.attributes, drawn),
  }));

function subjectOf(
  holder: string,
  attributes: readonly SignedAttribute[],
  { shown, hidden }: { readonly shown: string; readonly hidden: string },
): CredentialSubject {
  const values = attributes.map(({ key, type }): [string, AttributeValue] => [
    key,
    type === 'text' ? shown : Number(hidden),
  ]);
  return Object.fromEntries([['id', holder], ...values]) as CredentialSubject;
}

/** Bound twice out of three times. */
const contents: fc.Arbitrary<ModelContents> = fc
  .record({ credential: credentials, salt: oneOf([...salts, undefined]) })
  .map(({ credential, salt }) => (salt === undefined ? { credential } : { credential, salt }));

export const termsOf = ({
  id,
  credentialSchema,
  validFrom,
  validUntil,
}: CredentialFrame): RegistryEntryTerms => ({
  credential: id,
  template: credentialSchema.id,
  templateVersion: credentialSchema.version,
  validFrom,
  validUntil,
});

/** What the attacker's own issuer says otherwise: the entry, or the contents that it commits to. */
type Lie = 'none' | 'terms' | 'name' | 'attributes';

interface DrawnEntry {
  readonly made: ModelContents;
  readonly other: UnsignedCredential;
  readonly lie: Lie;
  /** Which of the registered templates it is by; none in a case of five. */
  readonly by: number;
  readonly status: LedgerStatus;
  readonly issuedAt: string;
  readonly keyNumber: number;
}
const entries: fc.Arbitrary<DrawnEntry> = fc.record({
  made: contents,
  other: credentials,
  lie: oneOf(['none', 'terms', 'name', 'attributes'] as const),
  by: fc.integer({ min: 0, max: 4 }),
  status: oneOf(statuses),
  issuedAt: oneOf(times),
  keyNumber: oneOf([1, 2]),
});

type ModelTemplate = ModelLedger['templates'][number];

/** An honest issuer records what it signs; the attacker's own issuer records any terms over any contents. */
function entryOf(
  { made: drawn, other, lie, by, status, issuedAt, keyNumber }: DrawnEntry,
  registered: readonly ModelTemplate[],
): ModelEntry {
  const template = by === 0 ? undefined : registered[by % registered.length];
  const fitting = template ? byTemplate(drawn.credential, template) : drawn.credential;
  const { issuer } = fitting;
  const isHonest = issuer === issuers[0].did;
  const made = { ...drawn, credential: isHonest ? fitting : untrue(fitting, other, lie) };
  const terms = termsOf(!isHonest && lie === 'terms' ? { ...other, id: fitting.id } : made.credential);
  return {
    issuer,
    terms,
    status,
    issuedAt,
    ...(made.salt !== undefined && { committed: made }),
    ...(isHonest && { issued: { ...made, keyNumber } }),
  };
}

function untrue(
  credential: UnsignedCredential,
  { type, credentialSchema: { attributes } }: UnsignedCredential,
  lie: Lie,
): UnsignedCredential {
  if (lie === 'name') return { ...credential, type };
  if (lie !== 'attributes') return credential;
  const { credentialSchema, credentialSubject } = credential;
  return {
    ...credential,
    credentialSchema: { ...credentialSchema, attributes },
    credentialSubject: subjectOf(credentialSubject.id, attributes, valuesOf(credentialSubject)),
  };
}

const valuesOf = ({ name, grade, points }: CredentialSubject) => ({
  shown: String(name),
  hidden: String(grade ?? points),
});

function byTemplate(
  credential: UnsignedCredential,
  { id, version, name, issuer, attributes }: ModelTemplate,
): UnsignedCredential {
  const { credentialSubject } = credential;
  return {
    ...credential,
    issuer,
    type: ['VerifiableCredential', name],
    credentialSchema: { ...credential.credentialSchema, id, version, attributes },
    credentialSubject: subjectOf(credentialSubject.id, attributes, valuesOf(credentialSubject)),
  };
}

/** The one entry of an identifier under an issuer is the first that was recorded. */
const isFirst = (entry: ModelEntry, place: number, all: readonly ModelEntry[]): boolean =>
  all.findIndex(
    ({ issuer, terms }) => issuer === entry.issuer && terms.credential === entry.terms.credential,
  ) === place;

/** Mostly under the identifier of issuer and name; the registry also takes others. */
const templates = fc
  .record({
    own: oneOf([...owned, undefined]),
    id: oneOf(templateIds),
    version: oneOf(versions),
    name: oneOf(names),
    issuer: oneOf(issuers.map((one) => one.did)),
    attributes: oneOf(attributeLists),
  })
  .map(({ own, ...drawn }) => ({ ...drawn, ...own }));

const keys = fc.record({
  validUntil: oneOf([undefined, undefined, times[1], times[2]]),
  compromisedSince: oneOf([undefined, undefined, times[0], times[1], times[2]]),
  isStolen: fc.boolean(),
});

export const ledgers: fc.Arbitrary<ModelLedger> = fc
  .record({
    templates: fc.array(templates, { minLength: 2, maxLength: 6 }),
    accepting: fc.subarray([...templateIds]),
    keys: fc.array(keys, { minLength: 4, maxLength: 4 }),
    entries: fc.array(entries, { minLength: 2, maxLength: 5 }),
  })
  .map((drawn) => {
    const registered = drawn.templates.filter(isRegistered);
    return {
      templates: registered,
      accepting: drawn.accepting,
      keys: drawn.keys.map(({ validUntil, compromisedSince, isStolen }, at) => ({
        issuer: issuers[at < 2 ? 0 : 1].did,
        number: (at % 2) + 1,
        ...(validUntil !== undefined && { validUntil }),
        ...(compromisedSince !== undefined && { compromisedSince }),
        isStolen: isStolen || at >= 2,
      })),
      entries: drawn.entries.map((one) => entryOf(one, registered)).filter(isFirst),
    };
  });

/** Versions are registered once, by the issuer of the first one. */
const isRegistered = (
  { id, version, issuer }: ModelTemplate,
  place: number,
  all: readonly ModelTemplate[],
): boolean =>
  all.findIndex((one) => one.id === id && one.version === version) === place &&
  all.find((one) => one.id === id)?.issuer === issuer;

/** Something near to what was recorded, or anything at all. */
export const attackOn = (ledger: ModelLedger): fc.Arbitrary<ModelAttack> => {
  const known = ledger.entries.flatMap(({ issued, committed }) => [issued ?? committed ?? []].flat());
  const near =
    known.length === 0
      ? contents
      : fc
          .record({ from: oneOf(known), other: contents, change: fc.integer({ min: 0, max: 15 }) })
          .map(mixed);
  return fc
    .record({
      contents: fc.oneof({ weight: 8, arbitrary: near }, contents),
      keyNumber: oneOf([1, 2]),
      keyIssuer: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, oneOf(issuers.map((one) => one.did))),
      revealed: fc.subarray(['name', 'grade', 'points']),
      presenter: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, oneOf(holders)),
    })
    .map(({ keyIssuer, presenter, ...attack }) => {
      const { issuer, credentialSubject } = attack.contents.credential;
      const owner = holders.find((one) => one.did === credentialSubject.id) as Party;
      return { ...attack, keyIssuer: keyIssuer || issuer, presenter: presenter ?? owner };
    });
};

/** Contents that were recorded, with one thing taken from others, or nothing. */
function mixed({
  from,
  other,
  change,
}: {
  readonly from: ModelContents;
  readonly other: ModelContents;
  readonly change: number;
}): ModelContents {
  const { credential, salt } = from;
  const bound = salt === undefined ? {} : { salt };
  const changes: readonly Partial<UnsignedCredential>[] = [
    { credentialSubject: other.credential.credentialSubject },
    { validFrom: other.credential.validFrom },
    { validUntil: other.credential.validUntil },
    { type: other.credential.type },
    { credentialSchema: other.credential.credentialSchema },
    { issuer: other.credential.issuer },
    { credentialStatus: other.credential.credentialStatus },
    { id: other.credential.id, credentialStatus: other.credential.credentialStatus },
  ];
  if (change === changes.length)
    return other.salt === undefined ? { credential } : { credential, salt: other.salt };
  return { credential: { ...credential, ...changes[change] }, ...bound };
}
