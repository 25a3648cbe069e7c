/**
 * Checking what a node says about the state against a root the caller trusts (`core/src/tree`). Pure: no request, no
 * clock; whoever holds a reply and a root needs nothing else.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { treeKeyOf } from '@symbolon/core/ledger/execution/state-trees';
import { decodeEntry, type StateEntry } from '@symbolon/core/ledger/terms/state';
import { proofLevelsMax } from '@symbolon/core/limits/consensus';
import {
  decodeTreeProof,
  type TreeProof,
  verifyAbsence,
  verifyInclusion,
} from '@symbolon/core/tree/tree-proof';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { parseForeignBase64 } from '../arguments/foreign-texts.ts';
import { wrongMembers } from '../arguments/member-paths.ts';
import { SdkError, unexpectedReply } from '../errors/errors.ts';
import type { LedgerReply } from './ledger-client.ts';

/** What a proof of an entry of the ledger's state must show. */
export interface ProofExpectation {
  /** The `account_tree_hash` of a ledger header that the caller trusts, in hex. */
  readonly trustedRoot: string;
  /** Which entry is meant: made with `stateKeys`. The reply's own word for it is not trusted. */
  readonly stateKey: string;
}

/** Bytes of the longest proof: head, bitmap, a sibling a level, and another leaf's key and value hash. */
const proofBytesMax = 3 + proofLevelsMax / 8 + 32 * (proofLevelsMax + 2);
const rootBytes = 32;

/**
 * The entry that the state with this root holds under this key; undefined when the state is proven to hold none.
 * Throws `SdkError`: `otherRoot` when the reply is about another state, `proofInvalid` when it proves nothing.
 *
 * The root must come from somewhere the caller trusts: several independent nodes that agree on the header of block
 * `ledger_seq`, a node of one's own, an earlier checked state. The header inside the reply cannot be that source. A
 * header's hash covers the transactions of its block too, so not even a known block hash lets anybody check the
 * header, and the root in it, from the reply alone.
 */
export function verifyStateProof(
  reply: LedgerReply<'getStateProof'>,
  expectation: ProofExpectation,
): StateEntry | undefined {
  assertMembers(expectation, { trustedRoot: true, stateKey: true }, 'expectations');
  const { trustedRoot, stateKey } = expectation;
  const root = parseHex(trustedRoot);
  if (root?.length !== rootBytes) throw invalidExpectation('the trusted root is not a hash in hex');
  const key = treeKeyFor(stateKey);
  // A reply may come from a file or a message as well as from the client, so its form is checked here too.
  const check = ledgerRoutes.getStateProof.reply.safeParse(reply);
  if (!check.success) throw unexpectedReply('getStateProof', wrongMembers(check));
  const { result } = check.data;
  if (!result) throw unexpectedReply('getStateProof', ['result']);
  if (result.state_key !== stateKey)
    throw proofInvalid('the reply is about another state entry', ['result.state_key']);
  if (result.root !== encodeHex(root)) throw otherRoot(result.ledger_seq);
  const proof = parseProof(result.proof);
  if (result.value === null) {
    if (!verifyAbsence(root, key, proof, sha256))
      throw proofInvalid('the absence is not proven', ['result.value', 'result.proof']);
    return undefined;
  }
  const value = parseHex(result.value);
  if (!value || !verifyInclusion(root, key, sha256(value), proof, sha256)) {
    throw proofInvalid('the value is not proven', ['result.value', 'result.proof']);
  }
  return decodeEntry(stateKey, value);
}

const entryKinds = ['account/', 'asset/', 'metadata/'];

function treeKeyFor(stateKey: string): Uint8Array {
  if (!entryKinds.some((kind) => stateKey.startsWith(kind))) {
    throw invalidExpectation('the state key is of no known kind');
  }
  try {
    return treeKeyOf(stateKey, sha256);
  } catch {
    // Half a surrogate pair has no UTF-8 form, so no entry can have this key.
    throw invalidExpectation('the state key is not well-formed text');
  }
}

function parseProof(text: string): TreeProof {
  const bytes = text.length <= Math.ceil(proofBytesMax / 3) * 4 ? parseForeignBase64(text) : undefined;
  const proof = bytes && decodeTreeProof(bytes);
  if (!proof) throw proofInvalid('the proof does not have the form of one', ['result.proof']);
  return proof;
}

function invalidExpectation(message: string): SdkError {
  const hint = 'Take the root from a trusted header (account_tree_hash) and the key from stateKeys.';
  return new SdkError('invalidArgument', message, { hint });
}

function otherRoot(ledgerSeq: number | bigint): SdkError {
  const hint = `The node proves the state of block ${ledgerSeq}: get that block's root from a source you trust.`;
  const members = ['result.root'];
  return new SdkError('otherRoot', 'the proof is about another root than the trusted one', { hint, members });
}

function proofInvalid(message: string, members: readonly string[]): SdkError {
  const hint = 'Do not use anything of this reply: the node is damaged or dishonest.';
  return new SdkError('proofInvalid', message, { hint, members });
}
