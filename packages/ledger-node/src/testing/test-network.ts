/**
 * A small network for tests: the rules of a chain whose blocks validators agree on, and blocks as CometBFT would bring
 * them. Test support only; nothing of the product imports it.
 */
import { create } from '@bufbuild/protobuf';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import type { BlockFrame, LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import {
  consensusAddress,
  encodeValidators,
  type ValidatorEntry,
} from '@symbolon/core/ledger/terms/validators';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { type Misbehavior, MisbehaviorSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import type { Chain, CommittedBlock, PreparedBlock } from '../chain/chain.ts';
import { publicKeyOf } from '../signatures/ed25519.ts';
import { person, richest } from './people.ts';
import { testRules, verified } from './test-chain.ts';

/** The entry of a person who validates, and is paid for it, too. */
export function validatorEntry(name: string, power: number): ValidatorEntry {
  const { seed, address } = person(name);
  return { publicKey: encodeHex(publicKeyOf(seed)), power, payTo: address };
}

/** The rules of a network of these people, whose council is `richest`, too. */
export const networkRules = (
  powers: Readonly<Record<string, number>>,
  genesis: Parameters<typeof testRules>[0] = {},
): LedgerRules =>
  testRules({
    validators: undefined,
    network: {
      council: richest.address,
      validators: Object.entries(powers).map(([name, power]) => validatorEntry(name, power)),
    },
    ...genesis,
  });

/** The council's transaction with this nonce. */
export const setsValidators = (
  entries: readonly ValidatorEntry[],
  { nonce, version = 0n }: { nonce: bigint; version?: bigint },
): VerifiedTransaction =>
  verified({
    nonce,
    operations: [operation('setMetadata', { key: 'validators', value: encodeValidators(entries), version })],
  });

export const evidenceOf = ({ publicKey }: ValidatorEntry, height: bigint): Misbehavior =>
  create(MisbehaviorSchema, {
    address: consensusAddress(parseHex(publicKey) as Uint8Array, sha256),
    type: 1,
    height,
  });

/** The next block of a network; the first of its validators proposes it unless told. */
export async function addNetworkBlock(
  chain: Chain,
  transactions: readonly VerifiedTransaction[] = [],
  frame: BlockFrame = {},
): Promise<{ prepared: PreparedBlock; committed: CommittedBlock }> {
  const proposer = chain.validators.validators[0].address;
  const closeTime = chain.head.closeTime + 1_000_000n;
  const prepared = await chain.prepare(transactions, closeTime, { proposer, ...frame });
  return { prepared, committed: await chain.commit(prepared) };
}
