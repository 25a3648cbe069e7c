/**
 * What may travel which way. Over https everything may, unless the environment switches certificates off. Over plain
 * http everybody on the way reads along, so there only what is public goes to another machine; to this very machine
 * nobody is on the way, unless the environment sends all requests through a proxy. Whoever runs a network that nobody
 * else can listen to says so (`allowPlainHttp`).
 */
import type { Carried } from '@symbolon/wire/http/service-route';
import { SdkError } from '../errors/errors.ts';

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
  const weakness = isPublic ? undefined : weaknessOf(new URL(base));
  if (!weakness) return;
  const { origin } = new URL(base);
  throw new SdkError('notProtected', `nothing was sent to ${origin}: ${weakness.why}`, {
    hint: weakness.hint,
  });
}

/** Whether others than the owner of an address can read what is sent to it. */
export const isReadOnTheWay = (address: string): boolean => weaknessOf(new URL(address)) !== undefined;

function weaknessOf(url: URL): { readonly why: string; readonly hint: string } | undefined {
  const isOwnMachine = isLoopback(url.hostname);
  const surroundings = surroundingsOf();
  if (url.protocol === 'https:') {
    if (isOwnMachine || surroundings.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return undefined;
    const hint = 'Unset NODE_TLS_REJECT_UNAUTHORIZED; NODE_EXTRA_CA_CERTS names an authority of your own.';
    return { why: 'the environment says not to look at certificates', hint };
  }
  if (!isOwnMachine) {
    const hint = 'Use an https address. In a closed network the option allowPlainHttp sends it all the same.';
    return { why: 'that way is not encrypted', hint };
  }
  if (!isProxied(url, surroundings)) return undefined;
  return {
    why: 'a proxy of the environment would get it in clear',
    hint: `Put ${url.hostname} into NO_PROXY.`,
  };
}

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** The parts of Node's `process` that are looked at; empty where there is none. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv: readonly string[];
}

function surroundingsOf(): Surroundings {
  const { process } = globalThis as unknown as { process?: Partial<Surroundings> };
  return { env: process?.env ?? {}, execArgv: process?.execArgv ?? [] };
}

/** Node's own fetch goes through the environment's proxy when it is told to, to this machine, too. */
function isProxied({ hostname, port }: URL, { env, execArgv }: Surroundings): boolean {
  const flags = [...execArgv, ...(env.NODE_OPTIONS ?? '').split(/\s+/)];
  const isUsed = env.NODE_USE_ENV_PROXY === '1' || flags.includes('--use-env-proxy');
  if (!isUsed || !(env.http_proxy || env.HTTP_PROXY)) return false;
  const spared = (env.no_proxy ?? env.NO_PROXY ?? '').trim();
  const names = [hostname, `${hostname}:${port || '80'}`];
  return spared !== '*' && !spared.split(/[\s,]+/).some((entry) => names.includes(entry.toLowerCase()));
}
