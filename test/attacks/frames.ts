/** Attacks on the frame of an honest credential: everything that is always shown, and what is named in its proof. */
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  type Forgery,
  firstOf,
  forge,
  forgery,
  type LooseCredential,
} from '../support/credential-fixtures.ts';
import type { AttackWorld } from './attack-world.ts';
import { type Attack, proofFails } from './three-verifiers.ts';

const proofAndStatus = [...proofFails, 'status'];
type Change = (world: AttackWorld, credential: LooseCredential) => Forgery;

const attributesOf = ({ credentialSchema }: LooseCredential): JsonObject[] =>
  credentialSchema.attributes as JsonObject[];
const statusOf = (id: string) => ({ id, type: 'LedgerCredentialStatus2026' });
const placeOf = ({ credentialStatus }: LooseCredential): string =>
  (credentialStatus.id as string).split('#')[0] ?? '';
const invented = `did:zid:${'cd'.repeat(32)}`;

/** Terms that the ledger has otherwise, under a proof that is about the true ones. */
const terms: Readonly<Record<string, Change>> = {
  'valid for longer': () => forgery.credential({ validUntil: '2199-12-31T00:00:00Z' }),
  'valid for a second longer': () => forgery.credential({ validUntil: '2099-12-31T00:00:01Z' }),
  'valid from earlier on': () => forgery.credential({ validFrom: '2001-01-01T00:00:00Z' }),
  'another version of the template': () => forgery.schema({ version: '2.0.0' }),
  'a version that was never registered': () => forgery.schema({ version: '7.0.0' }),
  'another template': () => forgery.schema({ id: `did:zid:${'ab'.repeat(32)}` }),
  'another template of the same issuer': ({ otherTemplateId }) => forgery.schema({ id: otherTemplateId }),
  "another issuer's template": ({ maker }) => forgery.schema({ id: maker.templateId }),
  'another name of the template': () =>
    forgery.credential({ type: ['VerifiableCredential', 'Diplomatic permit'] }),
  'attributes in another order': (_world, credential) =>
    forgery.schema({ attributes: [...attributesOf(credential)].reverse() }),
  'two attributes exchanged': (_world, credential) => {
    const [first, second, ...others] = attributesOf(credential) as [JsonObject, JsonObject];
    return forgery.schema({ attributes: [second, first, ...others] });
  },
  'an attribute of another format': (_world, credential) => {
    const [first, ...others] = attributesOf(credential);
    return forgery.schema({ attributes: [{ ...first, format: 'text' }, ...others] });
  },
  'an attribute less': (_world, credential) =>
    forgery.schema({ attributes: attributesOf(credential).slice(0, -1) }),
  'an attribute more': (_world, credential) =>
    forgery.schema({
      attributes: [...attributesOf(credential), { key: 'rank', type: 'text', format: 'string' }],
    }),
  'an attribute in the place of the salt': (_world, credential) =>
    forgery.schema({
      attributes: [...attributesOf(credential), { key: 'salt', type: 'text', format: 'string' }],
    }),
  'an attribute under another name': (_world, credential) =>
    forgery.schema({
      attributes: attributesOf(credential).map((one) => (one.key === 'city' ? { ...one, key: 'town' } : one)),
    }),
  'a whole number that is a date': (_world, credential) =>
    forgery.schema({
      attributes: attributesOf(credential).map((one) =>
        one.key === 'height' ? { ...one, type: 'date', format: 'date' } : one,
      ),
    }),
};

/** The ledger has these, and knows nothing against them: the proof alone is about something else. */
const others: Readonly<Record<string, Change>> = {
  'another time of derivation': () => forgery.proof({ created: '2026-01-01T00:00:00Z' }),
};

const statuses: Readonly<Record<string, Change>> = {
  'the status of another credential': ({ credentials }) =>
    forgery.credential({ credentialStatus: { ...credentials.second.credentialStatus } }),
  'the status in another registry': (_world, { id, credentialStatus }) => {
    const [, network] = (credentialStatus.id as string).split(':');
    const registry = `ledger:${network}:ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy`;
    return forgery.credential({ credentialStatus: statusOf(`${registry}#${id}`) });
  },
  'the status in the registry of templates': ({ service }, { id, credentialStatus }) => {
    const { credentials, templates } = service.served.parts.ledger.registries;
    const place = (credentialStatus.id as string).replace(credentials, templates);
    return forgery.credential({ credentialStatus: statusOf(`${place.split('#')[0]}#${id}`) });
  },
  'an invented credential': (_world, credential) =>
    forgery.credential({
      id: invented,
      credentialStatus: statusOf(`${placeOf(credential)}#${invented}`),
    }),
  'an invented identifier with the old status': () => forgery.credential({ id: invented }),
  'the identifier of the template': ({ templateId }, credential) =>
    forgery.credential({
      id: templateId,
      credentialStatus: statusOf(`${placeOf(credential)}#${templateId}`),
    }),
  'a validity that ends before it begins': () =>
    forgery.credential({ validFrom: '2099-12-31T00:00:00Z', validUntil: '2026-01-01T00:00:00Z' }),
  'a validity that is over': () => forgery.credential({ validUntil: '2026-01-01T00:00:01Z' }),
};

const malformed: Readonly<Record<string, Forgery>> = {
  'a member that nobody knows': forgery.credential({ evidence: 'none' }),
  'a credential without a status': forgery.credential({ credentialStatus: undefined }),
  'a credential without a template': forgery.credential({ credentialSchema: undefined }),
  'a credential without an end': forgery.credential({ validUntil: undefined }),
  'a credential without a proof': forgery.credential({ proof: undefined }),
  'another context': forgery.presentation({ '@context': ['https://evil.example'] }),
  'another context of the credential': forgery.credential({ '@context': ['https://evil.example'] }),
  'no credential at all': forgery.presentation({ verifiableCredential: [] }),
  'two names of the template': forgery.credential({ type: ['VerifiableCredential', 'A', 'B'] }),
  'another kind of status': (_all, { credentialStatus }) => {
    credentialStatus.type = 'AlwaysValid2026';
  },
  'a salt beside the proof': forgery.proof({ salt: 'uAAAA' }),
  'a commitment beside the proof': forgery.proof({ commitment: `u${'A'.repeat(64)}` }),
  'an attribute named twice': (_all, { credentialSchema }) => {
    const attributes = credentialSchema.attributes as JsonObject[];
    credentialSchema.attributes = [...attributes, structuredClone(attributes[0] as JsonObject)];
  },
};

const alike = (table: Readonly<Record<string, Change>>, checks: readonly string[]): readonly Attack[] =>
  Object.entries(table).map(([name, change]) => ({
    name,
    checks,
    forge: (world) => forge(world.good.plain, world.holder, change(world, firstOf(world.good.plain))),
  }));

export const frames: readonly Attack[] = [
  ...alike(terms, proofAndStatus),
  ...alike(others, proofFails),
  ...alike(statuses, proofAndStatus),
  ...Object.entries(malformed).map(
    ([name, change]): Attack => ({
      name,
      checks: ['malformed'],
      forge: ({ good, holder }) => forge(good.plain, holder, change),
    }),
  ),
  {
    name: 'the identifier and status of another good credential',
    // The ledger has that one under another version of the template.
    checks: proofAndStatus,
    forge: ({ good, holder, credentials: { newVersion } }) => {
      const { id, credentialStatus } = newVersion;
      return forge(good.plain, holder, forgery.credential({ id, credentialStatus: { ...credentialStatus } }));
    },
  },
  {
    name: 'the identifier, status and times of another good credential',
    // What the ledger holds of that one fits in every term: the proof alone is about another one.
    checks: proofFails,
    forge: ({ good, holder, credentials: { second } }) => {
      const { id, credentialStatus, validFrom, validUntil } = second;
      const taken = { id, credentialStatus: { ...credentialStatus }, validFrom, validUntil };
      return forge(good.plain, holder, forgery.credential(taken));
    },
  },
  {
    name: 'the whole frame of another good credential',
    checks: proofFails,
    forge: ({ good, holder, credentials: { second } }) => {
      const { proof: _kept, credentialSubject: _shown, ...frame } = second;
      return forge(good.plain, holder, forgery.credential(structuredClone(frame) as unknown as JsonObject));
    },
  },
];
