/** `symbolon service start`: the service of a folder until it is told to stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServedService } from '@symbolon/credential-service/operation/serve-service';
import { loadServiceConfig, settingsPath } from '@symbolon/credential-service/wiring/service-folder';
import { payingWords } from '../../issuer/funding.ts';
import { addressOfService } from '../../issuer/issuer-desk.ts';
import { listProfiles } from '../../profile/places.ts';
import { readProfile } from '../../profile/profile.ts';
import { tellListening } from '../../servers/listening-file.ts';
import { startService } from '../../servers/start-service.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { processTerminal } from '../../terminal/terminal.ts';

const { print, remark } = processTerminal;

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
  const { served, config } = await startService(data, { port, nodeUrl: node, beginAgain, logFile: log });
  const silence = await tellListening(data, { url: served.url });
  const problem = await served.notReady();
  print([`Credential service  ${served.url}`, `Registrar           ${served.registrarAddress}`]);
  if (port !== undefined) remark(await otherPortLines(data, served));
  if (problem !== undefined)
    print([
      `NOT READY: ${problem}`,
      // Where the problem is that the registrar has nothing.
      ...(problem.includes(served.registrarAddress)
        ? ['Have it paid:', `  ${payingWords(served.registrarAddress, config.nodeUrl)}`]
        : []),
      'The service tries again until it is.',
    ]);
  const ended = new AbortController();
  const told = tellReady(served.notReady, ended.signal);
  await stopped.promise;
  ended.abort();
  await told;
  await silence();
  await served.close();
}

/** Profiles mean the port of the settings: who takes another one this time hears whose word is wrong then. */
async function otherPortLines(data: string, { url, apiKeys }: ServedService): Promise<readonly string[]> {
  const settings = await loadServiceConfig(data, { env: process.env });
  const { port } = new URL(url);
  if (settings.publicUrl !== undefined || String(settings.port) === port) return [];
  const meant = await profilesOf(addressOfService(settings), apiKeys);
  return [
    `This time the service listens on port ${port}; its settings say ${settings.port}${meant.length === 0 ? '' : `, and so do the profiles ${meant.join(', ')}`}.`,
    `To keep this port, write "port": ${port} into ${settingsPath(data)}${meant.length === 0 ? '.' : ', then for each profile:'}`,
    ...meant.map((name) => `  symbolon issuer init ${name} --data ${shellWord(data)}`),
  ];
}

/** The user's own profiles that mean this service at this address: those with an API key that it knows. */
async function profilesOf(address: string, apiKeys: ServedService['apiKeys']): Promise<readonly string[]> {
  const { origin } = new URL(address);
  const names: string[] = [];
  for (const { name, file } of (await listProfiles()).filter(({ owner }) => owner === 'user')) {
    const profile = await readProfile(file).catch(() => undefined);
    if (URL.parse(profile?.service ?? '')?.origin !== origin) continue;
    const known = profile?.people().map(({ person }) => apiKeys.authenticate(person.apiKey ?? '')) ?? [];
    if ((await Promise.all(known)).some((bearer) => bearer !== undefined)) names.push(name);
  }
  return names;
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
