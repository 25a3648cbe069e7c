/** The console before a real service with everything of the demo. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Owner } from './owner.ts';
import { type RunningService, type ServiceOrder, startService } from './running-service.ts';
import { type ServedConsole, serveConsole } from './served-console.ts';

const tokenSource = readFileSync(new URL('../../contracts/token.js', import.meta.url), 'utf8');

const consoleFolder = path.resolve(import.meta.dirname, '../../packages/console/dist');

export interface ConsoleWorld {
  readonly service: RunningService;
  readonly console: ServedConsole;
}

/** Builds the console, unless it is built. */
export async function ensureConsoleBuilt(): Promise<void> {
  const script = path.resolve(import.meta.dirname, '../../scripts/console/build.mjs');
  const { buildConsole } = (await import(pathToFileURL(script).href)) as {
    buildConsole: () => Promise<boolean>;
  };
  await buildConsole();
}

/** `order`: what is different about the service, such as that it is no demo. */
export async function startConsoleWorld(owner: Owner, order: ServiceOrder = {}): Promise<ConsoleWorld> {
  await ensureConsoleBuilt();
  const service = await startService(owner, { tokenSource, isDemo: true, consoleFolder, ...order });
  return { service, console: await serveConsole(owner, service.url) };
}
