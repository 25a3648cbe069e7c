/** Where node and service are, for commands that need nothing else of a profile: they start sooner without the rest. */
import type { ConnectionWords } from './connection.ts';
import { defaultNodeUrl, defaultServiceUrl } from './options.ts';
import { readProfile } from './profile.ts';

/** Where the node is. */
export const ledgerAddress = async (words: ConnectionWords): Promise<string> =>
  words.url ?? words.ledger ?? (await readProfile(words.profile)).ledger ?? defaultNodeUrl;

/** Where the service is. */
export const serviceAddress = async (words: ConnectionWords): Promise<string> =>
  words.url ?? words.service ?? (await readProfile(words.profile)).service ?? defaultServiceUrl;
