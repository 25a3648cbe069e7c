/**
 * How a command reaches node and service, and in whose name: from its words, the environment and the profile, in this
 * order. Nothing is contacted here.
 */
import { given } from '@symbolon/core/basics/plain-values';
import { type Signer, signerFromPrivateKey } from '@symbolon/sdk/keys/signer';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import { type CredentialClient, createCredentialClient } from '@symbolon/sdk/service/credential-client';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import { startName } from '../machine/own-name.ts';
import { type CommandFailure, usageFailure } from '../terminal/failure.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { apiKeyFor, assertHome, type Environment } from './api-key.ts';
import { readKeyFile } from './key-file.ts';
import { defaultNodeUrl, defaultServiceUrl, type FeeWords } from './options.ts';
import { type Profile, type ProfilePerson, readableKeyFileOf, readProfile } from './profile.ts';
import { personOfKey } from './whoever-acts.ts';

export interface ConnectionWords {
  /** A name or a file; the current one, if left out. */
  readonly profile?: string;
  readonly ledger?: string;
  /** Another word for `ledger`. */
  readonly url?: string;
  readonly service?: string;
  /** Who of the profile acts. */
  readonly as?: string;
  readonly key?: string;
  /** Whether what is confidential is sealed on its way to the service; as the profile says, if left out. */
  readonly sealed?: boolean;
}

/** Of commands that print a result. */
export interface PartyWords extends ConnectionWords {
  readonly json?: boolean;
}

/** Of commands that sign a transaction. */
export interface SigningWords extends PartyWords, FeeWords {}

export interface Connection {
  /** The file of the profile, if there is one: what is remembered of servers stands beside it. */
  readonly profileFile: string | undefined;
  /** Where the profile says that the key of whoever acts is, if it says so. */
  readonly keyFile: () => Promise<string | undefined>;
  readonly ledgerUrl: string;
  readonly serviceUrl: string;
  readonly ledger: LedgerClient;
  /** As the person who acts, when that one has an API key. */
  readonly service: CredentialClient;
  readonly apiKey: string | undefined;
  /** What is confidential goes to the service sealed, or not at all. */
  readonly isSealed: boolean;
  /** Refuses what may go to the service of the profile alone, such as a private key. */
  readonly assertHome: (what: string) => void;
  /** What the profile knows of the network. */
  readonly pins: Pins;
  /** What the profile knows of whoever acts: with a key file, of whom that key is. */
  readonly person: ProfilePerson | undefined;
  /** The signer of whoever acts; a failure with advice where there is no key. */
  readonly signer: () => Promise<Signer>;
  /** The same, for what is signed to be let in by the service: a key of the profile opens its own service alone. */
  readonly walletSigner: () => Promise<Signer>;
}

/** What an order of the SDK takes from here. Where the network is known, its ledger is asked as well as its service. */
export const networkOf = ({
  pins,
  ledger,
}: Connection): Pick<Connection, 'pins'> & { ledger?: LedgerClient } =>
  pins.credentialRegistry === undefined ? { pins } : { pins, ledger };

export async function connect(
  words: ConnectionWords,
  { remark }: Terminal,
  env: Environment = process.env,
): Promise<Connection> {
  const profile = await readProfile(words.profile);
  const named = words.as === undefined ? undefined : profile.person(words.as);
  if (named === undefined && words.as !== undefined) assertMayBeMissing(words.as, profile);
  const keySigner = words.key === undefined ? undefined : await readKeyFile(words.key);
  const person =
    keySigner && words.key !== undefined
      ? await personOfKey(profile, { signer: keySigner, file: words.key, first: named })
      : named;
  const ledgerUrl = words.url ?? words.ledger ?? profile.ledger ?? defaultNodeUrl;
  const serviceUrl = words.service ?? profile.service ?? defaultServiceUrl;
  const isSealed = words.sealed ?? profile.isSealed;
  const destination = {
    serviceUrl,
    profileService: profile.service,
    isChosenByFolder: profile.isChosenByFolder,
  };
  const apiKey = apiKeyFor(destination, { personKey: person?.apiKey, env, remark });
  const signer = async (): Promise<Signer> => {
    if (keySigner) return keySigner;
    const keyFile = await readableKeyFileOf(profile, person);
    if (keyFile !== undefined) return readKeyFile(keyFile);
    if (person?.privateKey !== undefined) return signerFromPrivateKey(person.privateKey);
    throw nobodySigns(words, profile);
  };
  return {
    profileFile: profile.file,
    keyFile: () => readableKeyFileOf(profile, person),
    ledgerUrl,
    serviceUrl,
    ledger: createLedgerClient(httpTransport(ledgerUrl)),
    service: createCredentialClient(serviceUrl, { ...given({ apiKey }), sealed: isSealed }),
    apiKey,
    isSealed,
    assertHome: (what) => assertHome(destination, what),
    pins: profile.pins,
    person,
    signer,
    walletSigner: async () => {
      if (words.key === undefined && person) assertHome(destination, 'Nothing was signed for');
      return signer();
    },
  };
}

/** Whom commands mean when nobody is named: a profile need not have them. */
const usualRoles: ReadonlySet<string> = new Set(['issuer', 'holder', 'verifier']);

/** A mistyped person is told now: where nobody signs, it would go unnoticed. */
function assertMayBeMissing(as: string, { name, file }: Profile): void {
  if (file === undefined || usualRoles.has(as)) return;
  throw usageFailure(
    `Nobody in the profile ${name} is called ${as}.\nThe people are the entries of ${file}.\nName one of them, such as issuer, holder or verifier.`,
  );
}

const elsewhere = `Go to the folder where the demo was started (${startName}), or give --key <file>.`;
const someone = 'Give --as <person>, one of the profile, or --key <file>.';

function nobodySigns({ as }: ConnectionWords, { name, file }: Profile): CommandFailure {
  const [why, advice] =
    as === undefined
      ? ['Neither a person nor a key file was named.', someone]
      : file === undefined
        ? [`There is no profile in this folder, so nobody knows a key of ${as}.`, elsewhere]
        : [`The profile ${name} has no key of a person called ${as}.`, someone];
  return usageFailure(`Nobody signs this.\n${why}\n${advice}`);
}
