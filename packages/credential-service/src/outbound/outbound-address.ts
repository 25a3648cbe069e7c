/**
 * Which addresses requests of the service may go to that strangers name: callbacks, documents of others. Whoever names
 * one makes this service send a request, so it goes to public addresses only, unless the operator allows this machine
 * or private networks: never to the services that clouds offer on links of theirs, and to no address that hides another.
 * Names are resolved once for each attempt, and the connection goes to what was checked.
 */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Not a defect: why an attempt failed, in a few words. */
export class OutboundProblem extends Error {
  override readonly name = 'OutboundProblem';
}

function listOf(networks: readonly (readonly [network: string, bits: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks)
    list.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

const privateV4 = listOf([
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
]);

/** Of all of IPv6 only this part is public, without what hides IPv4 addresses in it. */
const publicV6 = listOf([['2000::', 3]]);
const hiddenV6 = listOf([
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateV4.check(address, 'ipv4');
  return isIP(address) === 6 && publicV6.check(address, 'ipv6') && !hiddenV6.check(address, 'ipv6');
}

const loopback = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
]);
const privateNetworks = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
]);
const mappedV6 = listOf([['::ffff:0:0', 96]]);

/** An IPv6 address that stands for one of IPv4 is in no list: a list would look at the latter. */
function isIn(list: BlockList, address: string): boolean {
  if (isIP(address) === 4) return list.check(address, 'ipv4');
  return isIP(address) === 6 && !mappedV6.check(address, 'ipv6') && list.check(address, 'ipv6');
}

/** How far requests go, each further than the one before; `anywhere` is for who has named the very address. */
export type OutboundReach = 'public' | 'loopback' | 'private' | 'anywhere';

const isLoopback = (address: string): boolean => isPublicAddress(address) || isIn(loopback, address);
const isWithin: Readonly<Record<OutboundReach, (address: string) => boolean>> = {
  public: isPublicAddress,
  loopback: isLoopback,
  private: (address) => isLoopback(address) || isIn(privateNetworks, address),
  anywhere: () => true,
};
export const reachWords: Readonly<Record<OutboundReach, string>> = {
  public: 'a public address',
  loopback: 'a public address or one of this machine',
  private: 'a public address or one of a private network',
  anywhere: 'an address',
};

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Whether the host of an address can be seen, without asking anybody, to be out of reach. */
export function isOutOfReach(url: URL, reach: OutboundReach): boolean {
  const host = hostOf(url);
  const address = isLocalName(host) ? localAddress.address : host;
  return isIP(address) !== 0 && !isWithin[reach](address);
}

export interface PinnedAddress {
  readonly address: string;
  readonly family: number;
}

/** The address to connect to. Every address of a name must be allowed, so that no luck is involved. */
export async function pinAddress(
  url: URL,
  reach: OutboundReach,
  resolve: (name: string) => Promise<PinnedAddress[]> = addressesOf,
): Promise<PinnedAddress> {
  const host = hostOf(url);
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  const [first] = found;
  if (!first) throw new OutboundProblem('the name has no address');
  if (!found.every(({ address }) => isWithin[reach](address)))
    throw new OutboundProblem(`the name does not stand for ${reachWords[reach]}`);
  return first;
}

/**
 * Nothing for a name that does not exist. Any other failure is thrown, and may be tried again. `localhost` is
 * this machine by definition (RFC 6761), also where nobody wrote that down or a server of names says otherwise.
 */
async function addressesOf(name: string): Promise<PinnedAddress[]> {
  if (isLocalName(name)) return [localAddress];
  try {
    return await lookup(name, { all: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') return [];
    throw error;
  }
}

const localAddress: PinnedAddress = { address: '127.0.0.1', family: 4 };
const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);
