/**
 * Which addresses callbacks may go to. Whoever asks for one makes this service send a request, so it goes to public
 * addresses only, unless the operator allows others: never to this machine, to its network, or to the services that
 * clouds offer inside of theirs. Names are resolved once for each attempt, and the connection goes to what was checked.
 */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { Fault } from '@symbolon/core/faults';

/** Not a defect: why an attempt failed, in a few words. */
export class CallbackProblem extends Error {
  override readonly name = 'CallbackProblem';
}

const privateV4 = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateV4.addSubnet(network, bits, 'ipv4');

/** Of all of IPv6 only this part is public, without what hides IPv4 addresses in it. */
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
const hiddenV6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  hiddenV6.addSubnet(network, bits, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateV4.check(address, 'ipv4');
  return isIP(address) === 6 && publicV6.check(address, 'ipv6') && !hiddenV6.check(address, 'ipv6');
}

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Throws `callbackRefused` for what can be seen to be no address for callbacks. */
export function checkCallbackUrl(text: string, allowPrivate: boolean): void {
  const refuse = (detail: string) =>
    new Fault('callbackRefused', {
      detail: `/callbackUrl: ${detail}`,
      errors: [{ pointer: '/callbackUrl', detail }],
    });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refuse('must be an address that begins with http:// or https://');
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a password');
  if (allowPrivate) return;
  const host = hostOf(url);
  if (isIP(host) !== 0 ? !isPublicAddress(host) : isLocalName(host)) throw refuse('must be a public address');
}

export interface PinnedAddress {
  readonly address: string;
  readonly family: number;
}

/** The address to connect to. Every address of a name must be allowed, so that no luck is involved. */
export async function pinAddress(url: URL, allowPrivate: boolean): Promise<PinnedAddress> {
  const host = hostOf(url);
  const family = isIP(host);
  const found = family === 0 ? await addressesOf(host) : [{ address: host, family }];
  const [first] = found;
  if (!first) throw new CallbackProblem('the name has no address');
  if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address)))
    throw new CallbackProblem('the name stands for an address that is not public');
  return first;
}

/**
 * Nothing for a name that does not exist; what goes wrong on the way there is somebody else's to repeat. `localhost` is
 * this machine by definition (RFC 6761), also where nobody wrote that down or a server of names says otherwise.
 */
async function addressesOf(name: string): Promise<PinnedAddress[]> {
  if (isLocalName(name)) return [{ address: '127.0.0.1', family: 4 }];
  try {
    return await lookup(name, { all: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') return [];
    throw error;
  }
}

const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);
