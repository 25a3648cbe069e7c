/**
 * From a block of a network that is believed to an entry of the ledger's state: the block after H carries the hash of
 * our header of H, that header the root of the state after H, and a state proof leads from that root to the entry.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import type { StateEntry } from '@symbolon/core/ledger/terms/state';
import { LedgerHeaderSchema } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { isReadError, messageFromJson } from '@symbolon/wire/json/message-json';
import { memberIn } from '../arguments/member-paths.ts';
import { SdkError, unexpectedReply } from '../errors/errors.ts';
import type { LedgerReply } from '../ledger/ledger-client.ts';
import { verifyStateProof } from '../ledger/state-proofs.ts';
import type { VerifiedBlock } from './light-chain.ts';

type ProofReply = LedgerReply<'getStateProof'>;

/** The block of the ledger that a proof is about: the state is that after it. */
export function seqOfProof(reply: ProofReply): bigint {
  const header = (reply as JsonObject).result as JsonObject | undefined;
  const seq = isJsonObject(header) ? header.ledger_seq : undefined;
  if (typeof seq !== 'number' && typeof seq !== 'bigint')
    throw unexpectedReply('getStateProof', ['result.ledger_seq']);
  return BigInt(seq);
}

/**
 * The entry that the state holds under this key, undefined where it is proven to hold none; by a block that is believed
 * and follows the one that the proof is about. Throws `proofInvalid`.
 */
export function provenEntry(
  reply: ProofReply,
  stateKey: string,
  { block }: Pick<VerifiedBlock, 'block'>,
): StateEntry | undefined {
  const header = messageFromJson(LedgerHeaderSchema, (reply.result?.header ?? {}) as JsonObject);
  if (isReadError(header)) throw unexpectedReply('getStateProof', [memberIn('result.header', header.path)]);
  const { appHash, height } = block.header;
  const isNamed = header.seq === seqOfProof(reply) && header.seq + 1n === height;
  if (!isNamed || !equalBytes(appHashOf(header, sha256), appHash)) {
    const hint = 'Do not use anything of this reply: the node is damaged or dishonest.';
    const members = ['result.header'];
    throw new SdkError('proofInvalid', 'the network has signed another header of the ledger', {
      hint,
      members,
    });
  }
  return verifyStateProof(reply, { trustedRoot: encodeHex(header.accountTreeHash), stateKey });
}
