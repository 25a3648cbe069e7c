/**
 * What the node's tests share: a small chain in memory, transactions that are really signed, and the shortest way
 * from the one to the other. Test support only; nothing of the product imports it.
 */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import {
  encodeTransaction,
  openTransaction,
  type SignedTransaction,
} from '@symbolon/core/ledger/terms/transaction';
import { type Operation, SignatureSchema, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import type { z } from 'zod';
import { Chain, type CommittedBlock } from '../chain/chain.ts';
import { genesisSchema } from '../chain/genesis-document.ts';
import { hashPairs } from '../chain/hash-pairs.ts';
import { ledgerRulesOf } from '../chain/ledger-rules.ts';
import type { NamedSigners } from '../signatures/signers.ts';
import type { Store } from '../store/store.ts';
import { MemoryStore } from './memory-store.ts';
import { type Person, richest, validatorPerson } from './people.ts';

type GenesisInput = z.input<typeof genesisSchema>;

/** The rules of a chain whose genesis account is `richest` and whose only validator is `validatorPerson`. */
export function testRules(genesis: Partial<GenesisInput> = {}): LedgerRules {
  const document = genesisSchema.parse({
    profile: 'zetrix',
    genesisAddress: richest.address,
    validators: [validatorPerson.address],
    ...genesis,
  });
  const result = ledgerRulesOf(document);
  assert('rules' in result, 'the test chain has rules');
  return result.rules;
}

export const testCaches = { stateCacheEntriesMax: 100, treeCacheBytesMax: 1024 * 1024 };

export const openTestChain = (rules = testRules(), store: Store = new MemoryStore()): Promise<Chain> =>
  Chain.open({ store, rules, hashPairs, ...testCaches });

type TransactionFields = Exclude<MessageInitShape<typeof TransactionSchema>, { $typeName: string }>;

export interface TestTransaction
  extends Omit<TransactionFields, 'sourceAddress' | '$typeName' | 'operations'> {
  readonly source?: Person;
  /** Who signs; the source alone unless told. */
  readonly signers?: readonly Person[];
  readonly operations: Operation[];
}

export function signed(order: TestTransaction): SignedTransaction {
  const { source = richest, signers = [source], ...fields } = order;
  const transaction = create(TransactionSchema, {
    sourceAddress: source.address,
    nonce: 1n,
    feeLimit: 10_000_000n,
    gasPrice: 1n,
    ...fields,
  });
  const blob = encodeTransaction(transaction);
  const signatures = signers.map((signer) =>
    create(SignatureSchema, { publicKey: signer.publicKey, signData: signer.sign(blob) }),
  );
  const opened = openTransaction(blob, signatures, sha256);
  assert(opened, 'what was just encoded can be opened');
  return opened;
}

/** As if its signatures had been verified. */
export const verified = (order: TestTransaction): NamedSigners => ({
  signed: signed(order),
  signedBy: new Set((order.signers ?? [order.source ?? richest]).map(({ address }) => address)),
});

/** One block with these transactions and a proof that says nothing. */
export async function addBlock(
  chain: Chain,
  transactions: readonly VerifiedTransaction[],
): Promise<CommittedBlock> {
  const prepared = await chain.prepare(transactions, chain.head.closeTime + 1_000_000n);
  return chain.commit(prepared, Uint8Array.of(1));
}
