/** `symbolon service start`: the service of a folder until it is told to stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../servers/start-service.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { processTerminal } from '../../terminal/terminal.ts';

const { print } = processTerminal;

interface StartWords {
  readonly data: string;
  readonly port?: number;
  readonly node?: string;
  readonly beginAgain?: boolean;
  readonly log?: string;
}

export async function runService({ data, port, node, beginAgain, log }: StartWords) {
  const stopped = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve());
  ifInterrupted(`The service stops. What it has recorded stays in ${data}.`);
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

