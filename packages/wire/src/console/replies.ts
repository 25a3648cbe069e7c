/** What the console is told: where it is, who is signed in, and which blocks come. */
import * as z from 'zod';
import { openingEvent } from '../events/service-events.ts';
import { instant } from '../http/schema-parts.ts';
import { apiScopes } from '../http/service-route.ts';
import { type JsonObject, stringifyJson } from '../json/json.ts';

/** How somebody has shown who they are. */
export const signInWays = ['signature', 'apiKey', 'custody', 'person'] as const;
export type SignInWay = (typeof signInWays)[number];

/** The parts of the console. */
export const consoleDesks = ['issue', 'wallet', 'verify', 'ledger', 'lab', 'dev'] as const;

const demoPerson = z.object({
  person: z.string(),
  name: z.string(),
  did: z.string(),
  address: z.string(),
  publicKey: z.string(),
  privateKey: z.string(),
  scopes: z.array(z.enum(apiScopes)),
});

export const consoleConfigReply = z.object({
  name: z.string(),
  version: z.string(),
  isDemo: z.boolean(),
  publicUrl: z.string(),
  network: z.object({
    didMethod: z.string(),
    coin: z.string(),
    decimals: z.number(),
    chainId: z.string(),
    genesisHash: z.string(),
    templateRegistry: z.string(),
    credentialRegistry: z.string(),
  }),
  ledger: z.object({ url: z.string(), events: z.string(), version: z.string() }),
  desks: z.array(z.enum(consoleDesks)),
  signIn: z.array(z.enum(signInWays)),
  people: z.array(demoPerson).optional(),
  demoFolder: z
    .string()
    .optional()
    .describe('Where the demo keeps its data, as its start was told; absent for the usual folder'),
});

export const challengeReply = z.object({
  challenge: z.string(),
  purpose: z.string(),
  audience: z.string(),
  expiresAt: instant,
});

const signedIn = z.object({
  way: z.enum(signInWays),
  did: z.string().optional(),
  keyId: z.string().optional(),
  scopes: z.array(z.enum(apiScopes)),
  idleSeconds: z.number(),
  until: instant,
});

export const whoReply = signedIn;
export const signInReply = signedIn.extend({ session: z.string() });
export const signOutReply = z.object({ signedOut: z.boolean() });

export const faucetReply = z.object({
  address: z.string(),
  amount: z.string(),
  hash: z.string(),
});

const toldTransaction = z.object({
  hash: z.string(),
  source: z.string(),
  code: z.number(),
  operations: z.number(),
});

/** One block as it is told: the transactions that are not listed are counted. */
export const ledgerBlockEvent = z
  .object({
    seq: z.string(),
    hash: z.string(),
    closeTime: instant,
    transactionCount: z.number(),
    transactions: z.array(toldTransaction),
  })
  .meta({ id: 'LedgerBlockEvent', description: 'A block that the ledger has closed.' });

/** A block of the ledger, as the stream of the service tells it. */
export type LedgerBlockEvent = z.output<typeof ledgerBlockEvent>;

const newsNames = ['gap', 'lost', 'back'] as const;

export const ledgerStreamNews = z
  .object({ event: z.enum(newsNames), seq: z.string().optional() })
  .meta({ id: 'LedgerStreamNews', description: 'How the stream itself fares: whether blocks are missing.' });

/**
 * How a stream of blocks fares. `gap`: blocks before `seq` are left out, more than are told again, or the ledger is another
 * one. `lost`: the node gives no answer. `back`: it does again.
 */
export type LedgerStreamNews = z.output<typeof ledgerStreamNews>;

export const ledgerStreamEvent = z.union([ledgerBlockEvent, ledgerStreamNews]);

/** What the stream of blocks tells: news have a member `event`, blocks have none. */
export type LedgerStreamEvent = z.output<typeof ledgerStreamEvent>;

export const renderLedgerBlock = (block: LedgerBlockEvent): string =>
  `id: ${block.seq}\nevent: block\ndata: ${stringifyJson(block as JsonObject)}\n\n`;

/** What is no block, so that it has no id: whoever comes back goes on behind the last block. */
export const renderLedgerNews = (news: LedgerStreamNews): string =>
  `event: ${news.event}\ndata: ${stringifyJson(news as JsonObject)}\n\n`;

/** Where a stream begins: the newest block, and as id the one behind which it tells, for whoever is cut off before the first. */
export const renderLedgerOpening = (seq: string, after: bigint | undefined): string =>
  `${after === undefined ? '' : `id: ${after}\n`}event: ${openingEvent}\ndata: ${stringifyJson({ seq })}\n\n`;
