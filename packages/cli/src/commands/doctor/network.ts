/** Node and service as `symbolon doctor` meets them over the network: there, ready, in time, and on the same chain. */
import { codes } from '@symbolon/core/ledger/terms/codes';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { clientLimits } from '@symbolon/sdk/limits/client-limits';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import { startName } from '../../machine/own-name.ts';
import { hangingAdvice, hangingWords, isHanging } from '../../servers/readiness.ts';
import { parseJsonObject } from '../../terminal/json-file.ts';
import { type Finding, fine, wrong } from './finding.ts';

const patienceMs = 5_000;
const answerBytesMax = 65_536;

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask(url: string, pathname: string): Promise<Answer | undefined> {
  const answer = await askPatiently(url, pathname, patienceMs);
  return answer === 'hangs' ? undefined : answer;
}

async function askPatiently(
  url: string,
  pathname: string,
  waitMs: number,
): Promise<Answer | 'hangs' | undefined> {
  const address = URL.parse(pathname, url);
  if (!address) return undefined;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(waitMs), redirect: 'manual' });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > answerBytesMax) break;
    }
    return { status: response.status, text };
  } catch (error) {
    return (await isHanging(error, address)) ? 'hangs' : undefined;
  }
}

export type Peer = 'node' | 'service';

const startAdvice: Readonly<Record<Peer, string>> = {
  node: `Start it: ${startName}, or symbolon node start --data <folder>. If it runs elsewhere: --ledger <address>.`,
  service: `Start it: ${startName}, or symbolon service start --data <folder>. If it runs elsewhere: --service <address>.`,
};

export interface PeerFinding {
  readonly finding: Finding;
  readonly isThere: boolean;
}

export async function checkPeer(peer: Peer, url: string, waitMs: number = patienceMs): Promise<PeerFinding> {
  const answer = await askPatiently(url, '/readyz', waitMs);
  if (answer === 'hangs') return { isThere: false, finding: wrong(peer, hangingWords(url), hangingAdvice) };
  if (!answer) return { isThere: false, finding: wrong(peer, `nobody answers at ${url}`, startAdvice[peer]) };
  const isPeer = answer.status === 503 || (answer.status === 200 && (await isKind(peer, url)));
  if (!isPeer) {
    const detail = `what answers at ${url} is not a ${peer === 'node' ? 'ledger node' : 'credential service'}`;
    return { isThere: false, finding: wrong(peer, detail, startAdvice[peer]) };
  }
  if (answer.status === 200) return { isThere: true, finding: fine(peer, `ready at ${url}`) };
  if (peer === 'node' && isBusy(answer.text)) {
    const detail = `what answers at ${url} has as many connections as it takes`;
    return { isThere: false, finding: wrong(peer, detail, 'Try again in a moment, or see who holds them.') };
  }
  const reason = answer.text.split('\n')[0].slice(0, 300);
  return { isThere: true, finding: wrong(peer, `not ready: ${reason}`, adviceFor(reason)) };
}

const estrangedWords = /was rolled back|has lost its chain|answers for another chain/;
const ledgerAdvice =
  'Put the right ledger back; if it is gone for good: symbolon service reconcile --data <folder> tells what is lost.';

/** By what the peer says of itself, which names what is to be done where somebody has to. */
function adviceFor(reason: string): string {
  if (estrangedWords.test(reason)) return ledgerAdvice;
  if (/restart the service/.test(reason)) return 'Restart it: it does not go on by itself.';
  if (/restore a backup/.test(reason))
    return 'Stop it, and restore a backup: symbolon restore --from <backup> --data <new folder>';
  return 'It says what it waits for; it goes on by itself when that is there.';
}

/** Whether the node's code for too much to do stands where readiness would. */
function isBusy(text: string): boolean {
  return Number(parseJsonObject(text)?.error_code) === codes.queueFull;
}

async function isKind(peer: Peer, url: string): Promise<boolean> {
  const answer = await ask(url, peer === 'node' ? '/hello' : '/');
  const document = (answer && parseJsonObject(answer.text)) ?? {};
  // A node lists its interface, too, and its greeting beside it.
  return peer === 'node' ? 'ledger_version' in document : 'openapi' in document && !('hello' in document);
}

const clockSlackMs = 5_000;

/** A machine that lives in the past sees blocks of the future; the node's own clock tells the difference. */
export async function checkClock(url: string, nowMs: () => number = Date.now): Promise<Finding> {
  const client = clientOf(url);
  const [{ result }, hello] = await Promise.all([client.getLedger({}), client.hello()]);
  const blockMs = Number(BigInt(result?.header.close_time ?? 0) / 1_000n);
  const nodeMs = Date.parse(`${String(hello.current_time).slice(0, 23).replace(' ', 'T')}Z`);
  const aheadMs = Math.max(blockMs - nowMs(), Number.isNaN(nodeMs) ? 0 : Math.abs(nodeMs - nowMs()));
  const detail = `within ${Math.max(0, Math.ceil(aheadMs / 1_000))} s of the node`;
  if (aheadMs <= clockSlackMs) return fine('clock', detail);
  return wrong(
    'clock',
    `${Math.round(aheadMs / 1_000)} s away from the node's`,
    'Set the clock, best by NTP: credentials and keys are valid by time.',
  );
}

const clientOf = (url: string): LedgerClient =>
  createLedgerClient(httpTransport(url, { timeoutMs: Math.min(patienceMs, clientLimits.timeoutMs) }));

export interface ChainOrder {
  readonly ledgerUrl: string;
  readonly serviceUrl: string;
  /** The node that the service's own settings name. */
  readonly settingsUrl: string | undefined;
}

/** Two nodes are of the same chain when their first block is the same. */
export async function checkSameChain({ ledgerUrl, serviceUrl, settingsUrl }: ChainOrder): Promise<Finding> {
  const usedUrl = (await ledgerOfService(serviceUrl)) ?? settingsUrl;
  const ours = await firstBlock(ledgerUrl);
  if (usedUrl === undefined)
    return fine('chain', `${ours.name}; which node the service uses is not known here`);
  const theirs = await firstBlock(usedUrl).catch(() => undefined);
  if (!theirs)
    return wrong('chain', `the service records to ${usedUrl}, where no node answers`, startAdvice.node);
  const ready = await ask(serviceUrl, '/readyz');
  if (ready?.status === 503 && estrangedWords.test(ready.text))
    return wrong('chain', `${ours.name}, which is not as the service has recorded to it`, ledgerAdvice);
  if (theirs.hash === ours.hash) return fine('chain', `${ours.name}, the same for node and service`);
  return wrong(
    'chain',
    `the service records to another chain (${usedUrl}) than the one at ${ledgerUrl}`,
    'Name the same node: nodeUrl in service.json, or --ledger <address> here.',
  );
}

/** The demo's service says where its node is. */
async function ledgerOfService(serviceUrl: string): Promise<string | undefined> {
  const answer = await ask(serviceUrl, '/');
  const url = answer && parseJsonObject(answer.text)?.ledger;
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}

async function firstBlock(url: string): Promise<{ hash: string; name: string }> {
  const { result } = await clientOf(url).getLedger({ seq: 1 });
  const hash = String(result?.header.hash ?? '');
  return { hash, name: `chain ${result?.header.chain_id ?? 0}, first block ${hash.slice(0, 8)}` };
}
