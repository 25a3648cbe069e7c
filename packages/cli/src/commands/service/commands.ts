/**
 * `symbolon service init|start|status` and `symbolon service key create|list|revoke`: a credential service from its
 * folder to its API keys (`reconcile` has a file of its own). Keys are looked after in the service's own database, so
 * these commands run where it is; a running service notices within seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { given } from '@symbolon/core/basics/plain-values';
import type { ApiKeyFacts } from '@symbolon/credential-service/access/api-keys';
import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import type { Records } from '@symbolon/credential-service/wiring/open-records';
import { assertServiceSettings, initServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { type ApiScope, apiScopes } from '@symbolon/wire/http/service-route';
import { type Command, Option } from 'commander';
import type { IssuerWords, ToldIssuer } from '../../issuer/issuer-words.ts';
import { type PartyWords, serviceAddress } from '../../profile/connection.ts';
import {
  httpUrl,
  jsonOption,
  portNumber,
  profileOption,
  serviceOption,
  time,
  urlOption,
} from '../../profile/options.ts';
import { askReadiness } from '../../servers/readiness.ts';
import { logOption } from '../../servers/server-log.ts';
import { CommandFailure, exitCodes, usageFailure } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { printTable } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, processTerminal } from '../../terminal/terminal.ts';
import { profileName } from '../profile/commands.ts';
import { addReconcileCommand } from './reconcile.ts';
import { withRecords } from './records.ts';

const { print, remark } = processTerminal;

const data = () => new Option('--data <folder>', "the service's folder").makeOptionMandatory();

export function addServiceCommands(program: Command): void {
  const service = program.command('service').description('run and look after a credential service');

  service
    .command('init')
    .description('make the folder of a new service: settings, master key, database')
    .requiredOption('--data <folder>', 'where the service lives; must be empty')
    .option('--node <url>', 'the ledger node that it records to', httpUrl)
    .option('--with-issuer <name>', 'make an issuer on it too; its node must be running', profileName)
    .option('--fund-from <file>', 'whose key pays for what begins here: the registrar, and the issuer')
    .addOption(jsonOption())
    .action(initService);

  service
    .command('start')
    .description('run the service of a folder until it is told to stop')
    .addOption(data())
    .option('--port <number>', 'port of the interface', portNumber)
    .option('--node <url>', 'the ledger node that it records to', httpUrl)
    .option('--begin-again', 'the database of the folder is gone: begin an empty one')
    .addOption(logOption())
    .action(runService);

  service
    .command('status')
    .description('ask a running service whether it can work')
    .addOption(profileOption())
    .addOption(serviceOption())
    .addOption(urlOption())
    .addOption(jsonOption())
    .action(showStatus);

  addReconcileCommand(service);

  const key = service.command('key').description('make, list and revoke API keys');

  key
    .command('create')
    .description('make an API key; it is printed once and never again')
    .addOption(data())
    .addOption(
      new Option('--scope <names...>', 'what the key is good for').choices(apiScopes).makeOptionMandatory(),
    )
    .option('--did <did>', 'whom its bearer acts for')
    .option('--label <text>', 'a name for people', 'made by the command line')
    .option('--expires <time>', 'when the key ends', time)
    .addOption(jsonOption())
    .action(createKey);

  key
    .command('list')
    .description('list API keys, without their secrets')
    .addOption(data())
    .addOption(jsonOption())
    .action(listKeys);

  key
    .command('revoke')
    .description('end an API key, for good')
    .argument('<id>', 'the eight characters after "sym_"')
    .addOption(data())
    .addOption(jsonOption())
    .action(revokeKey);
}

interface FolderWords {
  readonly data: string;
  readonly json?: boolean;
}

interface InitWords extends FolderWords {
  readonly node?: string;
  readonly withIssuer?: string;
  readonly fundFrom?: string;
}

async function initService({ data, node, withIssuer: name, fundFrom, json }: InitWords): Promise<void> {
  const settings = node === undefined ? {} : { nodeUrl: node };
  // Before anything is written: what is left of a refused start would be in the way of the next.
  const { nodeUrl } = assertServiceSettings(settings, { env: process.env });
  if (name !== undefined || fundFrom !== undefined) await askReadiness(new URL('/readyz', nodeUrl), 'node');
  ifInterrupted([
    `Interrupted. The folder ${data} may have been begun, and holds nothing of value yet.`,
    'Delete it, and give the same command again.',
  ]);
  await initServiceFolder(data, settings);
  if (!json) print(`A new service is in ${data}.`);
  const { registrar, issuer } = await withRecords(
    data,
    async (records, config) => {
      const registrar = records.registrarSigner.address;
      if (name === undefined && fundFrom !== undefined)
        await fundRegistrar(registrar, { ledgerUrl: config.nodeUrl, fundFrom, json });
      const issuer =
        name === undefined ? undefined : await makeIssuer({ name, data, fundFrom, json }, records, config);
      return { registrar, issuer };
    },
    { isNew: true },
  );
  if (json) return print(JSON.stringify({ data, registrar, ...given({ issuer }) }));
  if (fundFrom === undefined)
    print([
      `  registrar  ${registrar}`,
      'It pays for what the service records. Fund this address on the ledger before the first start.',
    ]);
  print('Keep master.key safe and apart from backups of the database: without it nothing can be read.');
  print(`Start it with: symbolon service start --data ${shellWord(data)}`);
}

async function makeIssuer(words: IssuerWords, records: Records, config: ServiceConfig): Promise<ToldIssuer> {
  const { tellSetUp, placesOfFolder } = await import('../../issuer/issuer-words.ts');
  return tellSetUp(words, placesOfFolder(records, config), processTerminal);
}

interface RegistrarFunds {
  readonly ledgerUrl: string;
  readonly fundFrom: string;
  readonly json: boolean | undefined;
}

/** A folder that is made stays, whatever becomes of the payment; then it is made by hand. */
async function fundRegistrar(address: string, { ledgerUrl, fundFrom, json }: RegistrarFunds): Promise<void> {
  const [{ fundAccounts }, { createLedgerClient }, { httpTransport }] = await Promise.all([
    import('../../issuer/funding.ts'),
    import('@symbolon/sdk/ledger/ledger-client'),
    import('@symbolon/sdk/transport/transport'),
  ]);
  const tell = (what: string, outcome: string): void => {
    if (!json) print(`  ${what}  ${outcome}`);
  };
  const again = `symbolon tx pay ${address} 1000gas --ledger ${shellWord(ledgerUrl)} --key ${shellWord(fundFrom)}`;
  const order = { ledgerUrl, ledger: createLedgerClient(httpTransport(ledgerUrl)), fundFrom, again, tell };
  await fundAccounts(order, [{ what: 'registrar', address }]).catch((error: unknown) => {
    remark(`The service is made, but its registrar has nothing yet. Pay it: ${again}`);
    throw error;
  });
}

interface StartWords {
  readonly data: string;
  readonly port?: number;
  readonly node?: string;
  readonly beginAgain?: boolean;
  readonly log?: string;
}

async function runService({ data, port, node, beginAgain, log }: StartWords) {
  const stopped = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve());
  ifInterrupted(`The service stops. What it has recorded stays in ${data}.`);
  // Loaded by whom it serves: every other command starts sooner without it.
  const { startService } = await import('../../servers/start-service.ts');
  const served = await startService(data, { port, nodeUrl: node, beginAgain, logFile: log });
  const problem = await served.notReady();
  print([`Credential service  ${served.url}`, `Registrar           ${served.registrarAddress}`]);
  if (problem !== undefined) print([`NOT READY: ${problem}`, 'The service tries again until it is.']);
  const ended = new AbortController();
  const told = tellReady(served.notReady, ended.signal);
  await stopped.promise;
  ended.abort();
  await told;
  await served.close();
}

const readyPollMs = 500;

/** Says once that the service can work; until then it is asked again and again. */
async function tellReady(notReady: () => Promise<string | undefined>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Whatever keeps it from saying so is no reason to end a service that runs.
    const problem = await notReady().catch(() => 'it cannot say');
    if (problem === undefined) return print('The service is ready. Ctrl-C stops it.');
    await sleep(readyPollMs, undefined, { signal }).catch(() => undefined);
  }
}

async function showStatus({ json, url: typed, ...words }: PartyWords): Promise<void> {
  const url = typed ?? (await serviceAddress(words));
  const address = URL.parse('/readyz', url);
  if (!address) throw usageFailure(`${url} is not an address, like http://127.0.0.1:8080`);
  const { status, text } = await askReadiness(address, 'service');
  const isReady = status === 200;
  const warnings = isReady ? await askWarnings(address) : [];
  const facts = { ...(!isReady && { problem: text }), ...(warnings.length > 0 && { warnings }) };
  if (json) print(JSON.stringify({ ready: isReady, ...facts }));
  else if (isReady) print(['The service is ready.', ...warnings.map((one) => `Warning: ${printable(one)}`)]);
  if (isReady) return;
  if (status !== 503)
    throw new CommandFailure(
      `What answers at ${address.origin} is not a credential service.`,
      exitCodes.unreachable,
    );
  throw new CommandFailure(`The service is not ready: ${printable(text)}`);
}

/** What keeps nobody from calling, and is worth knowing. */
async function askWarnings(address: URL): Promise<readonly string[]> {
  const { text } = await askReadiness(new URL('?verbose', address), 'service');
  return text.split('\n').flatMap((line) => /^[^:]+: warning, (.+)$/.exec(line)?.slice(1, 2) ?? []);
}

interface KeyWords extends FolderWords {
  readonly scope: ApiScope[];
  readonly did?: string;
  readonly label: string;
  readonly expires?: number;
}

async function createKey({ data, scope: scopes, did, label, expires, json }: KeyWords): Promise<void> {
  const { token, facts } = await withRecords(data, async ({ apiKeys, audit }) => {
    const made = await apiKeys.create({ label, scopes, ...given({ did, expiresAt: expires }) });
    await audit.record({ action: 'apiKey.create', subject: made.facts.id, outcome: 'done' });
    return made;
  });
  if (json) return print(JSON.stringify({ key: token, ...rendered(facts) }));
  print(token);
  remark('This is the only time that the key is shown.');
}

async function listKeys({ data, json }: FolderWords): Promise<void> {
  const keys = await withRecords(data, ({ apiKeys }) => everyKey(apiKeys));
  if (json) return print(JSON.stringify(keys.map(rendered)));
  printTable(
    processTerminal,
    keys.map(({ id, label, scopes, did = '-', revokedAt }) => [
      id,
      revokedAt === undefined ? 'in force' : 'revoked',
      label,
      did,
      scopes.join(','),
    ]),
  );
}

async function everyKey(apiKeys: Records['apiKeys']): Promise<ApiKeyFacts[]> {
  const keys: ApiKeyFacts[] = [];
  let cursor: string | undefined;
  do {
    const page = await apiKeys.list(given({ cursor }));
    keys.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return keys;
}

async function revokeKey(id: string, { data, json }: FolderWords): Promise<void> {
  const isRevoked = await withRecords(data, async ({ apiKeys, audit }) => {
    const done = await apiKeys.revoke(id);
    if (done) await audit.record({ action: 'apiKey.revoke', subject: id, outcome: 'done' });
    return done;
  });
  if (!isRevoked) throw usageFailure('There is no such key in force.');
  print(json ? JSON.stringify({ id, revoked: true }) : 'The key is revoked.');
}

const timeText = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();

const rendered = ({ id, label, scopes, did, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKeyFacts) =>
  given({
    id,
    label,
    scopes,
    did,
    created: timeText(createdAt),
    expires: timeText(expiresAt),
    revoked: timeText(revokedAt),
    lastUsed: timeText(lastUsedAt),
  });
