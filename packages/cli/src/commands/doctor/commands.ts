/** `symbolon doctor`: looks at all that a node and a service need, one line each, and says what to do. */
import type { Command } from 'commander';
import { startName } from '../../machine/own-name.ts';
import { connect, type PartyWords } from '../../profile/connection.ts';
import { jsonOption, ledgerOption, profileOption, serviceOption } from '../../profile/options.ts';
import { findFolders } from '../../servers/config-folders.ts';
import { exitCodes } from '../../terminal/failure.ts';
import { printJson, processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { type Finding, findingLines, findingToJson, notice, wrong } from './finding.ts';
import * as folders from './folders.ts';
import * as machine from './machine.ts';
import * as network from './network.ts';

interface DoctorWords extends PartyWords {
  readonly data: string;
}

export function addDoctorCommand(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('doctor')
    .description('look at machine, folders, node and service, and say what is wrong')
    .option('--data <folder>', 'folder of a node, of a service, or of the demo', '.symbolon/dev')
    .addOption(profileOption())
    .addOption(ledgerOption())
    .addOption(serviceOption())
    .addOption(jsonOption())
    .action((words: DoctorWords) => examine(words, terminal));
}

async function examine(words: DoctorWords, terminal: Terminal): Promise<void> {
  const findings: Finding[] = [];
  const tell = (finding: Finding): void => {
    findings.push(finding);
    if (!words.json) terminal.print(findingLines(finding, terminal));
  };
  for await (const finding of allFindings(words, terminal)) tell(finding);
  const count = findings.filter(({ verdict }) => verdict === 'wrong').length;
  if (words.json) printJson(terminal, { healthy: count === 0, checks: findings.map(findingToJson) });
  else if (count === 0) terminal.remark('Nothing is wrong.');
  else terminal.remark(count === 1 ? 'One thing is wrong.' : `${count} things are wrong.`);
  if (count > 0) process.exitCode = exitCodes.failed;
}

async function* allFindings(words: DoctorWords, terminal: Terminal): AsyncGenerator<Finding> {
  const place = await machine.nearestFolder(words.data);
  yield machine.checkHost();
  yield machine.checkDiskSync(place);
  yield machine.checkFreeDisk(place);
  const settings = yield* folderFindings(words.data);
  yield* networkFindings(words, settings, terminal);
}

interface WantedPort {
  readonly peer: network.Peer;
  readonly port: number;
  /** The port that the same peer is asked at. */
  readonly askedAt: number;
  readonly option: string;
}

interface Settings {
  readonly ports: readonly WantedPort[];
  /** The node that the service's settings name. */
  readonly nodeUrl: string | undefined;
}

async function* folderFindings(data: string): AsyncGenerator<Finding, Settings> {
  const found = await findFolders(data);
  const ports: WantedPort[] = [];
  let nodeUrl: string | undefined;
  if (found.length === 0)
    yield notice('data', `${data} holds no node and no service`, `${startName} makes both, with demo data.`);
  for (const folder of found) {
    const settings = folders.checkSettings(folder);
    yield settings;
    // With wrong settings nothing else about the folder can be known.
    if (settings.verdict === 'wrong') continue;
    if (folder.kind === 'node') {
      const config = folders.nodeConfigOf(folder.folder);
      const { port, socketPort } = config;
      ports.push({ peer: 'node', port, askedAt: port, option: '--port <number>' });
      ports.push({ peer: 'node', port: socketPort, askedAt: port, option: '--socket-port <number>' });
      yield folders.checkChainStore(folder.folder);
      yield folders.checkChainKeys(folder.folder, config);
    } else {
      const config = await folders.serviceConfigOf(folder.folder);
      ports.push({ peer: 'service', port: config.port, askedAt: config.port, option: '--port <number>' });
      nodeUrl = config.nodeUrl;
      yield folders.checkDatabase(folder.folder, config);
      yield folders.checkMasterKey(folder.folder, config);
      if (config.custody.hsm) yield folders.checkHsm('custody module', config.custody.hsm);
    }
  }
  return { ports, nodeUrl };
}

async function* networkFindings(
  words: DoctorWords,
  { ports, nodeUrl }: Settings,
  terminal: Terminal,
): AsyncGenerator<Finding> {
  const { ledgerUrl, serviceUrl } = await connect(words, terminal);
  const urls = { node: ledgerUrl, service: serviceUrl };
  const node = await network.checkPeer('node', ledgerUrl);
  const service = await network.checkPeer('service', serviceUrl);
  const isThere = { node: node.isThere, service: service.isThere };
  for (const { peer, port, askedAt, option } of ports) {
    const isOurs = isThere[peer] && URL.parse(urls[peer])?.port === String(askedAt);
    yield machine.checkPort({ name: `the ${peer}`, port, isOurs, option });
  }
  yield node.finding;
  yield service.finding;
  if (!node.isThere) return;
  yield await network.checkClock(ledgerUrl).catch(noAnswer('clock'));
  if (!service.isThere) return;
  yield await network
    .checkSameChain({ ledgerUrl, serviceUrl, settingsUrl: nodeUrl })
    .catch(noAnswer('chain'));
}

/** The node answered a moment ago: whatever it did not answer now is worth a line, not a crash. */
const noAnswer =
  (name: string) =>
  (error: unknown): Finding =>
    wrong(name, (error as Error).message, 'Is what answers there a ledger node of this version?');
