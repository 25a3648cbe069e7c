/**
 * How the peers of a network reach each other, so that it can be cut. Where this machine makes network namespaces, each
 * CometBFT is in one of its own (`namespaced-peers.ts`), and what is cut loses packets, as cables and switches do; elsewhere
 * connections go through relays of the test (`peer-relays.ts`), which close what is cut.
 */

/** What becomes of the packets of one node: lost on their way to it, lost on their way from it, late and some lost. */
export const linkFaults = ['deaf', 'mute', 'slow'] as const;
export type LinkFault = (typeof linkFaults)[number];

export interface PeerWays {
  /** The program to run as CometBFT; that of every day where nothing is said. */
  readonly comet?: string;
  /** Nobody of a group reaches anybody of another one, and all in a group reach each other. */
  part(...groups: readonly (readonly number[])[]): Promise<void>;
  /** Between a node and all others. Answers how many packets were lost by it up to now. */
  harm?(node: number, fault: LinkFault): Promise<() => Promise<number>>;
  /** All reach each other. */
  heal(): Promise<void>;
}
