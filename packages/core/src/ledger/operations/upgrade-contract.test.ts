import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { contractSupport } from '@symbolon/ledger-node/chain/ledger-rules';
import type { Account, UpgradeContract } from '../../proto/ledger_pb.ts';
import { codes } from '../terms/codes.ts';
import { contractCode, createContractLedger } from '../testing/contract-ledger.ts';
import { operation, pairsInOrder, type Violation } from '../testing/test-ledger.ts';

const ledger = createContractLedger({ sha256, contracts: contractSupport });
const { address, call, check, deploy, execute, state, stored } = ledger;
const [alice, bob, nobody] = [address('alice'), address('bob'), address('nobody')];

const version = (text: string) =>
  contractCode({
    init: 'Chain.store("made by", "init"); return true;',
    main: `Chain.store("version", ${JSON.stringify(text)}); return true;`,
  });
const owned = (owner = alice) => deploy(version('1'), { owner });

type Fields = Partial<Omit<UpgradeContract, '$typeName' | '$unknown'>>;
const upgrade = (fields: Fields) => operation('upgradeContract', fields);
const contractOf = (contract: string) => (state.read(`account/${contract}`) as Account).contract;

describe('upgrade_contract, static rules', () => {
  const dest = owned();
  const complete: Fields = { destAddress: dest, sPayload: true, payload: version('2') };
  const violations: Violation<Fields>[] = [
    { rule: 'no destination', code: codes.invalidAddress, fields: { destAddress: '' } },
    { rule: 'broken destination', code: codes.invalidAddress, fields: { destAddress: `${dest}1` } },
    { rule: 'nothing to change', code: codes.invalidParameter, fields: { sPayload: false } },
    { rule: 'no new owner', code: codes.invalidAddress, fields: { sOwner: true, owner: '' } },
    { rule: 'broken owner', code: codes.invalidAddress, fields: { sOwner: true, owner: 'ZTX3' } },
    { rule: 'no new code', code: codes.invalidParameter, fields: { payload: '' } },
    { rule: 'code too long', code: codes.invalidParameter, fields: { payload: ' '.repeat(262_145) } },
    { rule: 'code with mistakes', code: codes.contractSyntax, fields: { payload: 'function main() {}' } },
  ];
  for (const { rule, code, fields } of violations) {
    it(`${rule}: ${code}, dropped without a trace`, () => {
      assert.equal(check(upgrade({ ...complete, ...fields })), code);
      const { block } = execute({ operations: [upgrade({ ...complete, ...fields })] });
      assert.deepEqual([block.dropped.length, block.records.length], [1, 0]);
    });
  }

  it('of two violations the one whose rule comes first decides', () => {
    for (const { first, both, name } of pairsInOrder(violations)) {
      const isBlank = both.sPayload === false && both.sOwner !== true;
      const expected = both.sPayload === false && !isBlank ? undefined : first.code;
      if (expected !== undefined) assert.equal(check(upgrade({ ...complete, ...both })), expected, name);
    }
  });

  it('code and owner that are not to change are not looked at', () => {
    assert.equal(check(upgrade({ destAddress: dest, sOwner: true, owner: bob, payload: 'nonsense' })), 0);
    assert.equal(check(upgrade({ ...complete, owner: 'nonsense' })), 0);
  });

  it('a missing body is a parameter error', () => {
    assert.equal(check(operation('upgradeContract', undefined)), codes.invalidParameter);
  });
});

describe('upgrade_contract, applied', () => {
  it('replaces the code; storage, balance and nonce stay, and init is not run', () => {
    const contract = deploy(version('1'), { owner: alice, balance: 5n });
    call(contract);
    assert.equal(stored(contract, 'version'), '1');
    const nonce = ledger.nonce(contract);
    const code = contractCode({
      init: 'throw "never";',
      main: 'Chain.store("version", Chain.load("version") + "+"); return true;',
    });
    const executed = execute({
      operations: [upgrade({ destAddress: contract, sPayload: true, payload: code })],
    });
    assert.deepEqual([executed.code, executed.triggered.length], [0, 0]);
    assert.deepEqual([ledger.balance(contract), ledger.nonce(contract)], [5n, nonce]);
    assert.deepEqual([contractOf(contract)?.payload, contractOf(contract)?.owner], [code, alice]);
    call(contract);
    assert.equal(stored(contract, 'version'), '1+');
    assert.equal(stored(contract, 'made by'), 'init');
  });

  it('hands the contract over; then only the new owner may change it', () => {
    const contract = owned();
    const mine = upgrade({ destAddress: contract, sPayload: true, payload: version('mine') });
    assert.equal(
      execute({ operations: [upgrade({ destAddress: contract, sOwner: true, owner: bob })] }).code,
      0,
    );
    assert.deepEqual([contractOf(contract)?.payload, contractOf(contract)?.owner], [version('1'), bob]);
    assert.equal(execute({ operations: [mine] }).code, codes.weightTooLow);
    assert.equal(execute({ source: 'bob', operations: [mine] }).code, 0);
    assert.equal(contractOf(contract)?.payload, version('mine'));
  });

  it('does both at once', () => {
    const contract = owned();
    const both = { destAddress: contract, sPayload: true, payload: version('2'), sOwner: true, owner: bob };
    assert.equal(execute({ operations: [upgrade(both)] }).code, 0);
    assert.deepEqual([contractOf(contract)?.payload, contractOf(contract)?.owner], [version('2'), bob]);
  });

  it('counts from the next operation on', () => {
    const contract = owned();
    const pay = operation('payCoin', { destAddress: contract });
    const change = upgrade({ destAddress: contract, sPayload: true, payload: version('2') });
    assert.equal(execute({ operations: [pay, change] }).code, 0);
    assert.equal(stored(contract, 'version'), '1');
    assert.equal(execute({ operations: [change, pay] }).code, 0);
    assert.equal(stored(contract, 'version'), '2');
  });

  it('is undone with its transaction', () => {
    const contract = owned();
    const change = upgrade({ destAddress: contract, sPayload: true, payload: version('2') });
    const failing = operation('setMetadata', { key: 'none', deleteFlag: true });
    assert.equal(execute({ operations: [change, failing] }).code, codes.notFound);
    assert.equal(contractOf(contract)?.payload, version('1'));
  });

  const failures: [name: string, fields: () => Fields, code: number][] = [
    ['an account that does not exist', () => ({ destAddress: nobody }), codes.accountMissing],
    ['an account that is no contract', () => ({ destAddress: bob }), codes.invalidParameter],
    ['a contract of somebody else', () => ({ destAddress: owned(bob) }), codes.weightTooLow],
    ['a contract of nobody', () => ({ destAddress: owned('') }), codes.weightTooLow],
  ];
  for (const [name, fields, code] of failures) {
    it(`${name}: ${code}`, () => {
      const change = upgrade({ sPayload: true, payload: version('2'), ...fields() });
      const executed = execute({ operations: [change] });
      assert.deepEqual([executed.code, executed.records.length], [code, 1]);
    });
  }

  it('asks for the owner’s signature, whoever sends the transaction', () => {
    const contract = owned(bob);
    const change = operation(
      'upgradeContract',
      { destAddress: contract, sPayload: true, payload: version('2') },
      { sourceAddress: bob },
    );
    assert.equal(execute({ operations: [change] }).code, codes.weightTooLow);
    assert.equal(execute({ signers: ['alice', 'bob'], operations: [change] }).code, 0);
  });

  it('a contract that another contract made belongs to that one: no person can change it', () => {
    const parent = deploy({
      main: `Chain.store("child", Chain.contractCreate("0", 0, ${JSON.stringify(version('1'))}, "")); return true;`,
    });
    call(parent);
    const child = stored(parent, 'child') as string;
    assert.equal(contractOf(child)?.owner, parent);
    const change = upgrade({ destAddress: child, sPayload: true, payload: version('2') });
    assert.equal(execute({ operations: [change] }).code, codes.weightTooLow);
  });
});
