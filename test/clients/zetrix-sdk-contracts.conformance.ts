/**
 * The life of a contract as the unmodified public SDK leads it: evaluate, deploy, find the address, call with Gas
 * and with assets, query, read, upgrade. One running node, over HTTP.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonValue } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type Person, person } from '../support/people.ts';
import { type AskedNode, operations as bodies } from '../support/running-node.ts';
import { until } from '../support/until.ts';
import { CallRecord, openSdk, resultOf, type Sdk, type SdkReply } from '../support/zetrix-sdk.ts';
import type { OpenChain } from './client-chain.ts';

/** A till: counts what it is paid, in Gas and in one asset, and pays out to its maker. */
const till = `"use strict";
function load(key) {
  const value = Chain.load(key);
  return value === false ? "0" : value;
}
function init(input) {
  Chain.store("maker", Chain.msg.sender);
  Chain.store("name", JSON.parse(input).name);
  return true;
}
function main(input) {
  const order = JSON.parse(input);
  if (order.method === "payOut") {
    Utils.assert(Chain.msg.sender === Chain.load("maker"), "only the maker is paid out");
    Chain.payCoin(Chain.msg.sender, order.amount, "", "paid out");
    return true;
  }
  Utils.assert(order.method === "pay", "there is no such method");
  Chain.store("gas", Utils.int64Add(load("gas"), Chain.msg.coinAmount));
  if (Chain.msg.asset !== undefined) {
    Chain.store("asset", Utils.int64Add(load("asset"), Chain.msg.asset.amount));
  }
  Chain.tlog("paid", Chain.msg.sender, Chain.msg.coinAmount);
  return true;
}
function query(input) {
  return JSON.stringify({ name: load("name"), gas: load("gas"), asset: load("asset"), asked: input });
}
`;
const newTill = till.replace('function query(input) {', 'function query(input) {\n  return "version 2";');

const bob = person('bob at the till');
const carol = person('carol at the till');
const feeLimit = '20000000';

interface Sending {
  readonly source?: Person;
  readonly operations: readonly (JsonValue | undefined)[];
  readonly fee?: { readonly gasPrice: string; readonly feeLimit: string };
}

/** The life of a contract. */
export function registerContracts(open: OpenChain): void {
  const owner = ownerOfSuite();

  let node: AskedNode;
  let rich: Person;
  let sdk: Sdk;
  /** The deployed till. */
  let address: string;

  before(async () => {
    ({ node, rich } = await open(owner));
    sdk = openSdk(node.url, new CallRecord());
    const { payCoin } = bodies;
    await node.execute({
      source: rich,
      operations: [payCoin(bob.address, 10n ** 12n), payCoin(carol.address, 10n ** 12n)],
    });
  });

  const operation = async (name: string, args: object): Promise<JsonValue | undefined> =>
    at(resultOf(await sdk.operation[`${name}Operation`](args)), 'operation');

  async function nextNonce({ address }: Person): Promise<string> {
    const { nonce } = resultOf(await sdk.account.getNonce(address)) as { nonce: string };
    return String(BigInt(nonce) + 1n);
  }

  async function submit({ source = rich, operations, fee }: Sending): Promise<SdkReply> {
    const built = await sdk.transaction.buildBlob({
      sourceAddress: source.address,
      nonce: await nextNonce(source),
      operations: [...operations],
      gasPrice: '1',
      feeLimit,
      ...fee,
    });
    const blob = at(resultOf(built), 'transactionBlob');
    const signed = await sdk.transaction.sign({ privateKeys: [source.privateKey], blob });
    return sdk.transaction.submit({ blob, signature: at(resultOf(signed), 'signatures') });
  }

  /** Submits and polls until history has it. */
  async function execute(sending: Sending) {
    const hash = at(resultOf(await submit(sending)), 'hash') as string;
    const history = await until('the transaction is executed', async () => {
      const reply = await sdk.transaction.getInfo(hash);
      return reply.errorCode === 0 && resultOf(reply);
    });
    const record = at(history, 'transactions', 0);
    const code = at(record, 'error_code') as string;
    return { hash, record, code, description: at(record, 'error_desc') as string };
  }

  async function evaluate(sending: Sending) {
    const { source = rich, operations } = sending;
    return sdk.transaction.evaluateFee({
      sourceAddress: source.address,
      nonce: await nextNonce(source),
      operations: [...operations],
      signtureNumber: '1',
    });
  }

  async function deploy(args: object = {}): Promise<string> {
    const creation = { initBalance: '0', payload: till, initInput: '{"name":"till"}', owner: rich.address };
    const create = () => operation('contractCreate', { ...creation, ...args });
    const fee = resultOf(await evaluate({ operations: [await create()] })) as unknown as Sending['fee'];
    const { code, description, hash, record } = await execute({ operations: [await create()], fee });
    assert.equal(code, '0', description);
    const spare = BigInt(fee?.feeLimit ?? 0) - BigInt(at(record, 'actual_fee') as string);
    assert.ok(spare >= 0n && spare < 40n, `${spare} more than needed`);
    const { contractAddressList } = resultOf(await sdk.contract.getAddress(hash)) as {
      contractAddressList: { contract_address: string; operation_index: number }[];
    };
    assert.equal(contractAddressList.length, 1);
    assert.equal(contractAddressList[0].operation_index, 0);
    return contractAddressList[0].contract_address;
  }

  /** The answer of a query, as the contract gave it. */
  async function ask(contractAddress: string, input = 'x'): Promise<string> {
    const reply = await sdk.contract.call({
      contractAddress,
      optType: 2,
      input,
      feeLimit: '1000000000',
      gasPrice: '1000',
    });
    const answer = at(resultOf(reply), 'query_rets', 0, 'result') as { type: string; value: string };
    assert.equal(answer.type, 'string');
    return answer.value;
  }

  describe('deploying', () => {
    test('evaluates the fee, creates the contract and tells its address', async () => {
      address = await deploy();
      assert.equal(at(resultOf(await sdk.account.checkValid(address)), 'isValid'), true);
      assert.deepEqual(JSON.parse(await ask(address)), { name: 'till', gas: '0', asset: '0', asked: 'x' });
    });

    test('brings no balance: the SDK leaves it out, and the contract is paid afterwards', async () => {
      const poor = await deploy({ initBalance: '12345' });
      assert.equal(await node.balance(poor), 0n);
    });

    test('tells the addresses of two contracts in one transaction', async () => {
      const args = { initBalance: '0', payload: till, initInput: '{"name":"one of two"}' };
      const both = [await operation('contractCreate', args), await operation('contractCreate', args)];
      const { code, hash } = await execute({ operations: both });
      assert.equal(code, '0');
      const { contractAddressList } = resultOf(await sdk.contract.getAddress(hash)) as {
        contractAddressList: { contract_address: string }[];
      };
      assert.deepEqual(
        contractAddressList.map((it) => at(it as never, 'operation_index')),
        [0, 1],
      );
      for (const it of contractAddressList) {
        assert.equal(JSON.parse(await ask(it.contract_address)).name, 'one of two');
      }
    });

    test('code with mistakes is refused when it is submitted, with the findings', async () => {
      const create = await operation('contractCreate', { payload: 'function init() { eval("1"); }' });
      const { errorCode, errorDesc } = await submit({ operations: [create] });
      assert.equal(errorCode, '152');
      assert.ok(JSON.parse(errorDesc).length > 0);
      const evaluated = await evaluate({ operations: [create] });
      assert.equal(evaluated.errorCode, 152);
    });

    test('an init that throws fails the transaction, and there is no address', async () => {
      const create = await operation('contractCreate', { payload: till, initInput: 'not JSON' });
      const { code, description, hash } = await execute({ operations: [create] });
      assert.equal(code, '151');
      assert.match(JSON.parse(description).exception, /SyntaxError/);
      assert.deepEqual(resultOf(await sdk.contract.getAddress(hash)), { contractAddressList: [] });
      assert.equal((await evaluate({ operations: [create] })).errorCode, 151);
    });
  });

  describe('reading', () => {
    test('getInfo tells code and owner, checkValid that it is a contract', async () => {
      assert.deepEqual(at(resultOf(await sdk.contract.getInfo(address)), 'contract'), {
        type: 0,
        payload: till,
        owner: rich.address,
      });
      assert.deepEqual(resultOf(await sdk.contract.checkValid(address)), { isValid: true });
      assert.deepEqual(resultOf(await sdk.contract.checkValid(bob.address)), { isValid: false });
      assert.equal((await sdk.contract.getInfo(bob.address)).errorCode, 11038);
    });

    test('the storage is the account’s metadata', async () => {
      const { metadata } = resultOf(await sdk.account.getMetadata({ address, key: 'name' })) as never;
      assert.deepEqual(metadata, { key: 'name', value: 'till', version: '1' });
    });
  });

  describe('calling', () => {
    const invoke = (input: object, args: object = {}, source = bob) =>
      operation('contractInvokeByGas', {
        contractAddress: address,
        sourceAddress: source.address,
        input: JSON.stringify(input),
        ...args,
      });
    const pay = { method: 'pay' };

    test('with Gas', async () => {
      const operations = [await invoke(pay, { gasAmount: '9007199254', metadata: 'for the till' })];
      const { code, record } = await execute({ source: bob, operations });
      assert.equal(code, '0');
      assert.equal(JSON.parse(await ask(address)).gas, '9007199254');
      assert.equal((at(record, 'contract_tx_hashes') as string[]).length, 2);
    });

    test('with no Gas at all', async () => {
      assert.equal((await execute({ source: bob, operations: [await invoke(pay)] })).code, '0');
      assert.equal(
        (await execute({ source: bob, operations: [await invoke(pay, { gasAmount: '0' })] })).code,
        '0',
      );
      assert.equal(JSON.parse(await ask(address)).gas, '9007199254');
    });

    test('the evaluated fee covers what the contract triggers', async () => {
      const operations = [await invoke(pay, { gasAmount: '1' })];
      const fee = resultOf(await evaluate({ source: bob, operations })) as unknown as Sending['fee'];
      const enough = await execute({ source: bob, operations: [await invoke(pay, { gasAmount: '1' })], fee });
      assert.equal(enough.code, '0', enough.description);
      const less = { gasPrice: '1', feeLimit: String(BigInt(fee?.feeLimit ?? 0) - 100n) };
      const short = await execute({
        source: bob,
        operations: [await invoke(pay, { gasAmount: '1' })],
        fee: less,
      });
      assert.equal(short.code, '111');
    });

    test('what it triggered is found by hash, with its trigger', async () => {
      const operations = [await invoke(pay, { gasAmount: '5' })];
      const { hash, record } = await execute({ source: bob, operations });
      const [store, log] = at(record, 'contract_tx_hashes') as string[];
      const stored = at(resultOf(await sdk.transaction.getInfo(store)), 'transactions', 0);
      assert.equal(at(stored, 'transaction', 'source_address'), address);
      assert.equal(at(stored, 'transaction', 'operations', 0, 'set_metadata', 'key'), 'gas');
      assert.deepEqual(at(stored, 'trigger', 'transaction'), { hash });
      assert.equal(at(stored, 'actual_fee'), '0');
      const logged = at(resultOf(await sdk.transaction.getInfo(log)), 'transactions', 0);
      assert.deepEqual(at(logged, 'transaction', 'operations', 0, 'log'), {
        topic: 'paid',
        datas: [bob.address, '5'],
      });
    });

    test('with an asset', async () => {
      const issue = await operation('assetIssue', {
        sourceAddress: bob.address,
        code: 'GOLD',
        assetAmount: '1000',
      });
      assert.equal((await execute({ source: bob, operations: [issue] })).code, '0');
      const byAsset = (args: object) =>
        operation('contractInvokeByAsset', {
          contractAddress: address,
          sourceAddress: bob.address,
          input: JSON.stringify(pay),
          ...args,
        });
      const gold = { code: 'GOLD', issuer: bob.address };
      const { code, description } = await execute({
        source: bob,
        operations: [await byAsset({ ...gold, assetAmount: '400' })],
      });
      assert.equal(code, '0', description);
      assert.equal(JSON.parse(await ask(address)).asset, '400');
      const held = resultOf(await sdk.token.asset.getInfo({ address, ...gold }));
      assert.equal(at(held, 'assets', 0, 'amount'), '400');
      const bare = await execute({ source: bob, operations: [await byAsset({ assetAmount: '0' })] });
      assert.equal(bare.code, '0', 'a call without an asset');
      const tooMuch = await execute({
        source: bob,
        operations: [await byAsset({ ...gold, assetAmount: '601' })],
      });
      assert.equal(tooMuch.code, '104');
      assert.equal(JSON.parse(await ask(address)).asset, '400');
    });

    test('the contract pays', async () => {
      const payOut = { method: 'payOut', amount: '7' };
      const executed = await execute({ operations: [await invoke(payOut, {}, rich)] });
      assert.equal(executed.code, '0', executed.description);
      const [payment] = at(executed.record, 'contract_tx_hashes') as string[];
      const paid = at(resultOf(await sdk.transaction.getInfo(payment)), 'transactions', 0);
      const shown = at(paid, 'transaction', 'operations', 0);
      assert.deepEqual(at(shown, 'pay_coin'), { dest_address: rich.address, amount: '7' });
      assert.equal(at(shown, 'metadata'), Buffer.from('paid out').toString('hex'));
    });

    test('a refusal of the contract is told with contract and text', async () => {
      const stolen = await execute({
        source: carol,
        operations: [await invoke({ method: 'payOut', amount: '7' }, {}, carol)],
      });
      assert.equal(stolen.code, '151');
      const { contract, exception } = JSON.parse(stolen.description);
      assert.deepEqual([contract, exception], [address, 'only the maker is paid out']);
      const unknown = await execute({ source: bob, operations: [await invoke({ method: 'steal' })] });
      assert.equal(unknown.code, '151');
      const tooMuch = { method: 'payOut', amount: '9000000000000000000' };
      const { code, description } = await execute({ operations: [await invoke(tooMuch, {}, rich)] });
      assert.equal(code, '100');
      assert.match(description, /cannot pay/);
    });
  });

  describe('trying out', () => {
    const call = async (args: object) => resultOf(await sdk.contract.call(args));

    test('a query that throws', async () => {
      const throwing = till.replace(
        'return JSON.stringify',
        'throw new Error("no answer"); return JSON.stringify',
      );
      const result = await call({ code: throwing, optType: 2, input: 'x' });
      const data = at(result, 'query_rets', 0, 'error', 'data');
      assert.match(at(data, 'exception') as string, /no answer/);
    });

    test('main and init, by address and by code, changing nothing', async () => {
      const before = await ask(address);
      const input = JSON.stringify({ method: 'pay' });
      const main = await call({ contractAddress: address, optType: 1, input, sourceAddress: bob.address });
      const txs = at(main, 'txs') as JsonValue[];
      assert.equal(txs.length, 3, 'two that it triggers, and the call itself');
      assert.equal(at(txs[2], 'transaction_env', 'transaction', 'source_address'), bob.address);
      const failed = await call({ contractAddress: address, optType: 1, input: '{}' });
      assert.equal(at(failed, 'txs', 0, 'error_code'), '151');
      const init = await call({ code: till, optType: 0, input: '{"name":"trial"}', contractBalance: '500' });
      assert.equal((at(init, 'txs') as JsonValue[]).length, 3);
      assert.equal(await ask(address), before);
    });

    test('code with mistakes', async () => {
      const result = await call({ code: 'function init() {}', optType: 2 });
      assert.equal(at(result, 'error_code'), 152);
      assert.ok((at(result, 'error_desc_json') as JsonValue[]).length > 0);
    });
  });

  describe('upgrading', () => {
    const upgrade = (args: object, source = rich) =>
      operation('contractUpgrade', {
        contractAddress: address,
        sourceAddress: source.address,
        sPayload: false,
        sOwner: false,
        ...args,
      });
    const info = async () =>
      at(resultOf(await sdk.contract.getInfo(address)), 'contract') as { payload: string; owner: string };

    test('not by a stranger', async () => {
      const stolen = await upgrade({ sPayload: true, payload: newTill }, bob);
      assert.equal((await execute({ source: bob, operations: [stolen] })).code, '93');
      const taken = await upgrade({ sOwner: true, owner: bob.address }, bob);
      assert.equal((await execute({ source: bob, operations: [taken] })).code, '93');
      assert.deepEqual(await info(), { type: 0, payload: till, owner: rich.address });
    });

    test('to code with mistakes is refused', async () => {
      const bad = await upgrade({ sPayload: true, payload: 'nonsense' });
      assert.equal((await submit({ operations: [bad] })).errorCode, '152');
    });

    test('the code: storage stays', async () => {
      const change = await upgrade({ sPayload: true, payload: newTill });
      assert.equal((await execute({ operations: [change] })).code, '0');
      assert.deepEqual(await info(), { type: 0, payload: newTill, owner: rich.address });
      assert.equal(await ask(address), 'version 2');
      const { metadata } = resultOf(await sdk.account.getMetadata({ address, key: 'asset' })) as never;
      assert.equal(at(metadata, 'value'), '400');
    });

    test('the owner', async () => {
      const change = await upgrade({ sOwner: true, owner: bob.address });
      assert.equal((await execute({ operations: [change] })).code, '0');
      assert.equal((await info()).owner, bob.address);
      const late = await upgrade({ sPayload: true, payload: till });
      assert.equal((await execute({ operations: [late] })).code, '93');
    });

    test('both at once', async () => {
      const change = await upgrade(
        { sPayload: true, payload: till, sOwner: true, owner: carol.address },
        bob,
      );
      assert.equal((await execute({ source: bob, operations: [change] })).code, '0');
      assert.deepEqual(await info(), { type: 0, payload: till, owner: carol.address });
      assert.equal(JSON.parse(await ask(address)).asset, '400');
    });
  });
}
