/**
 * Whom a word means: an address, an identifier (DID) or a person of the profile. Words are only repeated when they
 * cannot be a key that was pasted into the wrong place.
 */
import { addressOfDid, didOfPublicKey, parseDid } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { profiles, zetrixProfile } from '@symbolon/core/keys/profile';
import { sha256 } from '@symbolon/host/work/sha256';
import { plainText } from '@symbolon/sdk/arguments/foreign-texts';
import { startName } from '../machine/own-name.ts';
import { type CommandFailure, usageFailure } from '../terminal/failure.ts';
import { shortened } from '../terminal/layout.ts';
import { keyFormat } from './key-format.ts';
import { type Profile, type ProfilePerson, readProfile } from './profile.ts';

/** The names under which the demo and most profiles have people: these accounts are called by name. */
const usualPeople = ['issuer', 'holder', 'holder2', 'verifier', 'genesis', 'registrar'];

/** Who is meant where, by one profile. */
export interface AccountNames {
  /** The address that a word means; a failure with advice where it means none. */
  readonly addressOf: (word: string) => string;
  /** How an address is called in a sentence: by its person's name, or shortened. */
  readonly nameOf: (address: string) => string;
}

export async function readAccountNames(profileName?: string): Promise<AccountNames> {
  // What is wrong with the profile's file has been said where it was read for the connection.
  return accountNames(await readProfile(profileName));
}

export function accountNames(profile: Profile): AccountNames {
  const known = new Map(
    usualPeople.flatMap((name) => {
      const address = addressOfPerson(profile.person(name));
      return address === undefined ? [] : [[address, name] as const];
    }),
  );
  return {
    addressOf: (word) => addressOfWord(word, profile),
    nameOf: (address) => {
      const name = known.get(address);
      return name === undefined ? shortened(plainText(address)) : `${name} (${shortened(address)})`;
    },
  };
}

function addressOfWord(word: string, profile: Profile): string {
  if (keyFormat.isAddress(word)) return word;
  if (word.startsWith('did:')) return addressOfDid(word, keyFormat) ?? refuseDid(word);
  if (isPersonName(word)) {
    const address = addressOfPerson(profile.person(word));
    if (address !== undefined) return address;
    if (profile.file === undefined)
      throw notAnAccount(
        `${word} is no address, and there is no profile here that would know a person of this name.`,
        `Go to the folder where the demo was started (${startName}), or name a profile with --profile.`,
      );
    throw notAnAccount(
      `The profile ${profile.name} has no person called ${word}, and it is no address.`,
      'Give an address, a DID, or a person of the profile such as holder.',
    );
  }
  const other = Object.values(profiles).find(
    (network) => network !== zetrixProfile && createKeyFormat(network, sha256).isAddress(word),
  );
  throw other
    ? notAnAccount(
        `This is an address of another network (${other.name}).`,
        `Here an account is an address of ${zetrixProfile.name}: ask its owner for that one.`,
      )
    : notAnAccount(
        'This is neither an address of this network nor a DID nor a person.',
        'An address ends in a checksum: was all of it copied, and nothing else?',
      );
}

function refuseDid(word: string): never {
  const parsed = parseDid(word, zetrixProfile);
  const form = `did:${zetrixProfile.didMethod}: and 64 lower-case hex digits`;
  throw parsed === 'invalidDid'
    ? notAnAccount('This is not a DID.', `Those that own an account are ${form}.`)
    : notAnAccount('This DID owns no account of this network.', `Those that do are ${form}.`);
}

/** Short words cannot be keys. */
export const isPersonName = (word: string): boolean => /^[\w-]{1,24}$/.test(word);

export function addressOfPerson(person: ProfilePerson | undefined): string | undefined {
  if (person === undefined) return undefined;
  const { address } = person;
  if (typeof address === 'string' && keyFormat.isAddress(address)) return address;
  return person.did === undefined ? undefined : addressOfDid(person.did, keyFormat);
}

/** The identifier of whoever holds an encoded public key. */
export function didOfEncodedKey(publicKey: string): string | undefined {
  const raw = keyFormat.parsePublicKey(publicKey);
  return raw && didOfPublicKey(raw, zetrixProfile);
}

const notAnAccount = (why: string, advice: string): CommandFailure =>
  usageFailure(`This is not an account.\n${why}\n${advice}`);
