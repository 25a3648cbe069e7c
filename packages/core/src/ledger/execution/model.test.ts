/**
 * Random transactions, good and bad, through `executeBlock`, compared after every block with the naive ledger: same
 * codes, same fees, same state. fast-check prints the seed and the smallest case when they differ.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accountOfKey } from '../terms/state.ts';
import { actors, newcomers, plansOf, realize, whale } from '../testing/made-up-transactions.ts';
import { bornAccount, type NaiveAccount, NaiveLedger, weightFor } from '../testing/naive-ledger.ts';
import type { NaiveCondition, NaiveTransaction } from '../testing/naive-transaction.ts';
import { createTestLedger, MemoryState } from '../testing/test-ledger.ts';
import type { VerifiedTransaction } from './apply-transaction.ts';
import { type ExecutedBlock, executeBlock } from './execute-block.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const { address, rules } = createTestLedger({ sha256 });
const reserved = rules.keys.addressOfText('1');
const balances: Record<string, bigint> = {
  alice: 10n ** 9n,
  bob: 10n ** 6n,
  carol: 60_000n,
  dave: 20_150n,
  [whale]: 2n ** 63n - 200n,
};

const condition = (text: string, atExecution: NaiveCondition['atExecution']): NaiveCondition => ({
  text,
  atSubmit: 0,
  atExecution,
});
const conditions: NaiveCondition[] = [
  { text: '1 > 2', atSubmit: 20, atExecution: () => 20 },
  { text: '1 >', atSubmit: 21, atExecution: () => 21 },
  condition('LEDGER_SEQ > 0', () => 0),
  condition('LEDGER_SEQ < 0 || LEDGER_TIME < 0', () => 20),
  condition(`account("${address('frank')}") != ""`, (accounts) => (accounts.has(address('frank')) ? 0 : 21)),
  condition(`jsonpath(account("${address('bob')}"), ".balance") > 900000`, (accounts) =>
    (accounts.get(address('bob'))?.balance ?? 0n) > 900_000n ? 0 : 20,
  ),
  condition(`jsonpath(account("${address('alice')}"), ".nonce") < 4`, (accounts) =>
    (accounts.get(address('alice'))?.nonce ?? 0n) < 4n ? 0 : 20,
  ),
];

const plans = plansOf(address, reserved, conditions);

function start(options: { baseReserve?: bigint; blockReward?: bigint; validators?: string[] }) {
  const chain = { baseReserve: 0n, blockReward: 0n, validators: ['validator'], ...options };
  const prices = { gasPrice: 1n, createContractGas: 2_000n, issueAssetGas: 1_000n };
  const ledger = createTestLedger({ sha256, ...chain, ...prices });
  const accounts = [...actors, whale].map((name) => ledger.account(name, balances[name]));
  const state = new MemoryState(accounts);
  const naive = new NaiveLedger({
    ...chain,
    ...prices,
    validators: chain.validators.map(address),
    addresses: new Set([...[...actors, ...newcomers, whale].map(address), reserved]),
    reserved: new Set([reserved]),
  });
  for (const { address: owner, balance } of accounts) {
    state.withAsset(owner, address('alice'), { code: 'A', amount: 500n });
    const assets = new Map([[`${address('alice')} A`, 500n]]);
    naive.accounts.set(owner, { ...bornAccount(balance), assets });
  }
  return { ledger, state, naive, chain };
}

/** What the real state says, in the naive form. */
function naiveViewOf(state: MemoryState): Map<string, NaiveAccount> {
  const view = new Map<string, NaiveAccount>();
  for (const entry of state.entries.values()) {
    if (entry.$typeName !== 'symbolon.ledger.v1.Account') continue;
    const { balance, nonce, priv } = entry;
    view.set(entry.address, {
      ...bornAccount(balance),
      nonce,
      masterWeight: priv!.masterWeight,
      txThreshold: priv!.thresholds!.txThreshold,
      signers: new Map(priv!.signers.map((signer) => [signer.address, signer.weight])),
      typeThresholds: new Map(
        priv!.thresholds!.typeThresholds.map(({ type, threshold }) => [type, threshold]),
      ),
    });
  }
  for (const [key, entry] of state.entries) {
    const owner = view.get(accountOfKey(key))!;
    if (entry.$typeName === 'symbolon.ledger.v1.AssetStore') {
      owner.assets.set(`${entry.key!.issuer} ${entry.key!.code}`, entry.amount);
    } else if (entry.$typeName === 'symbolon.ledger.v1.MetadataEntry') {
      owner.metadata.set(entry.key, { value: entry.value, version: entry.version });
    }
  }
  return view;
}

const gasIn = (accounts: ReadonlyMap<string, NaiveAccount>): bigint =>
  [...accounts.values()].reduce((total, { balance }) => total + balance, 0n);

function assetsIn(accounts: ReadonlyMap<string, NaiveAccount>): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { assets } of accounts.values()) {
    for (const [name, held] of assets) totals.set(name, (totals.get(name) ?? 0n) + held);
  }
  return totals;
}

/** What the transactions of a block issued, by `issuer code`. */
function addIssued(issued: Map<string, bigint>, plain: NaiveTransaction): void {
  for (const each of plain.operations) {
    if (each.kind !== 'issueAsset') continue;
    const name = `${each.source || plain.source} ${each.code}`;
    issued.set(name, (issued.get(name) ?? 0n) + each.amount);
  }
}

/** Nobody acts without the weight for it: seen in the state before the block, so for its first transaction. */
function assertWeight(
  before: ReadonlyMap<string, NaiveAccount>,
  plain: NaiveTransaction,
  code: number,
): void {
  const reaches = (who: string, threshold: (account: NaiveAccount) => bigint): boolean => {
    const account = before.get(who);
    return !account || weightFor(account, who, plain.signers) >= threshold(account);
  };
  assert(reaches(plain.source, (account) => account.txThreshold));
  const [first] = plain.operations;
  if (code !== 0 || first.kind !== 'payCoin') return;
  assert(
    reaches(first.source || plain.source, (account) => account.typeThresholds.get(7) ?? account.txThreshold),
  );
}

describe('the ledger and the naive ledger', () => {
  const chains = fc.record({
    baseReserve: fc.constantFrom(0n, 100n),
    blockReward: fc.constantFrom(0n, 7n),
    validators: fc.constantFrom<string[]>(['validator'], ['bob', 'validator', 'alice']),
  });

  it('agree after every block on codes, fees and state; nothing appears or vanishes', () => {
    fc.assert(
      fc.property(chains, plans, (options, planned) => {
        const { ledger, state, naive, chain } = start(options);
        const supply = gasIn(naive.accounts);
        const issued = assetsIn(naive.accounts);
        let seq = 2n;
        let blocks = 0n;
        let waiting: { verified: VerifiedTransaction; plain: NaiveTransaction; expected: object }[] = [];
        const closeBlock = (): void => {
          naive.closeBlock(seq);
          const before = naiveViewOf(state);
          const transactions = waiting.map(({ verified }) => verified);
          const block = { ...ledger.block, seq, closeTime: 1_000n * seq };
          const result = executeBlock(state, transactions, { block, rules: ledger.rules });
          const outcomes = outcomesOf(result);
          for (const { verified, expected } of waiting) assert.deepEqual(outcomes.get(verified), expected);
          state.advance(result.changes);
          blocks += 1n;
          const after = naiveViewOf(state);
          assert.deepEqual(after, naive.accounts);
          assert.equal(gasIn(after), supply + blocks * chain.blockReward);
          for (const { verified, plain } of waiting) {
            if (outcomes.get(verified)!.code === 0) addIssued(issued, plain);
          }
          assert.deepEqual(assetsIn(after), issued);
          const first = waiting.at(0);
          const code = first && outcomes.get(first.verified)!.code;
          if (first && code !== undefined) assertWeight(before, first.plain, code);
          waiting = [];
          seq += 1n;
        };
        for (const plan of planned) {
          const { verified, plain } = realize(plan, naive, { seq, ledger });
          waiting.push({ verified, plain, expected: naive.execute(plain, seq) });
          if (plan.endsBlock) closeBlock();
        }
        closeBlock();
      }),
      { numRuns: 400 },
    );
  });
});

/** By transaction: dropped with a code, or executed with code and fee. */
function outcomesOf({ dropped, transactions }: ExecutedBlock) {
  const outcomes = new Map<VerifiedTransaction, { dropped?: number; code?: number; fee?: bigint }>();
  for (const { verified, refusal } of dropped) outcomes.set(verified, { dropped: refusal.code });
  for (const { verified, outcome } of transactions) {
    outcomes.set(verified, { code: outcome.failure?.code ?? 0, fee: outcome.actualFee });
  }
  return outcomes;
}

describe('cutting a sequence into blocks', () => {
  it('makes no difference to anybody but the validators, who share the same total', () => {
    const arbitrary = fc.tuple(fc.constantFrom(0n, 100n), plans, fc.infiniteStream(fc.boolean()));
    const validators = ['validator one', 'validator two'];
    fc.assert(
      fc.property(arbitrary, ([baseReserve, planned, cuts]) => {
        const { ledger, naive } = start({ baseReserve, validators });
        const transactions = planned.map((plan) => {
          const { verified, plain } = realize({ ...plan, ceilStep: undefined }, naive, { seq: 2n, ledger });
          naive.execute(plain, 2n);
          return verified;
        });
        const run = (endsBlock: (index: number) => boolean) => {
          const { state } = start({ baseReserve, validators });
          const outcomes: unknown[] = [];
          let seq = 2n;
          for (let from = 0; from < transactions.length; ) {
            let to = from + 1;
            while (to < transactions.length && !endsBlock(to)) to++;
            const block = { ...ledger.block, seq, closeTime: 1_000n * seq };
            const result = executeBlock(state, transactions.slice(from, to), { block, rules: ledger.rules });
            outcomes.push(...transactions.slice(from, to).map((each) => outcomesOf(result).get(each)));
            state.advance(result.changes);
            from = to;
            seq += 1n;
          }
          const view = naiveViewOf(state);
          const paid = gasIn(new Map([...view].filter(([who]) => validators.map(address).includes(who))));
          for (const name of validators) view.delete(address(name));
          return { outcomes, view, paid };
        };
        const whole = run(() => false);
        assert.deepEqual(
          run(() => true),
          whole,
        );
        assert.deepEqual(
          run(() => cuts.next().value),
          whole,
        );
      }),
      { numRuns: 120 },
    );
  });
});
