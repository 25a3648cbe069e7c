/** What `symbolon doctor` looks at, in which order, and what it makes of it. */
import type { NodeConfig } from '@symbolon/ledger-node/node/node-config';
import { startName } from '../../machine/own-name.ts';
import { findFolders } from '../../servers/config-folders.ts';
import { readListening } from '../../servers/listening-file.ts';
import { exitCodes, unsuccessful } from '../../terminal/failure.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, type Terminal } from '../../terminal/terminal.ts';
import { type Finding, findingLines, findingToJson, notice, wrong } from './finding.ts';
import * as folders from './folders.ts';
import * as machine from './machine.ts';
import * as network from './network.ts';
import type { DoctorWords, ExaminedWorld, PeerUrls } from './world.ts';

export async function examine(world: ExaminedWorld, words: DoctorWords, terminal: Terminal): Promise<void> {
  const findings: Finding[] = [];
  const tell = (finding: Finding): void => {
    findings.push(finding);
    if (!words.json) terminal.print(findingLines(finding, terminal));
  };
  for await (const finding of allFindings(world)) tell(finding);
  const count = findings.filter(({ verdict }) => verdict === 'wrong').length;
  const message = count === 1 ? 'One thing is wrong.' : `${count} things are wrong.`;
  if (words.json) {
    const checks = findings.map(findingToJson);
    const problem = count > 0 && unsuccessful(message, exitCodes.failed, { code: 'unhealthy' });
    printJson(terminal, { healthy: count === 0, checks, ...problem });
  } else terminal.remark(count === 0 ? 'Nothing is wrong.' : message);
  if (count > 0) process.exitCode = exitCodes.failed;
}

async function* allFindings({ data, urls: told }: ExaminedWorld): AsyncGenerator<Finding> {
  const place = await machine.nearestFolder(data ?? '.');
  yield machine.checkHost();
  yield machine.checkDiskSync(place);
  yield machine.checkFreeDisk(place);
  const settings = data === undefined ? nothingFound : yield* folderFindings(data, told);
  const urls = { ...settings.urls, ...told };
  if (data === undefined && Object.keys(urls).length === 0)
    yield notice(
      'profile',
      'none is chosen, and no demo was started here',
      `${startName} starts one. Others are named with --profile, --data, --ledger or --service.`,
    );
  yield* networkFindings(urls, settings);
  const { idleNode } = settings;
  if (urls.node === undefined && idleNode !== undefined)
    yield notice(
      'node',
      `that of ${idleNode} does not run`,
      `Start it: symbolon node start --data ${shellWord(idleNode)}`,
    );
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
  /** Where those of the folder listen, as their settings say. */
  readonly urls: PeerUrls;
  /** The node that the service's settings name. */
  readonly nodeUrl: string | undefined;
  /** The folder of a node that does not run. */
  readonly idleNode: string | undefined;
}

const nothingFound: Settings = { ports: [], urls: {}, nodeUrl: undefined, idleNode: undefined };

async function* folderFindings(data: string, told: PeerUrls): AsyncGenerator<Finding, Settings> {
  const found = await findFolders(data);
  const ports: WantedPort[] = [];
  const urls: Partial<Record<network.Peer, string>> = {};
  let nodeUrl: string | undefined;
  let idleNode: string | undefined;
  if (found.length === 0)
    yield notice('data', `${data} holds no node and no service`, `${startName} makes both, with demo data.`);
  for (const folder of found) {
    const settings = folders.checkSettings(folder);
    yield settings;
    // With wrong settings nothing else about the folder can be known.
    if (settings.verdict === 'wrong') continue;
    if (folder.kind === 'node') {
      const config = folders.nodeConfigOf(folder.folder);
      const { port, socketPort } = await nodePorts(folder.folder, config, told.node);
      ports.push({ peer: 'node', port, askedAt: port, option: '--port <number>' });
      if (socketPort !== undefined)
        ports.push({ peer: 'node', port: socketPort, askedAt: port, option: '--socket-port <number>' });
      const store = await folders.checkChainStore(folder.folder);
      yield store;
      // Whoever answers at the port of a node that does not run is another one.
      if (store.detail === folders.storeInUse) urls.node = `http://127.0.0.1:${port}`;
      else idleNode = folder.folder;
      yield folders.checkChainKeys(folder.folder, config);
    } else {
      const config = await folders.serviceConfigOf(folder.folder);
      const running = await readListening(folder.folder);
      const port = portOf(running?.url ?? told.service) ?? config.port;
      ports.push({ peer: 'service', port, askedAt: port, option: '--port <number>' });
      urls.service = `http://127.0.0.1:${port}`;
      nodeUrl = config.nodeUrl;
      yield folders.checkProofEngine(config);
      yield folders.checkDatabase(folder.folder, config);
      yield folders.checkMasterKey(folder.folder, config);
      if (config.custody.hsm) yield folders.checkHsm('custody module', config.custody.hsm);
    }
  }
  return { ports, urls, nodeUrl, idleNode };
}

/** Where the node of a folder listens: where it says that it does, else where the demo has put it, else as it is set. */
async function nodePorts(
  folder: string,
  settings: Pick<NodeConfig, 'port' | 'socketPort'>,
  told: string | undefined,
): Promise<{ readonly port: number; readonly socketPort: number | undefined }> {
  const running = await readListening(folder);
  const port = portOf(running?.url ?? told) ?? settings.port;
  const isAsSet = running === undefined && port === settings.port;
  return { port, socketPort: isAsSet ? settings.socketPort : portOf(running?.socketUrl) };
}

const portOf = (url: string | undefined): number | undefined =>
  Number(URL.parse(url ?? '')?.port) || undefined;

async function* networkFindings(urls: PeerUrls, { ports, nodeUrl }: Settings): AsyncGenerator<Finding> {
  const { node: ledgerUrl, service: serviceUrl } = urls;
  const node = ledgerUrl === undefined ? undefined : await network.checkPeer('node', ledgerUrl);
  const service = serviceUrl === undefined ? undefined : await network.checkPeer('service', serviceUrl);
  const isThere = { node: node?.isThere === true, service: service?.isThere === true };
  for (const { peer, port, askedAt, option } of ports) {
    const isOurs = isThere[peer] && URL.parse(urls[peer] ?? '')?.port === String(askedAt);
    yield machine.checkPort({ name: `the ${peer}`, port, isOurs, option });
  }
  if (node) yield node.finding;
  if (service) yield service.finding;
  if (ledgerUrl === undefined || !isThere.node) return;
  yield await network.checkClock(ledgerUrl).catch(noAnswer('clock'));
  if (serviceUrl === undefined || !isThere.service) return;
  yield await network
    .checkSameChain({ ledgerUrl, serviceUrl, settingsUrl: nodeUrl })
    .catch(noAnswer('chain'));
}

/** The node answered a moment ago: whatever it did not answer now is worth a line, not a crash. */
const noAnswer =
  (name: string) =>
  (error: unknown): Finding =>
    wrong(name, (error as Error).message, 'Is what answers there a ledger node of this version?');
