/**
 * What CometBFT's validators said of a block, as it is kept beside the block (`drivers/comet/light-blocks.ts`), checked
 * against a chain that was executed again: who they were, what they signed, and that it is about this block. The commit
 * of a block covers the app hash of the one before: that is what it proves.
 */
import { encodeHex, equalBytes } from '@symbolon/core/basics/bytes';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { findValidator } from '@symbolon/core/ledger/terms/validators';
import type { ConsensusHeader, LightBlock } from '@symbolon/core/light/light-block';
import { verifyOwnCommit } from '@symbolon/core/light/light-verification';
import { parseJsonOrNothing } from '@symbolon/wire/json/json';
import { readLightBlock } from '@symbolon/wire/ledger/light-block-json';
import { prepareGenesis } from '../chain/genesis-block.ts';
import { hashPairs } from '../chain/hash-pairs.ts';
import { closeTimeAfter } from '../drivers/comet/close-time.ts';
import { cometChainId } from '../drivers/comet/handshake.ts';
import { verifyLedgerSignature } from '../signatures/ed25519.ts';
import type { NetworkBlock, VerifyCommit } from './verify-chain.ts';

/** For the blocks of a network with these rules. */
export function commitVerifier(rules: LedgerRules): VerifyCommit {
  const { sha256 } = rules;
  let chainId: Promise<string> | undefined;
  return async (block) => {
    chainId ??= prepareGenesis(rules, hashPairs).then(({ closed }) => cometChainId(closed.header));
    const reading = readLightBlock(parseJsonOrNothing(Buffer.from(block.commit).toString('utf8')));
    if (!reading.success) return 'what its validators said of it cannot be read';
    const shown = reading.block;
    const verdict = await verifyOwnCommit(shown, await chainId, {
      sha256,
      verifyVote: ({ publicKey, signature, message }) => verifyLedgerSignature(publicKey, signature, message),
    });
    return verdict.verified
      ? (headerProblem(shown.header, block, rules) ?? validatorsProblem(shown, block))
      : `what its validators said of it does not hold: ${verdict.refusal.detail}`;
  };
}

/** Why a header of CometBFT is not about this block. */
function headerProblem(
  { height, appHash, time, proposerAddress }: ConsensusHeader,
  { header, previous, validators, consensusValue }: NetworkBlock,
  { sha256 }: LedgerRules,
): string | undefined {
  if (height !== header.seq) return `its validators signed block ${height} in its place`;
  if (!equalBytes(appHash, appHashOf(previous, sha256)))
    return `its validators signed another outcome of the block before it, ${encodeHex(appHash)}`;
  if (closeTimeAfter(previous.closeTime, time) !== header.closeTime)
    return 'its validators signed another time of it';
  return findValidator(validators, proposerAddress, sha256)?.address === consensusValue.proposer
    ? undefined
    : 'its validators signed another proposer of it';
}

/** Whoever signed it must be who validates by the state before it. */
function validatorsProblem(shown: LightBlock, { validators }: NetworkBlock): string | undefined {
  const [signing, known] = [
    shown.validators.map(({ publicKey, power }) => `${encodeHex(publicKey)} ${power}`),
    validators.validators.map(
      ({ publicKey, pledgeCoinAmount }) => `${encodeHex(publicKey)} ${pledgeCoinAmount}`,
    ),
  ].map((set) => set.sort().join());
  return signing === known ? undefined : 'its validators are not the ones who signed it';
}
