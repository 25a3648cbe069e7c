/**
 * What may travel in clear. Over https everything may. Over plain http everybody on the way reads along, so there only
 * what is public goes to another machine; to this very machine nobody is on the way, unless the environment sends all
 * requests through a proxy. Whoever runs a network that nobody else can listen to says so (`allowPlainHttp`).
 */
import type { Carried } from '@symbolon/wire/service-route';
import { SdkError } from '../errors.ts';

export interface OutgoingRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** What is in its address, its body and the answer. */
  readonly carries: Carried;
}

/** Headers that tell nothing; any other may be a key, a password, a signed text or a payment. */
const publicHeaders: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'idempotency-key',
  'last-event-id',
  // Of sealed requests: a wrapped key, and public keys.
  'secretkey',
  'x25519pubkey',
  'kid',
]);

/** Throws `notProtected` before anything is sent that others could read on its way to the address. */
export function assertProtected(base: string, { headers, carries }: OutgoingRequest): void {
  const isPublic =
    carries === 'plain' && Object.keys(headers).every((name) => publicHeaders.has(name.toLowerCase()));
  if (isPublic || !isReadOnTheWay(base)) return;
  const { origin, hostname } = new URL(base);
  const hint = isLoopback(hostname)
    ? `A proxy of the environment would get it in clear. Put ${hostname} into NO_PROXY.`
    : 'Use an https address. In a closed network the option allowPlainHttp sends it all the same.';
  throw new SdkError('notProtected', `nothing was sent to ${origin}: that way is not encrypted`, { hint });
}

/** Whether others than the owner of an address can read what is sent to it. */
export function isReadOnTheWay(address: string): boolean {
  const url = new URL(address);
  return url.protocol !== 'https:' && (!isLoopback(url.hostname) || isProxied(url));
}

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** The parts of Node's `process` that are looked at, where there is one. */
interface Surroundings {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly execArgv?: readonly string[];
}

/** Node's own fetch goes through the environment's proxy when it is told to, to this machine, too. */
function isProxied({ hostname, port }: URL): boolean {
  const { process = {} } = globalThis as unknown as { process?: Surroundings };
  const { env = {}, execArgv = [] } = process;
  const flags = [...execArgv, ...(env.NODE_OPTIONS ?? '').split(/\s+/)];
  const isUsed = env.NODE_USE_ENV_PROXY === '1' || flags.includes('--use-env-proxy');
  if (!isUsed || !(env.http_proxy || env.HTTP_PROXY)) return false;
  const spared = (env.no_proxy ?? env.NO_PROXY ?? '').trim();
  const names = [hostname, `${hostname}:${port || '80'}`];
  return spared !== '*' && !spared.split(/[\s,]+/).some((entry) => names.includes(entry.toLowerCase()));
}
