/**
 * Who of a profile a key file is. A key that is named with `--key` is whoever acts, so nothing that the profile has of
 * somebody else goes with it: an API key or a BBS+ key of another person would sign in the one's name with the other's.
 */
import path from 'node:path';
import { type Signer, signerFromPrivateKey } from '@symbolon/sdk/keys/signer';
import { addressOfPerson } from './account-names.ts';
import { keyFileOf, type Profile, type ProfilePerson } from './profile.ts';

export interface NamedKey {
  readonly signer: Signer;
  /** Where the key was read. */
  readonly file: string;
  /** Whom the command means, where that may be the same one. */
  readonly first: ProfilePerson | undefined;
}

/** The person whose key it is; undefined where the profile knows nobody with it. */
export async function personOfKey(
  profile: Profile,
  { signer, file, first }: NamedKey,
): Promise<ProfilePerson | undefined> {
  // An entry that does not say whose it is, such as an API key alone, is of whoever acts.
  if (first && !saysWhose(first)) return first;
  const people = [...(first ? [first] : []), ...profile.people().map(({ person }) => person)];
  for (const person of people) if (await isKeyOf(profile, person, { signer, file })) return person;
  return undefined;
}

const saysWhose = (person: ProfilePerson): boolean =>
  [person.did, person.address, person.privateKey, person.keyFile].some((member) => member !== undefined);

async function isKeyOf(
  profile: Profile,
  person: ProfilePerson,
  { signer, file }: Pick<NamedKey, 'signer' | 'file'>,
): Promise<boolean> {
  const address = addressOfPerson(person);
  if (address !== undefined) return address === signer.address;
  if (person.privateKey !== undefined) {
    // What is no key is told when it is to sign.
    const own = await signerFromPrivateKey(person.privateKey).catch(() => undefined);
    return own?.address === signer.address;
  }
  return keyFileOf(profile, person) === path.resolve(file);
}
