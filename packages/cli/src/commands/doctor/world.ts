/**
 * What `symbolon doctor` looks at: what it was told to and nothing else. A folder is looked at with what runs by its own
 * settings, an address alone, a profile with its addresses, and the folder beside it if it is a demo's. Told nothing, it
 * looks at the current profile; where there is none, at this machine.
 */
import path from 'node:path';
import { exists } from '../../machine/files.ts';
import type { PartyWords } from '../../profile/connection.ts';
import { defaultNodeUrl, defaultServiceUrl } from '../../profile/options.ts';
import { type Profile, readProfile } from '../../profile/profile.ts';
import type { Peer } from './network.ts';

export interface DoctorWords extends PartyWords {
  readonly data?: string;
}

/** Where each of the two is asked; one that nobody spoke of is not. */
export type PeerUrls = Readonly<Partial<Record<Peer, string>>>;

export interface ExaminedWorld {
  readonly data?: string;
  readonly urls: PeerUrls;
}

/** `isTyped` says of an option whether it stands on the command line: what the environment says names no place to look at. */
export async function worldOf(
  words: DoctorWords,
  isTyped: (option: 'data' | 'profile' | 'ledger' | 'service') => boolean,
): Promise<ExaminedWorld> {
  const named = {
    ...(words.ledger !== undefined && { node: words.ledger }),
    ...(words.service !== undefined && { service: words.service }),
  };
  const typed = {
    ...(isTyped('ledger') && { node: words.ledger }),
    ...(isTyped('service') && { service: words.service }),
  } as PeerUrls;
  if (isTyped('data')) {
    const beside = path.join(words.data ?? '', demoFile);
    const profile = isTyped('profile') ? await readProfile(words.profile) : await demoBeside(beside);
    return { data: words.data as string, urls: { ...(profile && urlsOf(profile)), ...typed } };
  }
  if (!isTyped('profile') && Object.keys(typed).length > 0) return { urls: typed };
  const profile = await readProfile(words.profile);
  // Nobody has started a demo here or chosen anything else.
  if (profile.file === undefined) return { urls: named };
  const data = path.basename(profile.file) === demoFile ? path.dirname(profile.file) : undefined;
  return { ...(data !== undefined && { data }), urls: { ...urlsOf(profile), ...named } };
}

const demoFile = 'demo.json';

const urlsOf = ({ ledger = defaultNodeUrl, service = defaultServiceUrl }: Profile): PeerUrls => ({
  node: ledger,
  service,
});

/** The addresses that a demo took when it was started last. */
const demoBeside = async (file: string): Promise<Profile | undefined> =>
  (await exists(file)) ? readProfile(file) : undefined;
