/**
 * How a command reaches node and service, and in whose name: from its words, the environment and the profile, in this
 * order. Nothing is contacted here.
 */
import path from 'node:path';
import { type CredentialClient, createCredentialClient } from '@symbolon/sdk/credential-client';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger-client';
import { type Signer, signerFromPrivateKey } from '@symbolon/sdk/signer';
import { httpTransport } from '@symbolon/sdk/transport';
import { CommandFailure, exitCodes } from './failure.ts';
import { readKeyFile } from './key-file.ts';
import { type ProfilePerson, readProfile } from './profile.ts';
import type { Terminal } from './terminal.ts';
import { defaultNodeUrl, defaultServiceUrl } from './words.ts';

export interface ConnectionWords {
  readonly profile: string;
  readonly ledger?: string;
  readonly service?: string;
  /** Who of the profile acts. */
  readonly as?: string;
  readonly key?: string;
}

export interface Connection {
  readonly ledgerUrl: string;
  readonly serviceUrl: string;
  readonly ledger: LedgerClient;
  /** As the person who acts, when that one has an API key. */
  readonly service: CredentialClient;
  readonly apiKey: string | undefined;
  /** What the profile knows of whoever acts. */
  readonly person: ProfilePerson | undefined;
  /** The signer of whoever acts; a failure with advice where there is no key. */
  readonly signer: () => Promise<Signer>;
}

/** API keys come from the profile or the environment: an argument would stand in every process list. */
const apiKeyVariable = 'SYMBOLON_API_KEY';

export async function connect(words: ConnectionWords, { remark }: Terminal): Promise<Connection> {
  const profile = await readProfile(words.profile, remark);
  const person = words.as === undefined ? undefined : profile.person(words.as);
  const ledgerUrl = words.ledger ?? profile.ledger ?? defaultNodeUrl;
  const serviceUrl = words.service ?? profile.service ?? defaultServiceUrl;
  const apiKey = process.env[apiKeyVariable] ?? person?.apiKey;
  return {
    ledgerUrl,
    serviceUrl,
    ledger: createLedgerClient(httpTransport(ledgerUrl)),
    service: createCredentialClient(serviceUrl, apiKey === undefined ? {} : { apiKey }),
    apiKey,
    person,
    signer: async () => {
      if (words.key !== undefined) return readKeyFile(words.key, remark);
      if (person?.keyFile !== undefined)
        return readKeyFile(path.resolve(path.dirname(profile.file ?? ''), person.keyFile), remark);
      if (person?.privateKey !== undefined) return signerFromPrivateKey(person.privateKey);
      throw nobodySigns(words);
    },
  };
}

function nobodySigns({ profile, as }: ConnectionWords): CommandFailure {
  const why =
    as === undefined ? 'No key was given.' : `The profile ${profile} has no key of a person called ${as}.`;
  const advice = 'Give --key <file>, or start the demo in this folder: npm start.';
  return new CommandFailure(`Nobody signs this.\n${why}\n${advice}`, exitCodes.usage);
}
