/**
 * Attacks by an issuer of one's own making: an account, a published key and a throw-away template cost nothing, and the
 * entry may commit to any contents. Signature, key and proof are good in all of these; the terms of the entry and of
 * the registered template are what does not fit.
 */

import { addressOfDid } from '@symbolon/core/did/did';
import type { RegistryEntryTerms, UnsignedCredential } from '@symbolon/core/documents/model';
import { sendTransaction } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { keyFormat } from '../support/people.ts';
import { type AttackWorld, universityTemplate } from './attack-world.ts';
import { altered, counterfeit, recordEntry, renamed, show, unsignedOf } from './attacker.ts';
import { type Attack, sha256 } from './three-verifiers.ts';

interface Lie {
  /** What is shown, and what the contents say that the entry commits to. */
  readonly frame: (own: UnsignedCredential, world: AttackWorld) => UnsignedCredential;
  /** What the entry says instead. */
  readonly terms?: (own: UnsignedCredential) => Partial<RegistryEntryTerms>;
}

/** A credential under the throw-away template, with an identifier of its own. */
function ownCredential({ credentials, maker }: AttackWorld, name: string): UnsignedCredential {
  const id = `did:zid:${Buffer.from(sha256(Buffer.from(name))).toString('hex')}`;
  return altered(renamed(unsignedOf(credentials.first), id), {
    issuer: maker.did,
    type: ['VerifiableCredential', 'Throw-away'],
    schema: { id: maker.templateId },
  });
}

const oneSecond = { validFrom: '2026-01-01T00:00:00Z', validUntil: '2026-01-01T00:00:01Z' };
const asUniversity = (own: UnsignedCredential, { templateId }: AttackWorld): UnsignedCredential =>
  altered(own, { type: ['VerifiableCredential', universityTemplate], schema: { id: templateId } });
const ownTemplate = (own: UnsignedCredential): Partial<RegistryEntryTerms> => ({
  template: own.credentialSchema.id,
});
const schema =
  (change: (attributes: UnsignedCredential['credentialSchema']['attributes']) => object): Lie['frame'] =>
  (own) =>
    altered(own, { schema: { attributes: change(own.credentialSchema.attributes) } });
const text = { type: 'text', format: 'string' } as const;

const lies: Readonly<Record<string, Lie>> = {
  "the University's template until 2099 over a throw-away entry of one second": {
    frame: asUniversity,
    terms: (own) => ({ ...ownTemplate(own), ...oneSecond }),
  },
  "the University's template over a throw-away entry": { frame: asUniversity, terms: ownTemplate },
  "the University's template under the throw-away name": {
    frame: (own, { templateId }) => altered(own, { schema: { id: templateId } }),
    terms: ownTemplate,
  },
  "the University's other template over a throw-away entry": {
    frame: (own, { otherTemplateId }) => altered(own, { schema: { id: otherTemplateId } }),
    terms: ownTemplate,
  },
  "the University's new version over a throw-away entry": {
    frame: (own, world) => altered(asUniversity(own, world), { schema: { version: '2.0.0' } }),
    terms: (own) => ({ ...ownTemplate(own), templateVersion: '1.0.0' }),
  },
  'a template that nobody registered': {
    frame: (own) => altered(own, { schema: { id: `did:zid:${'77'.repeat(32)}` } }),
    terms: ownTemplate,
  },
  "the throw-away template under the University's name": {
    frame: (own) => ({ ...own, type: ['VerifiableCredential', universityTemplate] }),
  },
  'a longer validity than was recorded': { frame: (own) => own, terms: () => oneSecond },
  'an end that is a second later than recorded': {
    frame: (own) => own,
    terms: () => ({ validUntil: '2099-12-30T23:59:59Z' }),
  },
  'a beginning that is earlier than recorded': {
    frame: (own) => own,
    terms: () => ({ validFrom: '2090-01-01T00:00:00Z' }),
  },
  'another version than was recorded': {
    frame: (own) => altered(own, { schema: { version: '1.0.1' } }),
    terms: () => ({ templateVersion: '1.0.0' }),
  },
  'attributes in another order than registered': { frame: schema((ones) => [...ones].reverse()) },
  'an attribute more than registered': { frame: schema((ones) => [...ones, { key: 'rank', ...text }]) },
  'an optional attribute less than registered': { frame: schema((ones) => ones.slice(0, -1)) },
  'an attribute of another format than registered': {
    frame: schema((ones) => ones.map((one) => (one.key === 'city' ? { ...one, format: 'text' } : one))),
  },
  'an attribute of another name than registered': {
    frame: (own) => {
      const { remark: _none, ...kept } = own.credentialSubject;
      const attributes = own.credentialSchema.attributes.map((one) =>
        one.key === 'remark' ? { ...one, key: 'honours' } : one,
      );
      return altered({ ...own, credentialSubject: kept } as UnsignedCredential, { schema: { attributes } });
    },
  },
  'no attribute but those that are shown': {
    frame: (own) => {
      const { id, fullName, nationality, isResident } = own.credentialSubject;
      const keys = ['fullName', 'nationality', 'isResident'];
      const attributes = own.credentialSchema.attributes.filter(({ key }) => keys.includes(key));
      const subject = { id, fullName, nationality, isResident } as UnsignedCredential['credentialSubject'];
      return altered({ ...own, credentialSubject: subject }, { schema: { attributes } });
    },
  },
};

async function tell(world: AttackWorld, name: string, { frame, terms }: Lie): Promise<JsonObject> {
  const { maker, holder } = world;
  const own = ownCredential(world, name);
  const made = await counterfeit(world, { credential: frame(own, world), key: maker.keys[0] });
  await recordEntry(world, { issuer: maker, made, ...(terms && { terms: terms(own) }) });
  return show(world, [made], { holder });
}

const unrecorded =
  (credential: (world: AttackWorld) => UnsignedCredential): Attack['forge'] =>
  async (world) => {
    const order = { credential: credential(world), key: world.maker.keys[0], salt: null };
    return show(world, [await counterfeit(world, order)], { holder: world.holder });
  };

const single: readonly Attack[] = [
  {
    name: 'a credential that the self-made issuer never recorded',
    checks: ['status'],
    forge: unrecorded((world) => ownCredential(world, 'never recorded')),
  },
  {
    name: "the University's credential with the self-made issuer's name and signature",
    checks: ['status'],
    forge: unrecorded(({ credentials, maker }) => ({ ...unsignedOf(credentials.first), issuer: maker.did })),
  },
  {
    name: "the University's identifier recorded by the self-made issuer too",
    checks: ['status'],
    forge: async (world) => {
      const { credentials, maker, holder } = world;
      const credential = { ...unsignedOf(credentials.first), issuer: maker.did };
      const made = await counterfeit(world, { credential, key: maker.keys[0] });
      await recordEntry(world, { issuer: maker, made, terms: { template: maker.templateId } });
      return show(world, [made], { holder });
    },
  },
  {
    name: "the University as issuer, with the self-made issuer's entry and key",
    checks: ['bbsProof', 'status'],
    forge: async (world) => {
      const { university, maker, holder } = world;
      const own = ownCredential(world, 'University as issuer');
      const credential = { ...asUniversity(own, world), issuer: university.did };
      const made = await counterfeit(world, { credential, key: maker.keys[0] });
      await recordEntry(world, { issuer: maker, made, terms: ownTemplate(own) });
      return show(world, [made], { holder });
    },
  },
  {
    name: "the self-made issuer's entry with the University's key",
    checks: ['bbsProof'],
    forge: async (world) => {
      const { university, maker, holder } = world;
      const credential = ownCredential(world, 'key of the University');
      const made = await counterfeit(world, { credential, key: university.keys[0] });
      await recordEntry(world, { issuer: maker, made });
      return show(world, [made], { holder });
    },
  },
];

export const selfMadeIssuers: readonly Attack[] = [
  ...Object.entries(lies).map(
    ([name, lie]): Attack => ({ name, checks: ['status'], forge: (world) => tell(world, name, lie) }),
  ),
  ...single,
];

/** Where the entry is said to be kept, and whether anything stands there. */
const registryPlaces: Readonly<Record<string, (world: AttackWorld, address: string) => string>> = {
  "the attacker's account as the registry": (world, address) =>
    `ledger:${world.service.served.parts.profile.networkId}:${address}`,
  "the attacker's account as the registry of another network": (_world, address) =>
    `ledger:zetrix:mainnet:${address}`,
};

/**
 * The attacker writes an entry of the University's into the metadata of its own account, in the registry's own form,
 * and signs with a stolen key: everything stands somewhere on the ledger, only not in the registry.
 */
const elsewhere = Object.entries(registryPlaces).map(
  ([name, placeOf]): Attack => ({
    name,
    checks: ['status'],
    forge: async (world) => {
      const { service, university, maker, holder, credentials } = world;
      const { address } = maker.signer;
      const credential = unsignedOf(credentials.first);
      const id = `did:zid:${'8c'.repeat(32)}`;
      const placed = {
        ...credential,
        id,
        credentialStatus: { ...credential.credentialStatus, id: `${placeOf(world, address)}#${id}` },
      };
      const { validFrom, validUntil, credentialSchema } = placed;
      const value = JSON.stringify({
        digest: '00'.repeat(32),
        template: credentialSchema.id,
        templateVersion: credentialSchema.version,
        validFrom,
        validUntil,
        status: 'active',
        issuedAt: Date.now() * 1_000,
        changedAt: Date.now() * 1_000,
        changedIn: 1,
      });
      const key = `credential__${addressOfDid(university.did, keyFormat)}__${id}`;
      await sendTransaction(service.ledger, {
        signers: [maker.signer],
        operations: [{ setMetadata: { key, value } }],
      });
      const made = await counterfeit(world, { credential: placed, key: university.keys[0], salt: null });
      return show(world, [made], { holder });
    },
  }),
);

const named = (name: string, place: (status: string) => string): Attack => ({
  name,
  checks: ['status'],
  forge: async (world) => {
    const { university, holder, credentials } = world;
    const credential = unsignedOf(credentials.first);
    const { id, type } = credential.credentialStatus;
    const moved = { ...credential, credentialStatus: { type, id: place(id) } };
    const made = await counterfeit(world, { credential: moved, key: university.keys[0], salt: null });
    return show(world, [made], { holder });
  },
});

export const registries: readonly Attack[] = [
  ...elsewhere,
  named('a registry of another network', (status) =>
    status.replace(/^ledger:[^#]*:/, 'ledger:zetrix:mainnet:'),
  ),
  named('a registry that does not exist', (status) =>
    status.replace(/:ZTX[^#]*#/, ':ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy#'),
  ),
];
