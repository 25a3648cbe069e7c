/** Opens a page in the browser of whoever sits at this machine. Where nobody does, nothing happens: the address is printed. */
import { spawn } from 'node:child_process';

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'open',
  linux: 'xdg-open',
  win32: 'explorer',
};

export interface Seat {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}

/** The program that opens pages here, if there is a screen that somebody looks at. */
export function openerOf({ platform, env }: Seat): string | undefined {
  if (env.CI || env.SSH_CONNECTION) return undefined;
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  return openers[platform];
}

export function openBrowser(url: string, seat: Seat = process): void {
  const opener = openerOf(seat);
  if (opener === undefined) return;
  const opening = spawn(opener, [url], { stdio: 'ignore', detached: true, env: seat.env });
  // Where it cannot be started, the address that was printed is what there is.
  opening.on('error', () => undefined);
  opening.unref();
}
