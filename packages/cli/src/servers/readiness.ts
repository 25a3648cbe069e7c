/**
 * What a node or a service says of its own readiness, and why nobody has answered at an address: nobody is there, or
 * somebody takes the connection and says nothing. The second one runs, so it is not to be started but looked at.
 */
import { connect } from 'node:net';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

const connectMs = 1_000;

/** What to do about one that runs and does not answer. */
export const hangingAdvice =
  'It runs, and hangs or has too much to do: look at its log and at the load of the machine, then stop it and start it again.';

export const hangingWords = (origin: string): string =>
  `what listens at ${origin} takes the connection, but does not answer`;

/** Whether it was waited for in vain where connections are taken. */
export async function isHanging(error: unknown, address: URL): Promise<boolean> {
  return error instanceof Error && error.name === 'TimeoutError' && takesConnections(address);
}

function takesConnections({ hostname, port, protocol }: URL): Promise<boolean> {
  const usual = protocol === 'https:' ? 443 : 80;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({ host, port: Number(port) || usual, timeout: connectMs });
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    for (const event of ['error', 'timeout'] as const) socket.once(event, () => resolve(false));
  }).finally(() => socket.destroy());
}

export interface AskedPeer {
  readonly what: 'node' | 'service';
  readonly address: URL;
}

/** The failure of a command that asked and got no answer. */
export async function unanswered(error: unknown, { what, address }: AskedPeer): Promise<CommandFailure> {
  const { origin } = address;
  const words = (await isHanging(error, address))
    ? `No ${what} answers: ${hangingWords(origin)}.\n${hangingAdvice}`
    : `No ${what} answers at ${origin}.\nIs it running? Start it with: symbolon ${what} start --data <folder>`;
  return new CommandFailure(words, exitCodes.unreachable);
}

const shownCharsMax = 1_000;
const patienceMs = 5_000;

export interface ReadinessAnswer {
  readonly status: number;
  readonly text: string;
}

export async function askReadiness(address: URL, what: 'node' | 'service'): Promise<ReadinessAnswer> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(patienceMs) });
    return { status: response.status, text: (await response.text()).slice(0, shownCharsMax) };
  } catch (error) {
    throw await unanswered(error, { what, address });
  }
}
