/** What a transaction has to say of its account and its chain, as a node has it: the next nonce, the chain's id. */
import { int64Max } from '@symbolon/core/limits/limits';
import { SdkError } from '../errors/errors.ts';
import { unexpectedReply } from '../ledger/ledger-answers.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';

/**
 * The one after the account's last. A node that says too much gets a transaction that waits for the ones before it, so
 * its sender hears of no receipt; it can be executed when these have been, and asking for its hash shows whether it was.
 */
export async function nextNonce(client: LedgerClient, address: string): Promise<bigint> {
  const { result } = await client.getAccountBase({ address });
  // A field that is 0 is left out of the reply.
  const nonce = BigInt(result?.nonce ?? 0);
  if (!result) throw unexpectedReply('getAccountBase', ['result']);
  if (nonce < 0n || nonce >= int64Max) throw unexpectedReply('getAccountBase', ['result.nonce']);
  return nonce + 1n;
}

/** The chain that is meant where nobody says: chains have this id unless their genesis says otherwise. */
export const usualChainId = 0n;

/** The id of the node's chain; where one is meant, a node of another is refused. */
export async function chainIdOf(client: Pick<LedgerClient, 'getLedger'>, meant?: bigint): Promise<bigint> {
  const { result } = await client.getLedger({});
  if (!result) throw unexpectedReply('getLedger', ['result']);
  const chainId = BigInt(result.header.chain_id ?? 0);
  const members = ['result.header.chain_id'];
  if (chainId < 0n) throw unexpectedReply('getLedger', members);
  if (meant !== undefined && chainId !== meant) {
    const hint = 'Nothing was signed. Name a node of the chain that you mean, or mean its chain: chainId.';
    throw new SdkError('notAsOrdered', `the node is of chain ${chainId}, and chain ${meant} is meant`, {
      hint,
      members,
    });
  }
  return chainId;
}
