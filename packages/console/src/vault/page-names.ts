/** Names of the page, which a passkey is bound to. Pure. */

/** An address of the machine is no name that a passkey can be bound to. */
export const isNamedHost = (host: string): boolean => !/^[\d.]+$|^\[/.test(host);

type Place = Pick<Location, 'protocol' | 'hostname' | 'port' | 'pathname' | 'search'>;

/** What `localhost` stands for; other addresses of the machine may have another program behind the same port. */
const ownAddresses: readonly string[] = ['127.0.0.1', '[::1]'];

/** The same page where it has a name, if it is one of this machine. */
export function namedPage({ protocol, hostname, port, pathname, search }: Place): string | undefined {
  if (!ownAddresses.includes(hostname)) return undefined;
  return `${protocol}//localhost${port === '' ? '' : `:${port}`}${pathname}${search}`;
}
