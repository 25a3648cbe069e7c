/**
 * `symbolon request`: a verifier asks, a wallet answers. Opens a verification session, prints its link, as a QR code if
 * wanted, and follows it to its end with `--wait`. What it does is `session.ts`.
 */
import { sessionLimits } from '@symbolon/core/limits/waiting';
import { openidClientIdPrefixes } from '@symbolon/wire/openid/verification-schemas';
import { type Command, Option } from 'commander';
import { addPartyOptions, collectWords, withConnection } from '../../credentials/party-commands.ts';
import { addTrustOptions } from '../../credentials/trust-options.ts';
import type { PartyWords } from '../../profile/connection.ts';
import { countUpTo, httpUrl } from '../../profile/options.ts';
import { acceptNewKeysText } from '../../profile/pinned-result-keys.ts';
import { exitCodes } from '../../terminal/failure.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { askedFormats, assertOpenidWords, type OpenidRequestWords } from './openid-words.ts';
import { addQueryOptions } from './query.ts';

export function addRequestCommands(program: Command, terminal: Terminal = processTerminal): void {
  addTrustOptions(addQueryOptions(addPartyOptions(program.command('request'), 'verifier')))
    .description('ask a wallet to show something')
    .option('--template <template>', 'which credential is meant: the id or name of its template')
    .option('--qr', 'print the link as a QR code')
    .option('--wait', 'wait for the answer and say what it is; exit code 3 if it is not verified')
    .option('--accept-new-keys', `with --wait: ${acceptNewKeysText}`)
    .option('--purpose <text>', 'why you ask; the holder reads it before deciding')
    .option('--callback <url>', 'where the service posts the result', httpUrl)
    .option(
      '--minutes <number>',
      'how long the wallet has',
      countUpTo(sessionLimits.sessionMinutesMax, ' of minutes'),
    )
    .option('--openid', 'ask any wallet of OpenID4VP')
    .addOption(
      new Option('--format <format>', 'with --openid: which format; else what fits').choices(askedFormats),
    )
    .option('--type <type>', 'with --openid, for --template: a vct, or the full name of a type')
    .option(
      '--issuer <issuer>',
      'with --openid: an issuer that is on no ledger, by its https address or DID; repeatable',
      collectWords,
    )
    .addOption(
      new Option('--named-by <prefix>', 'with --openid: by what wallets know who asks').choices(
        openidClientIdPrefixes,
      ),
    )
    .action((words: PartyWords & OpenidRequestWords) =>
      withConnection(words, terminal, async (connection) => {
        const ask = words.openid
          ? (await import('./openid-session.ts')).requestOfField
          : (await import('./session.ts')).request;
        assertOpenidWords(words);
        const outcome = await ask(connection, words, terminal);
        // A verdict is a result, not a failure of the command.
        if (outcome === 'notVerified') process.exitCode = exitCodes.notVerified;
      }),
    );
}
