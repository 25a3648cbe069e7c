/**
 * Attacks by a holder who has the University's BBS+ secret keys, living and ended ones, and of course the salts of its
 * own credentials. What such a one signs is signed as well as anything; the ledger alone says that it was not issued.
 */

import { encodeProofValue, parseProofValue } from '@symbolon/core/credential/credential-shapes';
import type { Credential, UnsignedCredential } from '@symbolon/core/documents/model';
import type { JsonObject } from '@symbolon/wire/json/json';
import { firstOf, forge, forgery } from '../support/credential-fixtures.ts';
import { type AttackWorld, type BbsKey, type GoodCredentials, question } from './attack-world.ts';
import {
  altered,
  type CounterfeitOrder,
  contentsIn,
  counterfeit,
  freshSalt,
  recordEntry,
  renamed,
  type Showing,
  show,
  unsignedOf,
} from './attacker.ts';
import { smallestPng } from './samples.ts';
import { type Attack, proofFails } from './three-verifiers.ts';

const proofAndStatus = [...proofFails, 'status'];

interface Rewriting {
  /** Which honest credential the entry is of. */
  readonly of?: keyof GoodCredentials;
  readonly change?: (credential: UnsignedCredential, world: AttackWorld) => UnsignedCredential;
  readonly key?: (world: AttackWorld) => BbsKey;
  readonly names?: (world: AttackWorld) => string;
  readonly salt?: (honest: string) => string | null;
  readonly commitment?: (honest: string, world: AttackWorld) => string;
  readonly showing?: (world: AttackWorld) => Partial<Showing>;
}

const livingKey = ({ university }: AttackWorld): BbsKey => university.keys[0];
const keyAt =
  (place: number) =>
  ({ university }: AttackWorld): BbsKey =>
    university.keys[place] as BbsKey;
const [spareKey, endedKey, compromisedKey] = [keyAt(1), keyAt(2), keyAt(3)];

/** New contents under an old entry: as much of the honest credential is kept as the attack allows. */
async function rewrite(world: AttackWorld, order: Rewriting): Promise<JsonObject> {
  const { of = 'first', change = (same) => same, key = livingKey } = order;
  const honest: Credential = world.credentials[of];
  const contents = contentsIn(honest);
  const made: CounterfeitOrder = {
    credential: change(unsignedOf(honest), world),
    key: key(world),
    ...(order.names && { verificationMethod: order.names(world) }),
    salt: order.salt ? order.salt(contents.salt) : contents.salt,
    ...(order.commitment && { commitment: order.commitment(contents.commitment, world) }),
  };
  const showing = { holder: world.holder, ...order.showing?.(world) };
  return show(world, [await counterfeit(world, made)], showing);
}

const subject =
  (members: object) =>
  (credential: UnsignedCredential): UnsignedCredential =>
    altered(credential, { subject: members });
const schema =
  (members: (attributes: UnsignedCredential['credentialSchema']['attributes']) => object) =>
  (credential: UnsignedCredential): UnsignedCredential =>
    altered(credential, { schema: members(credential.credentialSchema.attributes) });

const richer = subject({ fullName: 'Aroha Ngata, MSc' });
const older = subject({ birthDate: '1950-01-01' });
const membership = (world: AttackWorld): Partial<Showing> => ({
  request: { revealAttributes: ['fullName'], ranges: [{ attribute: 'birthDate', max: '1960-01-01' }] },
  rangeParameters: world.setMembership,
});
const bulletproofs = (): Partial<Showing> => ({
  request: { revealAttributes: ['fullName'], ranges: [{ attribute: 'birthDate', max: '1960-01-01' }] },
});
const same = (commitment: string): string => commitment;
const withoutSalt = (): null => null;
const text = { type: 'text', format: 'string' } as const;

/** Values that were never issued, under terms that were. */
const contents: Readonly<Record<string, Rewriting>> = {
  'a revealed value rewritten': { change: richer },
  "a revealed value rewritten, with the ledger's commitment claimed": { change: richer, commitment: same },
  'a revealed value rewritten under another salt': { change: richer, salt: freshSalt },
  "a revealed value rewritten under another salt, with the ledger's commitment claimed": {
    change: richer,
    salt: freshSalt,
    commitment: same,
  },
  'a revealed value rewritten without a salt': { change: richer, salt: withoutSalt },
  'a revealed truth rewritten': { change: subject({ isResident: false }) },
  'two revealed values exchanged by the key': {
    change: subject({ fullName: 'NZ', nationality: 'Aroha Ngata' }),
  },
  'a hidden value rewritten': { change: subject({ income: '900000' }) },
  'a hidden picture rewritten': { change: subject({ photo: smallestPng }) },
  'a hidden text rewritten': { change: subject({ documentNumber: 'LK-0043' }) },
  'an optional value put in': { change: subject({ remark: 'summa cum laude' }) },
  'a hidden date rewritten, its range shown by set membership': { change: older, showing: membership },
  'a hidden date rewritten, its range shown by a bulletproof': { change: older, showing: bulletproofs },
  'the true contents under another salt': { salt: freshSalt },
  'the true contents without a salt': { salt: withoutSalt },
  'a salt that is the commitment': { change: richer, salt: (honest) => honest.slice(0, -1).concat('A') },
  "the commitment of the holder's other credential": {
    change: richer,
    commitment: (_honest, { credentials }) => contentsIn(credentials.second).commitment,
  },
  'a revealed value rewritten by a key that issued nothing': { change: richer, key: spareKey },
  'the true contents by one key under the name of another': {
    names: ({ university }) => university.keys[1]?.verificationMethod as string,
  },
  'new contents by one key under the name of another': {
    change: richer,
    key: spareKey,
    names: ({ university }) => university.keys[0].verificationMethod,
  },
  "the true contents by the attacker's own key under the name of the University's": {
    key: ({ maker }) => maker.keys[0],
    names: ({ university }) => university.keys[0].verificationMethod,
  },
  'an ended key rewrites what was recorded before its end': {
    of: 'endedKey',
    key: endedKey,
    change: richer,
  },
  'an ended key rewrites a hidden date': {
    of: 'endedKey',
    key: endedKey,
    change: older,
    showing: membership,
  },
  'an ended key signs the same under another salt': { of: 'endedKey', key: endedKey, salt: freshSalt },
  "an ended key's name with a living key's signature": {
    of: 'endedKey',
    names: (world) => endedKey(world).verificationMethod,
  },
  'a compromised key rewrites what was recorded before': {
    of: 'compromisedKey',
    key: compromisedKey,
    change: richer,
  },
  'a compromised key signs the same under another salt': {
    of: 'compromisedKey',
    key: compromisedKey,
    salt: freshSalt,
  },
  "somebody else's credential, with the attacker as its holder": {
    of: 'thiefs',
    change: (credential, { holder }) => altered(credential, { subject: { id: holder.did } }),
  },
  "somebody else's credential and salt, with the attacker's contents": {
    of: 'thiefs',
    change: (credential, { credentials }) => ({
      ...credential,
      credentialSubject: credentials.first.credentialSubject,
    }),
  },
  'contents of one credential under the entry of another': {
    of: 'second',
    change: (credential, { credentials }) => ({
      ...credential,
      credentialSubject: credentials.first.credentialSubject,
    }),
  },
  'a credential given to a friend': {
    change: (credential, { thief }) => altered(credential, { subject: { id: thief.did } }),
    showing: ({ thief }) => ({ holder: thief }),
  },
};

/** Terms that the ledger has otherwise, or does not have. */
const terms: Readonly<Record<string, Rewriting>> = {
  'a longer validity by the key': { change: (one) => ({ ...one, validUntil: '2199-12-31T00:00:00Z' }) },
  'an earlier beginning by the key': { change: (one) => ({ ...one, validFrom: '2001-01-01T00:00:00Z' }) },
  'another template by the key': {
    change: (one, { otherTemplateId }) => altered(one, { schema: { id: otherTemplateId } }),
  },
  'another template by the key, with its name': {
    change: (one, { otherTemplateId, credentials }) =>
      altered(one, { type: credentials.otherTemplate.type, schema: { id: otherTemplateId } }),
  },
  'another name of the template by the key': {
    change: (one) => ({ ...one, type: ['VerifiableCredential', 'University professorship'] }),
  },
  'the new version of the template by the key': { change: schema(() => ({ version: '2.0.0' })) },
  'a version by the key that was never registered': { change: schema(() => ({ version: '3.0.0' })) },
  'one attribute more by the key': {
    change: schema((attributes) => ({ attributes: [...attributes, { key: 'rank', ...text }] })),
  },
  'one attribute less by the key': {
    change: (one) => {
      const { remark: _none, ...kept } = one.credentialSubject;
      const attributes = one.credentialSchema.attributes.slice(0, -1);
      return altered({ ...one, credentialSubject: kept } as UnsignedCredential, { schema: { attributes } });
    },
  },
  'attributes in another order by the key': {
    change: schema((attributes) => ({ attributes: [...attributes].reverse() })),
  },
  'the salt as an attribute by the key': {
    change: schema((attributes) => ({ attributes: [...attributes, { key: 'salt', ...text }] })),
    salt: withoutSalt,
  },
  'an expired credential made to last': {
    of: 'brief',
    change: (one) => ({ ...one, validUntil: '2099-12-31T00:00:00Z' }),
  },
  'a credential of later made to be valid now': {
    of: 'future',
    change: (one) => ({ ...one, validFrom: '2026-01-01T00:00:00Z' }),
  },
  'a revoked credential under its own entry, with a new signature': { of: 'revoked', salt: freshSalt },
  'a suspended credential under its own entry, rewritten': { of: 'suspended', change: richer },
  'a credential that was never recorded': { change: (one) => renamed(one, `did:zid:${'5a'.repeat(32)}`) },
};

const alike = (table: Readonly<Record<string, Rewriting>>, checks: readonly string[]): readonly Attack[] =>
  Object.entries(table).map(([name, order]) => ({ name, checks, forge: (world) => rewrite(world, order) }));

/** An entry that the University itself recorded with a key that it should not have used any more. */
const recordedLate =
  (key: (world: AttackWorld) => BbsKey, id: string): Attack['forge'] =>
  async (world) => {
    const credential = renamed(unsignedOf(world.credentials.first), `did:zid:${id.repeat(32)}`);
    const made = await counterfeit(world, { credential, key: key(world) });
    await recordEntry(world, { issuer: world.university, made });
    return show(world, [made], { holder: world.holder });
  };

const single: readonly Attack[] = [
  {
    name: 'hidden values rewritten, and none revealed',
    checks: ['bbsProof'],
    forge: (world) =>
      rewrite(world, {
        change: older,
        showing: () => ({ request: { revealAttributes: [], ranges: [] } }),
      }),
  },
  {
    name: 'new contents by the key, made for a verifier',
    checks: proofFails,
    asked: question,
    forge: (world) => rewrite(world, { change: richer, showing: () => question }),
  },
  {
    name: 'a credential that was never recorded, without a salt',
    checks: ['status'],
    forge: (world) =>
      rewrite(world, {
        change: (one) => renamed(one, `did:zid:${'5b'.repeat(32)}`),
        salt: withoutSalt,
      }),
  },
  {
    name: 'a key that the University never published',
    checks: ['bbsProof'],
    forge: (world) =>
      rewrite(world, { key: spareKey, names: ({ university }) => `${university.did}#delegateKey-9` }),
  },
  {
    name: 'a key that was published after the credential was recorded',
    checks: ['bbsProof'],
    forge: (world) => rewrite(world, { key: endedKey, change: richer }),
  },
  {
    name: 'a compromised key under the entry of another key',
    checks: ['bbsProof'],
    forge: (world) => rewrite(world, { key: compromisedKey }),
  },
  {
    name: 'an entry that was recorded after its key had ended',
    checks: ['bbsProof'],
    forge: recordedLate(endedKey, '6a'),
  },
  {
    name: 'an entry that was recorded after its key was compromised',
    checks: ['bbsProof'],
    forge: recordedLate(compromisedKey, '6b'),
  },
  {
    name: "new contents with the honest proof's statement about the commitment",
    checks: proofFails,
    forge: async (world) => {
      const shown = await rewrite(world, { change: richer });
      const [made, honest] = [shown, world.good.plain].map(
        (one) => parseProofValue(firstOf(one).proof.proofValue as string) as Uint8Array,
      ) as [Uint8Array, Uint8Array];
      // The last statement, before ten bytes that are always the same: tag, point and two counts.
      const length = 1 + 48 + 8 + 8;
      const start = honest.length - 10 - length;
      const grafted = made.slice();
      grafted.set(honest.subarray(start, start + length), start);
      return forge(shown, world.holder, forgery.proof({ proofValue: encodeProofValue(grafted) }));
    },
  },
  {
    name: 'an honest proof beside new contents by the key',
    checks: proofFails,
    forge: async (world) => {
      const shown = await rewrite(world, { change: richer });
      return forge(shown, world.holder, forgery.credential({ proof: firstOf(world.good.plain).proof }));
    },
  },
];

export const stolenKeys: readonly Attack[] = [
  ...alike(contents, proofFails),
  ...alike(terms, proofAndStatus),
  ...single,
];
