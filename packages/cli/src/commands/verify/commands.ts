/**
 * `symbolon verify`: whether something holds. Of a file with a presentation the six checks, with the service or without
 * a network; of a folder with a backup what its manifest says. The exit code is 3 where it does not hold.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { addDisclosureOptions } from '../../credentials/disclosure-options.ts';
import {
  addPartyOptions,
  collectWords,
  withAdvice,
  withConnection,
} from '../../credentials/party-commands.ts';
import { addTrustOptions, didOption } from '../../credentials/trust-options.ts';
import type { PartyWords } from '../../profile/connection.ts';
import { madeByOption } from '../../profile/options.ts';
import { exitCodes, usageFailure } from '../../terminal/failure.ts';
import { printFields } from '../../terminal/layout.ts';
import { printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';
import type { FactsWords } from './facts.ts';
import type { VerifyWords } from './presentation.ts';

export const factsFileDefault = 'facts.json';

export function addVerifyCommands(program: Command, terminal: Terminal = processTerminal): void {
  const verify = addPartyOptions(program.command('verify'), 'verifier')
    .description('verify a presentation, or a backup')
    .argument('<file>', 'the presentation; or the folder of a backup')
    // Options after "facts" are those of "facts".
    .enablePositionalOptions();
  addTrustOptions(
    addDisclosureOptions(verify, {
      reveal: 'ask',
      what: 'what you asked for: shown by one credential, and nothing else',
    }),
  )
    .option('--template <template>', 'a template that you want, its id or name; repeatable', collectWords)
    .option('--challenge <text>', 'the challenge that you gave the holder')
    .option('--domain <text>', 'whom it must be for')
    .option('--offline', 'without any network, on facts that were fetched earlier')
    .option('--facts <file>', 'where those facts are', factsFileDefault)
    .option('--facts-by <did>', 'whose facts you take, beside those that you signed; repeatable', collectors)
    .option('--own-facts', 'take unsigned ones: they are yours, and you vouch for the file')
    .option('--max-age <time>', 'how old they may be, as 90m, 12h or 7d; a day, if left out', seconds)
    .option('--full', 'of a backup: execute every block of the ledger again')
    .addOption(madeByOption())
    .action((file: string, words: PartyWords & VerifyWords & BackupWords, command: Command) =>
      withAdvice(async () => {
        const isBackup = await isFolder(file);
        assertObeyed(command, isBackup);
        await (isBackup ? verifyFolder(file, words, terminal) : run(file, words, terminal));
      }),
    );

  addPartyOptions(verify.command('facts'), 'verifier')
    .description('fetch what verifying without a network needs: issuer keys and statuses')
    .argument('<files...>', 'presentations, or credentials, that will be verified')
    .option('--out <file>', 'where to write them', factsFileDefault)
    .option('--force', 'write over a file that is there')
    .option('--unsigned', 'for yourself alone: without your signature')
    .action((files: string[], words: PartyWords & FactsWords) =>
      withConnection(words, terminal, async (connection) => {
        const { fetchFacts } = await import('./facts.ts');
        await fetchFacts(connection, { files, words, terminal });
      }),
    );
}

/** A word that would say nothing here is refused: whoever types it means that it does. */
function assertObeyed(command: Command, isBackup: boolean): void {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  const factsOptions = ['facts', 'factsBy', 'ownFacts', 'maxAge'];
  const conditions = ['ask', 'range', 'age', 'challenge', 'domain', 'offline', ...factsOptions];
  const idle = isBackup ? conditions.find(isGiven) : ['full', 'madeBy'].find(isGiven);
  if (idle !== undefined) {
    const [what, other] = isBackup ? ['a folder', 'a presentation'] : ['a presentation', 'a backup'];
    throw usageFailure(
      `This is ${what}, and was not verified.\n${optionOf(idle)} is for ${other}.\nLeave it out, or name another file.`,
    );
  }
  const unused = isGiven('offline') ? undefined : factsOptions.find(isGiven);
  if (!isBackup && unused !== undefined)
    throw usageFailure(
      `The presentation was not verified.\n${optionOf(unused)} is for verdicts without a network.\nAdd --offline, or leave it out to ask the service.`,
    );
}

const collectors = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  didOption(text),
];

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function seconds(text: string): number {
  const [, count, unit = ''] = /^([1-9][0-9]{0,5})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * unitSeconds[unit];
  throw new InvalidArgumentError('It must be a time such as 90m, 12h or 7d.');
}

async function run(file: string, words: PartyWords & VerifyWords, terminal: Terminal): Promise<void> {
  const { verifyFile } = await import('./presentation.ts');
  const { connect } = await import('../../profile/connection.ts');
  const isGood = await verifyFile(() => connect(words, terminal), { file, words, terminal });
  // A verdict is a result, not a failure of the command: it has been printed, and only the code is left to say.
  if (!isGood) process.exitCode = exitCodes.notVerified;
}

/** As it is typed. */
const optionOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

interface BackupWords {
  readonly full?: boolean;
  readonly madeBy?: string;
  readonly json?: boolean;
}

/** What is there and cannot be looked at is no folder; reading it as a file says why. */
const isFolder = (place: string): Promise<boolean> =>
  stat(place).then(
    (facts) => facts.isDirectory(),
    ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'ENOENT') return false;
      throw usageFailure(
        `${place} cannot be verified.\nThere is no such file or folder.\nGive a file with a presentation, or the folder of a backup.`,
      );
    },
  );

/** What does not hold is thrown, with its own exit code. */
async function verifyFolder(
  folder: string,
  { full = false, madeBy, json }: BackupWords,
  terminal: Terminal,
): Promise<void> {
  const { isNamedByChain, verifyBackup } = await import('../../backup/verify-backup.ts');
  const { makerFacts, makerWords } = await import('../../backup/maker.ts');
  const order = { isFull: full, terminal, ...(madeBy !== undefined && { madeBy }) };
  const { createdAt, kind, maker, ledger, service, files } = await verifyBackup(folder, order);
  const height = ledger?.height;
  const isConfirmed = await isNamedByChain(maker, ledger && path.join(folder, 'ledger'));
  if (json) {
    const who = {
      madeBy: makerFacts(maker, isConfirmed),
      isExpectedMaker: madeBy === undefined ? null : true,
    };
    const facts = {
      createdAt,
      kind,
      ...who,
      files: files.length,
      isExecutedAgain: full && ledger !== undefined,
    };
    return printJson(terminal, { verified: true, ...facts, ...(height !== undefined && { height }) });
  }
  printFields(terminal, `The backup ${folder} holds.`, {
    made: createdAt,
    'made by': makerWords(maker, isConfirmed),
    expected: maker && madeBy === undefined ? 'nobody was: say whom with --made-by' : undefined,
    of: kind,
    files: files.length,
    'ledger height': height,
    database: service?.database,
  });
}
