/**
 * `symbolon backup` and `symbolon restore`: a node, a service or the demo into a folder that can be checked with
 * `symbolon verify`, and back. What each does is in the files beside; this says it in words.
 */
import type { Command } from 'commander';
import { partsOf } from '../../backup/backup-parts.ts';
import { makerAddress, makerFacts, makerWords, signerAs } from '../../backup/maker.ts';
import type { BackupManifest } from '../../backup/manifest.ts';
import { askAtTerminal, readPassphrase } from '../../backup/passphrase.ts';
import { readKeyFile } from '../../profile/key-file.ts';
import { jsonOption, madeByOption } from '../../profile/options.ts';
import { askYesAtTerminal } from '../../terminal/ask-yes.ts';
import { fieldLines } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';

export function addBackupCommand(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('backup')
    .description('copy a node, a service or the demo into a folder, also while they run')
    .requiredOption('--data <folder>', 'the folder of the node, the service or the demo')
    .requiredOption('--out <folder>', 'where the backup goes; must be new or empty')
    .option(
      '--with-master-key',
      'also take the master key and every other secret, sealed under a passphrase (SYMBOLON_BACKUP_PASSPHRASE)',
    )
    .option('--key <file>', "a key file to sign it with, instead of the validator's or the service's key")
    .addOption(jsonOption())
    .action((words: BackupWords) => backUp(words, { terminal, version: program.version() ?? 'unknown' }));
}

export function addRestoreCommand(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('restore')
    .description('make a folder from a backup, as it was')
    .requiredOption('--from <folder>', 'the backup')
    .requiredOption('--data <folder>', 'where it shall live; must be new or empty')
    .addOption(madeByOption())
    .option('--any-maker', 'whoever has signed it: it was never out of your hands')
    .option('--unsigned', 'it is of an older program, and nobody has signed it')
    .option('--yes', 'yes, with every module, address and setting that is in it')
    .addOption(jsonOption())
    .action((words: RestoreWords) => restore(words, terminal));
}

interface BackupWords {
  readonly data: string;
  readonly out: string;
  readonly withMasterKey?: boolean;
  readonly key?: string;
  readonly json?: boolean;
}

async function backUp(
  { data, out, withMasterKey, key, json }: BackupWords,
  { terminal, version }: { terminal: Terminal; version: string },
): Promise<void> {
  const { makeBackup } = await import('../../backup/back-up.ts');
  const passphrase = () => readPassphrase({ env: process.env, ask: askAtTerminal(), isNew: true });
  const manifest = await makeBackup({
    data,
    out,
    version,
    terminal,
    env: process.env,
    ...(withMasterKey && { passphrase }),
    ...(key !== undefined && {
      signer: async () => signerAs('operator', await readKeyFile(key)),
    }),
  });
  // What this program has just signed, it knows.
  if (json) return printJson(terminal, { backup: out, ...summaryOf(manifest, true) });
  terminal.print([`The backup is in ${out}.`, ...describeBackup(terminal, manifest, true)]);
  const { isIncluded, names, elsewhere } = manifest.secrets;
  const missing = [...(isIncluded ? [] : names), ...elsewhere];
  if (missing.length > 0)
    terminal.print([
      '',
      'NOT in it, and needed to start what is restored:',
      ...missing.map((name) => `  ${name}`),
      isIncluded ? 'Keep it safe and apart.' : 'Keep them safe and apart, or use --with-master-key.',
    ]);
  const { maker } = manifest;
  const expecting = maker === undefined ? '' : ` --made-by ${makerAddress(maker)}`;
  terminal.print(['', 'Check it with:', `  symbolon verify ${shellWord(out)}${expecting}`]);
}

interface RestoreWords {
  readonly from: string;
  readonly data: string;
  readonly madeBy?: string;
  readonly anyMaker?: boolean;
  readonly unsigned?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

async function restore(words: RestoreWords, terminal: Terminal): Promise<void> {
  const { from, data, json, madeBy, anyMaker, unsigned: isUnsigned, yes: isConfirmed } = words;
  const { restoreBackup } = await import('../../backup/restore-backup.ts');
  const { isNamedByChain } = await import('../../backup/verify-backup.ts');
  const passphrase = () => readPassphrase({ env: process.env, ask: askAtTerminal(), isNew: false });
  const consent = { madeBy, anyMaker, isUnsigned, isConfirmed, ask: askYesAtTerminal() };
  const manifest = await restoreBackup({ from, data, passphrase, terminal, env: process.env, ...consent });
  const isNamed = await isNamedByChain(manifest.maker, partsOf(data, manifest.kind).ledger);
  if (json) return printJson(terminal, { data, ...summaryOf(manifest, isNamed) });
  terminal.print([
    `${data} is as it was at ${manifest.createdAt}.`,
    ...describeBackup(terminal, manifest, isNamed),
  ]);
  const steps = stepsBeforeStart(manifest, data);
  if (steps.length > 0) terminal.print(['', 'Before the first start:', ...steps.map((step) => `  ${step}`)]);
  terminal.print(['', `Start it with: ${startOf(manifest, data)}`]);
}

const startOf = ({ kind }: BackupManifest, data: string): string =>
  ({ demo: 'symbolon dev', node: 'symbolon node start', service: 'symbolon service start' })[kind] +
  ` --data ${shellWord(data)}`;

/** What a restored folder lacks when the backup had no secrets. */
function stepsBeforeStart({ secrets, service, kind }: BackupManifest, data: string): string[] {
  const steps = secrets.elsewhere.map((what) => `See to ${what}.`);
  if (secrets.isIncluded) return steps;
  const place = (name: string) => (kind === 'demo' ? `${data}/${name}` : `${data}/${name.split('/').at(-1)}`);
  const advice: Record<string, string> = {
    'ledger/validator.key': `Put the validator's key into ${place('ledger/validator.key')}: it signs blocks.`,
    'service/master.key': `Put the master key (${service?.masterKeys.join(', ')}) into ${place('service/master.key')}, readable by its owner alone.`,
    'ledger/genesis-account.key': 'The key of the genesis account is not there; the node runs without it.',
    'demo.json': 'Nothing for demo.json: the next start makes it, with new API keys.',
  };
  return [
    ...steps,
    ...secrets.names.map(
      (name) => advice[name] ?? `Set the ${name} again, in service.json or the environment.`,
    ),
  ];
}

/** What a backup holds, for people. */
function describeBackup(
  terminal: Terminal,
  manifest: BackupManifest,
  isConfirmed: boolean,
): readonly string[] {
  const { createdAt, kind, maker, ledger, service, secrets, files } = manifest;
  const rows = service && Object.values(service.rows).reduce((sum, count) => sum + count, 0);
  return fieldLines(terminal, {
    made: createdAt,
    'made by': makerWords(maker, isConfirmed),
    holds: { demo: 'the demo: ledger and service', node: 'a ledger node', service: 'a service' }[kind],
    block: ledger && `${ledger.height}  ${ledger.blockHash}`,
    'state root': ledger?.stateRoot,
    chain: ledger && `${ledger.chainId}, ${ledger.transactions} transactions, ${ledger.accounts} accounts`,
    database: service && `${service.database}, ${rows} rows`,
    'audit log':
      service &&
      `entry ${service.audit.sequence}, ${service.rows.auditInbox ?? 0} waiting  ${service.audit.hash}`,
    'master key': service && (service.masterKeys.join(', ') || undefined),
    secrets: secrets.isIncluded ? 'sealed under the passphrase' : 'not in it',
    files: `${files.length}, ${files.reduce((sum, { bytes }) => sum + bytes, 0)} bytes`,
  });
}

/** The manifest without its list of files, as JSON. */
function summaryOf({ files, ledger, service, maker, ...manifest }: BackupManifest, isConfirmed: boolean) {
  return {
    ...manifest,
    madeBy: makerFacts(maker, isConfirmed),
    ...(ledger && { ledger: { ...ledger } }),
    ...(service && { service: { ...service } }),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
