/** The wallet of whoever acts, opened for one command, and its credentials by as much of their ids as people type. */
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import { offerLimits } from '@symbolon/core/limits/waiting';
import type { Acting } from '../../credentials/party-commands.ts';
import { readStream } from '../../machine/files.ts';
import type { AskLine } from '../../terminal/ask-line.ts';
import { CommandFailure, exitCodes, usageFailure } from '../../terminal/failure.ts';
import { printable, type Terminal } from '../../terminal/terminal.ts';
import type { KeptCredential } from '../../wallet/kept-credentials.ts';
import type { Caps } from '../../wallet/spending.ts';
import { openWallet, type Wallet } from '../../wallet/wallet.ts';

export interface WalletWords {
  readonly wallet: string;
}

/** Nothing is revealed or called by policy: the owner is asked. */
export async function withWallet<Result>(
  { connection, words }: Pick<Acting<WalletWords>, 'connection' | 'words'>,
  work: (wallet: Wallet) => Promise<Result>,
  caps: Caps = new Map(),
): Promise<Result> {
  const { ledger, serviceUrl, pins } = connection;
  const signer = await connection.walletSigner();
  const policy = { caps, mayReveal: new Set<string>(), mayCall: [] };
  const wallet = await openWallet({ folder: words.wallet, signer, ledger, serviceUrl, pins, policy });
  try {
    return await work(wallet);
  } finally {
    await wallet.close();
  }
}

/** Links hold secrets, and other programs of the machine see what a command is called with: `-` asks or reads. */
export async function readLink(said: string, ask: AskLine): Promise<string> {
  if (said !== '-') return said;
  const input = process.stdin as AsyncIterable<Buffer>;
  const link = ask ? await ask('Link:') : await readStream(input, offerLimits.linkCharsMax);
  if (link?.trim()) return link.trim();
  throw usageFailure(
    'There is no link.\n"-" reads it from standard input, and nothing was there, or much more than a link.\nGive the whole link as it was sent.',
  );
}

/** What is being done, for the person who waits; a program that reads JSON is not disturbed. */
export const stepsFor =
  ({ isWatched, remark }: Terminal, json = false) =>
  (words: string): void => {
    if (isWatched && !json) remark(`${words} …`);
  };

const hexOf = (id: string): string => id.slice(id.lastIndexOf(':') + 1);
const shortIdChars = 8;
/** Fewer would be a guess. */
const prefixCharsMin = 4;

/** Enough of an id to name it in a command. */
export const shortId = (id: string): string => hexOf(id).slice(0, shortIdChars);

/** The one credential whose id begins so. */
export function findKept(wallet: Wallet, text: string): KeptCredential {
  const wanted = /^(?:did:[a-z0-9]+:)?([0-9a-f]+)$/.exec(text.trim().toLowerCase())?.[1] ?? '';
  if (wanted.length < prefixCharsMin)
    throw usageFailure(
      `This is no id of a credential.\nIt takes at least ${prefixCharsMin} hex digits from its beginning.\nSee which there are: symbolon wallet list`,
    );
  const found = wallet.credentials
    .all()
    .filter(({ parsed }) => hexOf(parsed.credential.id).startsWith(wanted));
  const [only, ...others] = found;
  if (!only)
    throw new CommandFailure(
      'The wallet has no such credential.\nNone of its ids begins like this.\nSee which there are: symbolon wallet list. Fetch what waits for you: symbolon wallet add',
      exitCodes.notFound,
      { code: 'credentialUnknown' },
    );
  if (others.length === 0) return only;
  throw usageFailure(
    [
      `${found.length} credentials in the wallet have ids that begin like this.`,
      ...found.map(({ parsed: { credential } }) => `  ${hexOf(credential.id)}  ${titleOf(credential)}`),
      'Give more of the one that you mean.',
    ].join('\n'),
  );
}

export const titleOf = ({ type }: Pick<UnsignedCredential, 'type'>): string => printable(type[1] ?? '');
