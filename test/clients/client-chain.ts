/** The chain that the public clients are put to: a new one of a node that is alone, or one that is there. */
import type { Owner } from '../support/owner.ts';
import { type Person, richest, validatorPerson } from '../support/people.ts';
import { type AskedNode, startNode } from '../support/running-node.ts';

export interface ClientChain {
  readonly node: AskedNode;
  /** Has done nothing yet, and nobody else acts for them. */
  readonly rich: Person;
  /** Of the rich one, as the clients show it. */
  readonly balance: string;
  /** Who validates, in any order. */
  readonly validators: readonly string[];
}

export type OpenChain = (owner: Owner) => Promise<ClientChain>;

export const openOwnChain: OpenChain = async (owner) => ({
  node: await startNode(owner),
  rich: richest,
  balance: '100000000000000000',
  validators: [validatorPerson.address],
});
