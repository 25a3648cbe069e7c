/** Which ways between peers this machine can give to a test: namespaces where it makes any, else relays. */
import type { Network } from '@symbolon/cli/network/network-file';
import type { Owner } from '../support/owner.ts';
import { NamespacedPeers } from './namespaced-peers.ts';
import { findNamespaces, type NamespaceTools, slowLinks } from './namespaces.ts';
import { PeerRelays } from './peer-relays.ts';
import { type LinkFault, linkFaults, type PeerWays } from './peer-ways.ts';

/** What this machine can do. */
export interface WaysHere {
  readonly title: string;
  readonly faults: readonly LinkFault[];
  between(owner: Owner, network: Network, comet: string): Promise<PeerWays>;
}

export async function findWays(): Promise<WaysHere> {
  const tools = await findNamespaces();
  if ('missing' in tools)
    return {
      title: `relays (no network namespaces: ${tools.missing})`,
      faults: [],
      between: (owner, network) => PeerRelays.between(owner, network),
    };
  return {
    title: `network namespaces${tools.isOwnUser ? ' of a user namespace' : ''}`,
    faults: await faultsOf(tools),
    between: (owner, network, comet) => NamespacedPeers.between(owner, { network, comet, tools }),
  };
}

const faultsOf = async (tools: NamespaceTools): Promise<readonly LinkFault[]> =>
  (await slowLinks(tools)) ? linkFaults : linkFaults.filter((fault) => fault !== 'slow');
