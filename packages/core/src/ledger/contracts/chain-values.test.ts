import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { contractSupport } from '@symbolon/ledger-node/chain/ledger-rules';
import { encodeHex } from '../../basics/bytes.ts';
import { createContractLedger, type Executed } from '../testing/contract-ledger.ts';
import { operation } from '../testing/test-ledger.ts';

const ledger = createContractLedger({ sha256, contracts: contractSupport, gasPrice: 3n });
const { address, call, create, deploy, execute, nextBlock, query, stored } = ledger;
const [alice, bob] = [address('alice'), address('bob')];

/** Everything a contract sees of the chain, as JSON; what is absent is left out. */
const seen = `JSON.stringify({ block: Chain.block, tx: Chain.tx, msg: Chain.msg, thisAddress: Chain.thisAddress })`;
const old = `JSON.stringify({ sender: sender, thisAddress: thisAddress, triggerIndex: triggerIndex,
  blockNumber: blockNumber, blockTimestamp: blockTimestamp, coins: typeof thisPayCoinAmount === "undefined" ? null :
  thisPayCoinAmount, asset: typeof thisPayAsset === "undefined" ? null : thisPayAsset })`;

const witness = {
  init: `Chain.store("init", ${seen}); Chain.store("init old", ${old}); return true;`,
  main: `Chain.store("main", ${seen}); Chain.store("main old", ${old}); return true;`,
  query: `return input === "old" ? ${old} : ${seen};`,
};

const seenBy = (contract: string, key: string) => JSON.parse(stored(contract, key) as string);
const hashOf = ({ records }: Executed) => encodeHex(records[0].hash);
const fees = { gasPrice: 5n, feeLimit: 6_000_000_000n };
const tx = (executed: Executed, sender = alice) => ({
  initiator: alice,
  sender,
  gasPrice: 5,
  feeLimit: 6_000_000_000,
  hash: hashOf(executed),
});
const blockOf = ({ block }: Executed) => ({
  number: Number(block.context.seq),
  timestamp: Number(block.context.closeTime),
});

describe('what a contract sees', () => {
  const address0 = deploy(witness);

  it('in init: the creation and the balance it brings', () => {
    const nonce = ledger.nonce('alice') + 1n;
    const code = (ledger.state.read(`account/${address0}`) as { contract: { payload: string } }).contract
      .payload;
    const executed = create(code, { ...fees, balance: 12n, input: 'in' });
    const contract = JSON.parse(executed.description)[0].contract_address as string;
    const msg = {
      initiator: alice,
      sender: alice,
      nonce: Number(nonce),
      operationIndex: 0,
      coinAmount: '12',
    };
    assert.deepEqual(seenBy(contract, 'init'), {
      block: blockOf(executed),
      tx: tx(executed),
      msg,
      thisAddress: contract,
    });
    assert.deepEqual(seenBy(contract, 'init old'), {
      sender: alice,
      thisAddress: contract,
      triggerIndex: 0,
      blockNumber: blockOf(executed).number,
      blockTimestamp: blockOf(executed).timestamp,
      coins: '12',
      asset: null,
    });
  });

  it('in main: the payment; coins are a text, an asset is absent', () => {
    const nonce = Number(ledger.nonce('alice') + 1n);
    const executed = call(address0, { ...fees, amount: 9_007_199_254n });
    assert.deepEqual(seenBy(address0, 'main'), {
      block: blockOf(executed),
      tx: tx(executed),
      msg: { initiator: alice, sender: alice, nonce, operationIndex: 0, coinAmount: '9007199254' },
      thisAddress: address0,
    });
    assert.equal(seenBy(address0, 'main old').coins, '9007199254');
    assert.equal(seenBy(address0, 'main old').asset, null);
  });

  it('in main of an asset payment: the asset, and "0" coins', () => {
    const issue = operation('issueAsset', { code: 'CNY', amount: 10n ** 18n });
    assert.equal(execute({ operations: [issue] }).code, 0);
    call(address0, { ...fees, asset: { issuer: alice, code: 'CNY', amount: 10n ** 18n } });
    const asset = { amount: '1000000000000000000', key: { issuer: alice, code: 'CNY' } };
    const { msg } = seenBy(address0, 'main');
    assert.deepEqual([msg.coinAmount, msg.asset], ['0', asset]);
    assert.deepEqual(seenBy(address0, 'main old').asset, asset);
    assert.equal(seenBy(address0, 'main old').coins, '0');
  });

  it('in main of a pay_asset without an asset: neither', () => {
    const bare = operation('payAsset', { destAddress: address0, input: '' });
    execute({ ...fees, operations: [bare] });
    const { msg } = seenBy(address0, 'main');
    assert.deepEqual([msg.coinAmount, 'asset' in msg], ['0', false]);
  });

  it('of a later operation by another source: its index and its source', () => {
    const nonce = Number(ledger.nonce('alice') + 1n);
    const pay = operation('payCoin', { destAddress: address0, amount: 1n }, { sourceAddress: bob });
    const note = operation('log', { topic: 't' });
    const executed = execute({ ...fees, signers: ['alice', 'bob'], operations: [note, note, pay] });
    assert.equal(executed.code, 0);
    const { msg, tx: outermost } = seenBy(address0, 'main');
    assert.deepEqual(msg, { initiator: alice, sender: bob, nonce, operationIndex: 2, coinAmount: '1' });
    assert.deepEqual(outermost, tx(executed, bob));
    assert.equal(seenBy(address0, 'main old').triggerIndex, 2);
  });

  it('in query: no coins and no asset', () => {
    const { number, timestamp } = {
      number: Number(nextBlock().seq),
      timestamp: Number(nextBlock().closeTime),
    };
    const result = query(address0);
    assert.ok('value' in result);
    const { block, msg, thisAddress } = JSON.parse(result.value as string);
    assert.deepEqual(block, { number, timestamp });
    assert.deepEqual(Object.keys(msg).sort(), ['initiator', 'nonce', 'operationIndex', 'sender']);
    assert.equal(thisAddress, address0);
    const older = query(address0, 'old');
    assert.ok('value' in older);
    const { coins, asset, sender } = JSON.parse(older.value as string);
    assert.deepEqual([coins, asset, sender], [null, null, alice]);
  });
});

describe('what a called contract sees', () => {
  const callee = deploy(witness);
  const asCaller = (body: string) => deploy({ main: `${body} return true;` }, { balance: 1_000n });

  it('in contractCall: the calling contract and its own transaction', () => {
    const caller = asCaller(`Chain.store("before", "x"); Chain.contractCall("${callee}", true, "7", "in");`);
    const executed = call(caller, { ...fees, source: 'alice' });
    const { msg, tx: outermost } = seenBy(callee, 'main');
    assert.deepEqual(msg, {
      initiator: caller,
      sender: caller,
      nonce: 2,
      operationIndex: 0,
      coinAmount: '7',
    });
    assert.deepEqual(outermost, tx(executed), 'the signed transaction stays what it is');
  });

  it('in contractCall with an asset', () => {
    const caller = asCaller(
      `Chain.issueAsset("GOLD", "5");
       Chain.contractCall("${callee}", { issuer: Chain.thisAddress, code: "GOLD" }, "4", "in");`,
    );
    assert.equal(call(caller, { ...fees, feeLimit: 10n ** 12n }).code, 0);
    const { msg } = seenBy(callee, 'main');
    assert.deepEqual(msg.asset, { amount: '4', key: { issuer: caller, code: 'GOLD' } });
    assert.equal(msg.coinAmount, '0');
  });

  it('in contractQuery: the asking contract as sender, and nothing sent', () => {
    const caller = asCaller(`Chain.store("answer", Chain.contractQuery("${callee}", "").result);`);
    call(caller, { ...fees, amount: 5n });
    const { msg, thisAddress } = seenBy(caller, 'answer');
    assert.deepEqual([msg.sender, thisAddress], [caller, callee]);
    assert.deepEqual(['coinAmount' in msg, 'asset' in msg], [false, false]);
  });

  it('in delegateCall: all that the caller sees', () => {
    const caller = asCaller(`Chain.delegateCall("${callee}", "in"); Chain.store("own", ${seen});`);
    call(caller, { ...fees, amount: 5n });
    assert.deepEqual(seenBy(caller, 'main'), seenBy(caller, 'own'));
    assert.equal(seenBy(caller, 'main').thisAddress, caller);
    assert.equal(seenBy(caller, 'main').msg.coinAmount, '5');
  });

  it('in delegateQuery: the caller’s address and sender', () => {
    const caller = asCaller(`Chain.store("answer", Chain.delegateQuery("${callee}", "").result);`);
    call(caller, fees);
    const { msg, thisAddress } = seenBy(caller, 'answer');
    assert.deepEqual([msg.sender, thisAddress], [alice, caller]);
  });

  it('in the init of contractCreate', () => {
    const code = `"use strict"; function init(input) { Chain.store("init", ${seen.replaceAll('\n', ' ')} + input); }`;
    const caller = asCaller(
      `Chain.store("born", Chain.contractCreate("30", 0, ${JSON.stringify(code)}, "!"));`,
    );
    assert.equal(call(caller, fees).code, 0);
    const born = stored(caller, 'born') as string;
    const { msg, thisAddress } = JSON.parse((stored(born, 'init') as string).replace(/!$/, ''));
    assert.deepEqual(msg, {
      initiator: caller,
      sender: caller,
      nonce: 1,
      operationIndex: 0,
      coinAmount: '30',
    });
    assert.equal(thisAddress, born);
  });
});

describe('the values', () => {
  it('cannot be changed by the contract', () => {
    for (const target of ['Chain.msg.sender', 'Chain.block.number', 'Chain.thisAddress', 'Chain.tx.hash']) {
      const contract = deploy({ main: `${target} = "x"; return true;` });
      assert.equal(call(contract).code, 151, target);
    }
  });
});
