/** What the console's routes work with, beside the parts of every room. */
import type { RateSharing } from '@symbolon/host/http/rate-sharing';
import type { LedgerClient } from '@symbolon/sdk/index';
import type { ApiScope } from '@symbolon/wire/http/service-route';
import type { ApiKeys } from '../access/api-keys.ts';
import type { BrowserSessions } from '../access/browser-sessions.ts';
import type { SignInChallenges } from '../access/sign-in-challenges.ts';
import type { Custody } from '../custody/custody.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import type { BlockFeed } from './block-feed.ts';

/** One of the people of a demo. All of it, the private key too, is publicly known. */
export interface DemoFigure {
  /** By which somebody signs in as them. */
  readonly person: string;
  readonly name: string;
  readonly did: string;
  readonly address: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly scopes: readonly ApiScope[];
}

/** What a demo adds to a service. */
export interface DemoDesk {
  /** Where its data are, as whoever started it said; undefined for the usual folder. */
  readonly folder: string | undefined;
  people(): readonly DemoFigure[];
  /** Pays some coins to an address, which need not have an account. */
  pay(address: string): Promise<{ readonly hash: string; readonly amount: bigint }>;
}

export interface ConsoleParts extends ServiceParts {
  readonly browserSessions: BrowserSessions;
  readonly signInChallenges: SignInChallenges;
  readonly apiKeys: ApiKeys;
  /** Where the service holds keys for others. */
  readonly custody: Custody | undefined;
  readonly blockFeed: BlockFeed;
  readonly rateSharing: RateSharing | undefined;
  readonly client: LedgerClient;
  /** There in a demo alone. */
  readonly demo: DemoDesk | undefined;
  /** Whether the service listens on this machine alone. */
  readonly isLocal: boolean;
  readonly version: string;
}
