/** What `symbolon tail` does: joins ledger and service, in the order in which their events arrive. */
import { SdkError } from '@symbolon/sdk/errors/errors';
import { isPassing } from '@symbolon/sdk/errors/passing';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { LedgerEvent } from '@symbolon/sdk/ledger/ledger-event-frames';
import { watchLedger } from '@symbolon/sdk/ledger/ledger-events';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import type { ServiceEvent } from '@symbolon/wire/events/service-events';
import { withAdvice } from '../../credentials/party-commands.ts';
import { tailLimits } from '../../limits/command-limits.ts';
import { type AccountNames, readAccountNames } from '../../profile/account-names.ts';
import { connect } from '../../profile/connection.ts';
import { readProfile } from '../../profile/profile.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { type Lines, printable, printJson, type Terminal, toned } from '../../terminal/terminal.ts';
import type { TailWords } from './commands.ts';
import { type FollowedSource, followAll } from './following.ts';
import { eventLines, eventToJson } from './ledger-lines.ts';
import { serviceText, templateNames } from './service-lines.ts';

/** What the sources of one command share. */
interface Tailing {
  readonly words: TailWords;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Prints one line, as text or as an object. */
  readonly show: (json: object, text: () => Lines) => void;
  /** Says how a source is, beside what it tells. */
  readonly notice: (source: 'ledger' | 'service', event: 'away' | 'back', text: string) => void;
  /** Says once what is watched. */
  readonly begin: (address: string) => void;
}

export async function tail(words: TailWords, terminal: Terminal): Promise<void> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  // A reader that has seen enough (`| head`) closes the pipe.
  process.stdout.once('error', stop);
  ifInterrupted('Ended. What happened stays on the ledger: symbolon account history ACCOUNT');
  let shown = 0;
  const show: Tailing['show'] = (json, text) => {
    if (stopped.signal.aborted) return;
    if (words.json) printJson(terminal, json);
    else terminal.print(text());
    shown += 1;
    if (shown === words.count) stop();
  };
  const isAway = { ledger: false, service: false };
  const notice: Tailing['notice'] = (source, event, text) => {
    // The same service may be watched for several people.
    if (isAway[source] === (event === 'away')) return;
    isAway[source] = event === 'away';
    if (words.json) printJson(terminal, { event, source });
    else terminal.remark(toned(terminal, 'bad', text));
  };
  const begun = new Set<string>();
  const begin = (address: string): void => {
    if (!begun.has(address)) terminal.remark(`Watching ${address}. Ctrl-C ends.`);
    begun.add(address);
  };
  try {
    const tailing = { words, terminal, signal: stopped.signal, show, notice, begin };
    await withAdvice(async () => followAll(await sourcesOf(tailing), stopped.signal));
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    // One of them may have failed: the others have nobody to tell.
    stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    process.stdout.off('error', stop);
  }
}

async function sourcesOf(tailing: Tailing): Promise<readonly FollowedSource[]> {
  const { words, terminal } = tailing;
  if (words.only === 'service' && (words.account || words.socket !== undefined))
    throw usageFailure(
      'Nothing is watched.\n--account and --socket are about the ledger, which --only service leaves out.\nLeave out one of them.',
    );
  const hasLedger = words.only !== 'service';
  const listeners = words.only === 'ledger' ? [] : await listenersOf(words, terminal);
  const isWanted = words.only === 'service' || (words.as !== undefined && words.only !== 'ledger');
  if (listeners.length === 0 && isWanted)
    throw usageFailure(
      "Nobody is there to hear the service's events.\nThey are told to who has an API key, and the profile has none here.\nName somebody who has one with --as, or give the key as SYMBOLON_API_KEY.",
    );
  const crowd: Crowd = { told: new Set(), hearing: listeners.length, isWanted };
  return [
    ...(hasLedger ? [ledgerSource(tailing, await readAccountNames(words.profile))] : []),
    ...listeners.map((listener) => serviceSource(tailing, listener, crowd)),
  ];
}

interface Listener {
  readonly service: CredentialClient;
  readonly serviceUrl: string;
}

/** What the listeners of one service know of each other. */
interface Crowd {
  /** Ids of events: two people of one DID hear the same. */
  readonly told: Set<string>;
  /** How many have not been refused. */
  hearing: number;
  /** Whether the command has nothing to say without them. */
  readonly isWanted: boolean;
}

/** Clients with the API keys of whoever is meant, each key once. */
async function listenersOf(words: TailWords, terminal: Terminal): Promise<readonly Listener[]> {
  const { people } = await readProfile(words.profile);
  const named = people().filter(({ person }) => person.apiKey !== undefined);
  const names = words.as === undefined ? named.map(({ name }) => name) : [words.as];
  const found = new Map<string, Listener>();
  // Without people the environment may have a key.
  for (const as of names.length === 0 ? [undefined] : names.slice(0, tailLimits.peopleMax)) {
    const said = { ...words, ...(as !== undefined && { as }) };
    const { apiKey, service, serviceUrl } = await connect(said, terminal);
    // What keeps one key from being sent there keeps all.
    if (apiKey === undefined) break;
    found.set(apiKey, { service, serviceUrl });
  }
  return [...found.values()];
}

function ledgerSource(tailing: Tailing, names: AccountNames): FollowedSource {
  const { words, terminal, signal, show, notice, begin } = tailing;
  const addresses = words.account?.map(names.addressOf);
  const showEvent = (event: LedgerEvent): void => {
    // What the queue takes is told when it is executed.
    if (event.kind === 'submission' && event.isAccepted) return;
    show(eventToJson(event, names), () => eventLines(event, names, terminal));
  };
  return {
    async watch(isThere) {
      const socketUrl = words.socket ?? (await socketOfNode(words, terminal));
      begin(socketUrl);
      const options = { signal, ...(addresses && { addresses }) };
      for await (const event of watchLedger(socketUrl, options)) {
        isThere();
        showEvent(event);
      }
    },
    onAway: () => notice('ledger', 'away', 'The node is away. It is asked again every two seconds.'),
    onBack: () => {
      notice('ledger', 'back', 'The node is back.');
      showEvent({ kind: 'gap' });
    },
  };
}

/** The node says its port; the machine is the one that its HTTP interface is reached at. */
async function socketOfNode({ as: _, ...words }: TailWords, terminal: Terminal): Promise<string> {
  const { ledger, ledgerUrl } = await connect(words, terminal);
  const { websocket_address: port } = await ledger.hello();
  const url = new URL(ledgerUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.port = String(port);
  url.pathname = '/';
  return url.href;
}

function serviceSource(
  { words, terminal, signal, show, notice, begin }: Tailing,
  { service, serviceUrl }: Listener,
  crowd: Crowd,
): FollowedSource {
  const nameOf = templateNames(service);
  const isNew = ({ id }: ServiceEvent): boolean => {
    const { told } = crowd;
    if (told.has(id)) return false;
    if (told.size >= tailLimits.rememberedMax) told.delete(told.values().next().value as string);
    told.add(id);
    return true;
  };
  let last: string | undefined;
  return {
    async watch(isThere) {
      try {
        if (last === undefined) last = (await service.listEvents({ from: 'end' }, { signal })).lastId;
        // Whether it is back, it says itself; the stream alone would tell with its next event.
        else await service.listEvents({ after: last, limit: '1' }, { signal });
        begin(serviceUrl);
        isThere();
        for await (const event of service.watchEvents({ after: last }, { signal })) {
          last = event.id;
          if (!isNew(event)) continue;
          const name = words.json ? '' : await nameOf(event);
          show(event, () => serviceText(event, name, terminal));
        }
      } catch (error) {
        const isRefusal = error instanceof ServiceError || error instanceof SdkError;
        if (!isRefusal || isPassing(error)) throw error;
        crowd.hearing -= 1;
        // Some of the people may have keys that no event concerns.
        if (crowd.hearing > 0) return;
        if (crowd.isWanted) throw error;
        terminal.remark(`The service's events are not shown: ${printable(error.code)}.`);
      }
    },
    onAway: () => notice('service', 'away', 'The service is away. It is asked again every two seconds.'),
    onBack: () => notice('service', 'back', 'The service is back; what happened meanwhile follows.'),
  };
}
