/**
 * A chain in memory on which much happens: payments, failures, assets, metadata, privileges, contracts that log, store
 * and pay. And what a plain walk over its blocks finds, to hold an index against. Test support only.
 */

import { fromBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { type Account, AccountSchema, type Operation } from '@symbolon/core/proto/ledger_pb';
import type { Chain } from '../chain/chain.ts';
import { readRecords, storedTransaction } from '../chain/chain-reader.ts';
import { stateRows } from '../chain/rows.ts';
import type { Store } from '../store/store.ts';
import { MemoryStore } from './memory-store.ts';
import { keyFormat, type Person, person, richest } from './people.ts';
import { addBlock, openTestChain, testRules, verified } from './test-chain.ts';

/** Counts its calls, says so, and pays one on. */
const contractCode = `'use strict';
function init() { return true; }
function main(input) {
  const count = parseInt(Chain.load('count') || '0', 10) + 1;
  Chain.store('count', String(count));
  Chain.tlog('<b>called</b>', String(count), input);
  if (input !== 'keep') { Chain.payCoin(Chain.msg.sender, '1'); }
  if (input === 'fail') { Utils.assert(false, 'told to fail'); }
}
function query() { return ''; }`;

/** The same numbers on every run. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

const inhabitants = Array.from({ length: 8 }, (_, index) => person(`busy ${index}`));

export interface BusyOrder {
  readonly seed: number;
  readonly blocks: number;
  readonly store?: Store;
  readonly rules?: LedgerRules;
}

export async function busyChain({
  seed,
  blocks,
  store = new MemoryStore(),
  rules = testRules(),
}: BusyOrder): Promise<Chain> {
  const random = randomOf(seed);
  const chain = await openTestChain(rules, store);
  const nonces = new Map<string, bigint>();
  const nextNonce = ({ address }: Person): bigint => {
    const nonce = (nonces.get(address) ?? 0n) + 1n;
    nonces.set(address, nonce);
    return nonce;
  };
  const contract = keyFormat.addressOfText(`${richest.address}-1-0`);
  const found = inhabitants
    .slice(0, 6)
    .map(({ address }) => operation('payCoin', { destAddress: address, amount: 1_000_000_000n }));
  await addBlock(chain, [
    verified({
      nonce: nextNonce(richest),
      feeLimit: 100_000_000n,
      operations: [
        operation('createAccount', {
          destAddress: '',
          contract: { payload: contractCode },
          initBalance: 1_000_000n,
          priv: { masterWeight: 0n, thresholds: { txThreshold: 1n } },
        }),
        ...found,
      ],
    }),
  ]);
  const choices: ((source: Person) => Operation)[] = [
    () => operation('payCoin', { destAddress: pick().address, amount: BigInt(1 + random(1_000)) }),
    // More than anybody has.
    () => operation('payCoin', { destAddress: pick().address, amount: 10n ** 17n }),
    () => operation('issueAsset', { code: 'POINTS', amount: 10n }),
    ({ address: issuer }) =>
      operation('payAsset', {
        destAddress: inhabitants[0].address,
        asset: { key: { issuer, code: 'POINTS' }, amount: 3n },
      }),
    () => operation('setMetadata', { key: `k${random(3)}`, value: `<script>${random(9)}</script>` }),
    () => operation('setMetadata', { key: `k${random(3)}`, deleteFlag: true }),
    () => operation('log', { topic: 'told', datas: ['to everybody'] }),
    () =>
      operation('payCoin', { destAddress: contract, amount: 5n, input: ['keep', 'pay', 'fail'][random(3)] }),
    () => operation('payCoin', { destAddress: contract, amount: 5n, input: 'pay' }),
    ({ address }) =>
      operation('setPrivilege', {
        signers: [
          { address: address === richest.address ? inhabitants[0].address : richest.address, weight: 1n },
        ],
      }),
  ];
  const pick = (): Person => inhabitants[random(inhabitants.length)];
  for (let block = 1; block < blocks; block++) {
    const transactions = Array.from({ length: random(6) }, () => {
      const source = random(3) === 0 ? richest : inhabitants[random(6)];
      const operations = Array.from({ length: 1 + random(3) }, () => choices[random(choices.length)](source));
      return verified({ source, nonce: nextNonce(source), operations });
    });
    await addBlock(chain, transactions);
  }
  return chain;
}

interface WalkedTransaction {
  readonly seq: bigint;
  readonly hash: string;
  readonly isTriggered: boolean;
  readonly errorCode: number;
}

export interface Naive {
  readonly all: readonly WalkedTransaction[];
  readonly byAccount: ReadonlyMap<string, readonly { readonly hash: string; readonly roles: Set<string> }[]>;
  readonly accounts: ReadonlyMap<string, { readonly isContract: boolean }>;
  readonly figures: readonly object[];
}

/** Everything that is found without an index. Roles of who was created are those of addresses never met before. */
export async function naiveWalk(chain: Chain): Promise<Naive> {
  const all: WalkedTransaction[] = [];
  const byAccount = new Map<string, { hash: string; roles: Set<string> }[]>();
  const accounts = new Map<string, { isContract: boolean }>();
  const figures: object[] = [];
  for await (const [, row] of chain.rows.scanAll(stateRows('account/'))) {
    const { address, contract }: Account = fromBinary(AccountSchema, row);
    accounts.set(address, { isContract: Boolean(contract?.payload) });
  }
  const born = new Set([richest.address]);
  for (let seq = 1n; seq <= chain.head.seq; seq++) {
    const records = await readRecords(chain.rows, seq, { limit: 10_000 });
    let operations = 0;
    for (const record of records) {
      const hash = encodeHex(record.hash);
      const { sourceAddress, operations: own } = storedTransaction(record);
      const isTriggered = record.transactionEnv?.trigger !== undefined;
      all.push({ seq, hash, isTriggered, errorCode: record.errorCode });
      operations += own.length;
      const roles = new Map<string, Set<string>>();
      const add = (address: string, role: string) =>
        roles.set(address, (roles.get(address) ?? new Set()).add(role));
      add(sourceAddress, 'source');
      for (const { payCoin, payAsset, createAccount } of own) {
        const to = payCoin?.destAddress || payAsset?.destAddress || createAccount?.destAddress;
        if (to) add(to, 'destination');
        if (to && accounts.get(to)?.isContract) add(to, 'contract');
        if (
          to &&
          payCoin &&
          record.errorCode === 0 &&
          !born.has(to) &&
          !isTriggered &&
          !accounts.get(to)?.isContract
        ) {
          born.add(to);
          add(to, 'created');
        }
      }
      if (record.errorDesc.includes('contract_address') && record.errorCode === 0)
        for (const { contract_address: made } of JSON.parse(record.errorDesc)) add(made, 'created');
      for (const [address, of] of roles)
        byAccount.set(address, [...(byAccount.get(address) ?? []), { hash, roles: of }]);
    }
    const signed = records.filter(({ transactionEnv }) => !transactionEnv?.trigger);
    figures.push({
      seq: Number(seq),
      transaction_count: signed.length,
      failed_count: signed.filter(({ errorCode }) => errorCode !== 0).length,
      triggered_count: records.length - signed.length,
      operation_count: operations,
      fees: Number(signed.reduce((sum, { actualFee }) => sum + actualFee, 0n)),
    });
  }
  return { all, byAccount, accounts, figures };
}
