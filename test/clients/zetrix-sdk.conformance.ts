/**
 * The unmodified public SDK does everything it offers against a running node: tests for every group of functions,
 * and one that finds a function nobody has called. Its keys and signatures are in `zetrix-encryption.test.ts`.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonValue } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type Person, person } from '../support/people.ts';
import type { AskedNode } from '../support/running-node.ts';
import { until } from '../support/until.ts';
import {
  CallRecord,
  installedVersion,
  openSdk,
  resultOf,
  type Sdk,
  type SdkReply,
  sdkModules,
} from '../support/zetrix-sdk.ts';
import type { ClientChain, OpenChain } from './client-chain.ts';

interface Sending {
  readonly source?: Person;
  readonly signers?: readonly Person[];
  readonly operations: readonly (JsonValue | undefined)[];
  readonly more?: object;
}

const bob = person('bob of the SDK');
const carol = person('carol of the SDK');
const stranger = person('stranger of the SDK');
const tooExact = '9007199254740993';

/** Everything that the SDK offers, but for contracts that there are and every option of its builders. */
export function registerSdk(open: OpenChain): void {
  const owner = ownerOfSuite();
  const record = new CallRecord();

  let chain: ClientChain;
  let node: AskedNode;
  let rich: Person;
  let sdk: Sdk;

  before(async () => {
    chain = await open(owner);
    ({ node, rich } = chain);
    sdk = openSdk(node.url, record);
  });

  const operation = async (name: string, args: object): Promise<JsonValue | undefined> =>
    at(resultOf(await sdk.operation[name](args)), 'operation');

  const nonceOf = async ({ address }: Person): Promise<bigint> =>
    BigInt(at(resultOf(await sdk.account.getNonce(address)), 'nonce') as string);

  async function buildBlob({ source = rich, operations, more }: Sending): Promise<string> {
    const built = await sdk.transaction.buildBlob({
      sourceAddress: source.address,
      gasPrice: '1',
      feeLimit: '10000000',
      nonce: String((await nonceOf(source)) + 1n),
      operations: [...operations],
      ...more,
    });
    return at(resultOf(built), 'transactionBlob') as string;
  }

  async function submit(sending: Sending): Promise<SdkReply> {
    const { source = rich, signers = [source] } = sending;
    const blob = await buildBlob(sending);
    const signed = await sdk.transaction.sign({ privateKeys: signers.map((it) => it.privateKey), blob });
    return sdk.transaction.submit({ blob, signature: at(resultOf(signed), 'signatures') });
  }

  /** Submits and polls, as the SDK's own examples do; answers the executed transaction. */
  async function execute(sending: Sending): Promise<JsonValue | undefined> {
    const hash = at(resultOf(await submit(sending)), 'hash');
    const history = await until('the transaction is executed', async () => {
      const reply = await sdk.transaction.getInfo(hash);
      if (reply.errorCode !== 0) assert.equal(reply.errorCode, 15014);
      return reply.errorCode === 0 && resultOf(reply);
    });
    assert.equal(at(history, 'total_count'), '1');
    return at(history, 'transactions', 0);
  }

  async function succeed(sending: Sending): Promise<JsonValue | undefined> {
    const executed = await execute(sending);
    assert.equal(at(executed, 'error_code'), '0', at(executed, 'error_desc') as string);
    return executed;
  }

  describe('the installed package', () => {
    test('is the published one', () => {
      assert.equal(installedVersion('zetrix-sdk-nodejs'), '1.0.1');
      assert.deepEqual(sdkModules(node.url).sort(), Object.keys(sdk).sort());
    });
  });

  describe('account', () => {
    test('create and checkValid agree with the node', async () => {
      const made = resultOf(await sdk.account.create());
      const address = at(made, 'address') as string;
      assert.deepEqual(resultOf(await sdk.account.checkValid(address)), { isValid: true });
      assert.deepEqual(resultOf(await sdk.account.checkValid('ZTX3no')), { isValid: false });
      const reply = await node.ask('getAddress', { private_key: at(made, 'privateKey') as string });
      assert.equal(at(reply, 'result', 'address'), address);
      assert.equal(at(reply, 'result', 'public_key'), at(made, 'publicKey'));
    });

    test('reads an account that has done nothing yet', async () => {
      const info = resultOf(await sdk.account.getInfo(rich.address));
      assert.deepEqual(info, {
        address: rich.address,
        balance: chain.balance,
        nonce: '0',
        assets: [],
        priv: { master_weight: '1', thresholds: { tx_threshold: '1' } },
      });
      assert.deepEqual(resultOf(await sdk.account.getBalance(rich.address)), { balance: chain.balance });
      assert.deepEqual(resultOf(await sdk.account.getNonce(rich.address)), { nonce: '0' });
      assert.deepEqual(resultOf(await sdk.account.getAssets(rich.address)), { assets: [] });
      const metadata = await sdk.account.getMetadata({ address: rich.address, key: 'nothing' });
      assert.deepEqual(resultOf(metadata), { metadata: {} });
      assert.deepEqual(resultOf(await sdk.account.isActivated(rich.address)), { isActivated: true });
    });

    test('says clearly that there is no such account', async () => {
      for (const name of ['getInfo', 'getBalance', 'getNonce', 'getAssets']) {
        const { errorCode, errorDesc } = await sdk.account[name](stranger.address);
        assert.deepEqual([errorCode, errorDesc], [15001, 'Account not exist'], name);
      }
      const { errorCode } = await sdk.account.getMetadata({ address: stranger.address, key: 'k' });
      assert.equal(errorCode, 15001);
      assert.deepEqual(resultOf(await sdk.account.isActivated(stranger.address)), { isActivated: false });
      assert.equal((await sdk.account.getInfo('ZTX3no')).errorCode, 11006);
    });
  });

  describe('transactions', () => {
    test('activate an account', async () => {
      const activate = await operation('accountActivateOperation', {
        destAddress: bob.address,
        initBalance: '0',
        metadata: 'welcome',
      });
      const executed = await succeed({ operations: [activate], more: { metadata: 'a note' } });
      assert.equal(at(executed, 'transaction', 'metadata'), Buffer.from('a note').toString('hex'));
      const shown = at(executed, 'transaction', 'operations', 0, 'metadata');
      assert.equal(shown, Buffer.from('welcome').toString('hex'));
      assert.deepEqual(resultOf(await sdk.account.isActivated(bob.address)), { isActivated: true });
    });

    test('send Gas, exact above 2^53', async () => {
      const send = await operation('gasSendOperation', { destAddress: bob.address, gasAmount: tooExact });
      const executed = await succeed({ operations: [send], more: { ceilLedgerSeq: '1000000' } });
      assert.equal(at(executed, 'transaction', 'operations', 0, 'pay_coin', 'amount'), tooExact);
      assert.equal(at(resultOf(await sdk.account.getBalance(bob.address)), 'balance'), tooExact);
      const toNew = await operation('gasSendOperation', {
        destAddress: carol.address,
        gasAmount: '50000000000',
      });
      await succeed({ operations: [toNew] });
      assert.equal(at(resultOf(await sdk.account.getBalance(carol.address)), 'balance'), '50000000000');
    });

    test('issue and send assets, exact above 2^53', async () => {
      const issue = await operation('assetIssueOperation', {
        code: 'GOLD',
        assetAmount: '9223372036854775807',
      });
      await succeed({ operations: [issue] });
      const asset = { code: 'GOLD', issuer: rich.address };
      const send = await operation('assetSendOperation', {
        ...asset,
        destAddress: bob.address,
        assetAmount: tooExact,
        metadata: 'gold',
      });
      await succeed({ operations: [send] });
      const key = { code: 'GOLD', issuer: rich.address };
      const held = [{ amount: tooExact, key }];
      assert.deepEqual(resultOf(await sdk.account.getAssets(bob.address)), { assets: held });
      const info = await sdk.token.asset.getInfo({ address: bob.address, ...asset });
      assert.deepEqual(resultOf(info), { assets: held });
      const other = await sdk.token.asset.getInfo({ address: bob.address, ...asset, code: 'SILVER' });
      assert.deepEqual(resultOf(other), { assets: [] });
      const nobody = await sdk.token.asset.getInfo({ address: stranger.address, ...asset });
      assert.deepEqual(resultOf(nobody), { assets: [] });
      const left = await sdk.token.asset.getInfo({ address: rich.address, ...asset });
      assert.equal(at(resultOf(left), 'assets', 0, 'amount'), String(2n ** 63n - 1n - BigInt(tooExact)));
    });

    test('set, change and delete metadata', async () => {
      const set = (value: string, more: object = {}) =>
        operation('accountSetMetadataOperation', { key: 'color', value, ...more });
      const read = async () =>
        at(resultOf(await sdk.account.getMetadata({ address: rich.address, key: 'color' })), 'metadata');
      await succeed({ operations: [await set('red')] });
      assert.deepEqual(await read(), { key: 'color', value: 'red', version: '1' });
      await succeed({ operations: [await set('green', { version: '1' })] });
      assert.deepEqual(await read(), { key: 'color', value: 'green', version: '2' });
      const stale = await execute({ operations: [await set('blue', { version: '1' })] });
      assert.equal(at(stale, 'error_code'), '144');
      await succeed({ operations: [await set('green', { deleteFlag: true })] });
      assert.deepEqual(await read(), {});
    });

    test('write a log', async () => {
      const log = await operation('logCreateOperation', {
        topic: 'news',
        data: 'all is well',
        metadata: 'm',
      });
      const executed = await succeed({ operations: [log] });
      const shown = at(executed, 'transaction', 'operations', 0, 'log');
      assert.deepEqual(shown, { topic: 'news', datas: ['all is well'] });
    });

    test('hold several operations, some of another source', async () => {
      const operations = [
        await operation('gasSendOperation', { destAddress: carol.address, gasAmount: '1' }),
        await operation('gasSendOperation', {
          sourceAddress: carol.address,
          destAddress: bob.address,
          gasAmount: '2',
        }),
      ];
      const alone = await execute({ operations });
      assert.equal(at(alone, 'error_code'), '93', 'carol has not signed');
      await succeed({ operations, signers: [rich, carol] });
    });

    test('set and delete privileges, with the zeros the SDK writes out', async () => {
      const signers = (weight: string) => [{ address: carol.address, weight }];
      const types = (threshold: string) => [{ type: '7', threshold }];
      const set = await operation('accountSetPrivilegeOperation', {
        masterWeight: '2',
        txThreshold: '1',
        signers: signers('5'),
        typeThresholds: types('3'),
      });
      await succeed({ source: bob, operations: [set] });
      const priv = async () => at(resultOf(await sdk.account.getInfo(bob.address)), 'priv');
      assert.deepEqual(await priv(), {
        master_weight: '2',
        signers: [{ address: carol.address, weight: '5' }],
        thresholds: { tx_threshold: '1', type_thresholds: [{ type: '7', threshold: '3' }] },
      });
      const remove = await operation('accountSetPrivilegeOperation', {
        masterWeight: '1',
        signers: signers('0'),
        typeThresholds: types('0'),
      });
      const blob = await buildBlob({ source: bob, operations: [remove] });
      const decoded = await node.ask('getTransactionFromBlob', { blob });
      const encoded = await node.post('getTransactionBlob', decoded.transaction);
      assert.notEqual(at(encoded, 'result', 'transaction_blob'), blob, 'this blob is not canonical');
      const executed = await succeed({ source: bob, operations: [remove] });
      assert.equal(at(executed, 'hash'), decoded.hash, 'the received bytes are what counts');
      assert.deepEqual(await priv(), { master_weight: '1', thresholds: { tx_threshold: '1' } });
    });

    test('need all the signatures an account asks for', async () => {
      const both = await operation('accountSetPrivilegeOperation', {
        txThreshold: '2',
        signers: [{ address: bob.address, weight: '1' }],
      });
      await succeed({ source: carol, operations: [both] });
      const log = await operation('logCreateOperation', { topic: 'both', data: 'agree' });
      const alone = await submit({ source: carol, operations: [log] });
      assert.equal(alone.errorCode, '93');
      const executed = await succeed({ source: carol, signers: [carol, bob], operations: [log] });
      assert.equal((at(executed, 'signatures') as JsonValue[]).length, 2);
      const later = at(resultOf(await sdk.account.getNonce(carol.address)), 'nonce');
      assert.equal(later, '2');
    });
  });

  describe('fees', () => {
    const operations = () =>
      Promise.all([
        operation('gasSendOperation', { destAddress: bob.address, gasAmount: '5', metadata: 'no' }),
        operation('accountActivateOperation', { destAddress: person('newcomer').address }),
        operation('assetSendOperation', {
          destAddress: bob.address,
          code: 'GOLD',
          issuer: rich.address,
          assetAmount: '5',
        }),
        operation('accountSetMetadataOperation', { key: 'k', value: 'v' }),
        operation('logCreateOperation', { topic: 't', data: 'd' }),
        operation('accountSetPrivilegeOperation', { signers: [{ address: bob.address, weight: '0' }] }),
      ]);

    test('evaluateFee gives a fee that is enough, and not much more', async () => {
      const nonce = String((await nonceOf(rich)) + 1n);
      const evaluated = await sdk.transaction.evaluateFee({
        sourceAddress: rich.address,
        nonce,
        metadata: 'hello',
        ceilLedgerSeq: '1000000',
        signtureNumber: '1',
        operations: await operations(),
      });
      const fee = resultOf(evaluated);
      assert.equal(at(fee, 'gasPrice'), '1');
      const more = { ...(fee as object), metadata: 'hello', ceilLedgerSeq: '1000000' };
      const executed = await succeed({ operations: await operations(), more });
      const spare = BigInt(at(fee, 'feeLimit') as string) - BigInt(at(executed, 'actual_fee') as string);
      assert.ok(spare >= 0n && spare < 40n, `${spare} too much`);
    });

    test('evaluateFee lets a payment make an account, and notes come back', async () => {
      const made = person('made by the SDK');
      const operations = [await operation('gasSendOperation', { destAddress: made.address, gasAmount: '7' })];
      const nonce = String((await nonceOf(rich)) + 1n);
      const evaluated = await sdk.transaction.evaluateFee({
        sourceAddress: rich.address,
        nonce,
        operations,
      });
      const more = { ...(resultOf(evaluated) as object), feeLimit: '1000', metadata: '20261116' };
      const executed = await succeed({ operations, more });
      assert.equal(at(executed, 'transaction', 'metadata_text'), '20261116');
      assert.deepEqual(resultOf(await sdk.account.getNonce(made.address)), { nonce: '0' });
      assert.deepEqual(resultOf(await sdk.account.getBalance(made.address)), { balance: '7' });
    });

    test('evaluateFee reports what would go wrong', async () => {
      const log = [await operation('logCreateOperation', { topic: 't', data: 'd' })];
      const ask = (sourceAddress: string, nonce: string) =>
        sdk.transaction.evaluateFee({ sourceAddress, nonce, operations: log });
      assert.equal((await ask(stranger.address, '1')).errorCode, 103);
      assert.equal((await ask(rich.address, '1')).errorCode, 99);
    });

    test("submit reports a refusal with the node's code and words", async () => {
      const log = await operation('logCreateOperation', { topic: 't', data: 'd' });
      const refused = await submit({ operations: [log], more: { feeLimit: '1' } });
      assert.equal(refused.errorCode, '111');
      assert.match(refused.errorDesc, /fee_limit 1 is below the fee/);
      const used = await submit({ operations: [log], more: { nonce: '1' } });
      assert.equal(used.errorCode, '99');
    });
  });

  describe('block', () => {
    test('tells number, status and the latest', async () => {
      const before = at(resultOf(await sdk.block.getNumber()), 'header', 'blockNumber') as string;
      assert.ok(BigInt(before) > 1n);
      assert.deepEqual(resultOf(await sdk.block.checkStatus()), { isSynchronous: true });
      const latest = resultOf(await sdk.block.getLatestInfo());
      const number = at(latest, 'number') as string;
      assert.ok(BigInt(number) >= BigInt(before));
      assert.deepEqual(resultOf(await sdk.block.getInfo(number)), latest);
      assert.match(at(latest, 'closeTime') as string, /^\d{16}$/);
      const asked = [await sdk.block.getLatestValidators(), await sdk.block.getValidators('1')];
      for (const told of asked) {
        const validators = at(resultOf(told), 'validators') as string[];
        assert.deepEqual(validators.toSorted(), chain.validators.toSorted());
      }
      const { fees } = resultOf(await sdk.block.getLatestFees()) as { fees: JsonValue };
      assert.equal(at(fees, 'gas_price'), '1');
      assert.equal(at(fees, 'base_reserve'), '0');
      assert.equal(at(resultOf(await sdk.block.getInfo('1')), 'txCount'), '0');
      assert.deepEqual(resultOf(await sdk.block.getFees('1')), { fees });
      const log = await operation('logCreateOperation', { topic: 't', data: 'd' });
      const executed = await succeed({ operations: [log] });
      const transactions = resultOf(await sdk.block.getTransactions(at(executed, 'ledger_seq')));
      const hashes = (at(transactions, 'transactions') as JsonValue[]).map((one) => at(one, 'hash'));
      assert.ok(hashes.includes(at(executed, 'hash')));
      assert.equal(at(transactions, 'total_count'), String(hashes.length));
    });

    test('says clearly that there is no such block', async () => {
      for (const name of ['getTransactions', 'getInfo', 'getValidators', 'getFees']) {
        assert.equal((await sdk.block[name]('1000000')).errorCode, 15014, name);
        assert.equal((await sdk.block[name]('0')).errorCode, 11060, name);
      }
    });

    test('getLatestReward needs a contract that this chain does not have', async () => {
      const { errorCode, errorDesc } = await sdk.block.getLatestReward();
      assert.equal(errorCode, 4);
      assert.match(errorDesc, /no contract at ZTX3ePNZQhndgGzKLmg1SFfno3N42mLhPYJMN/);
    });
  });

  describe('contract', () => {
    test('is told apart from other accounts', async () => {
      assert.deepEqual(resultOf(await sdk.contract.checkValid(bob.address)), { isValid: false });
      assert.equal((await sdk.contract.checkValid(stranger.address)).errorCode, 15001);
      assert.equal((await sdk.contract.getInfo(bob.address)).errorCode, 11038);
      assert.equal((await sdk.contract.getInfo(stranger.address)).errorCode, 11038);
      assert.equal((await sdk.contract.getInfo('ZTX3no')).errorCode, 11037);
    });

    test('call answers cleanly where there is none', async () => {
      const call = (args: object) => sdk.contract.call({ optType: 2, input: '{}', ...args });
      assert.equal((await call({ contractAddress: bob.address })).errorCode, 11037);
      const missing = resultOf(
        await call({ contractAddress: stranger.address, feeLimit: '10', gasPrice: '1' }),
      );
      assert.equal(at(missing, 'error_code'), 4);
      assert.match(at(missing, 'error_desc') as string, /no contract/);
      assert.equal((await call({})).errorCode, 11063);
    });

    test('getAddress finds no contract in a transaction that made none', async () => {
      const log = await operation('logCreateOperation', { topic: 't', data: 'd' });
      const executed = await succeed({ operations: [log] });
      const none = { contractAddressList: [] };
      assert.deepEqual(resultOf(await sdk.contract.getAddress(at(executed, 'hash'))), none);
      assert.deepEqual(resultOf(await sdk.contract.getAddress('00'.repeat(32))), none);
    });

    test('operations of contracts are built and read by the node', async () => {
      const read = async (built: JsonValue | undefined) => {
        const blob = await buildBlob({ operations: [built] });
        const decoded = await node.ask('getTransactionFromBlob', { blob });
        return at(decoded, 'transaction', 'operations', 0);
      };
      const payload = '"use strict"; function init() {} function main() {} function query() {}';
      const creation = { initBalance: '0', payload, initInput: '{}', owner: rich.address };
      assert.deepEqual(await read(await operation('contractCreateOperation', creation)), {
        type: 1,
        create_account: {
          contract: { payload, owner: rich.address },
          init_input: '{}',
          priv: { thresholds: { tx_threshold: 1 } },
        },
      });
      const called = { contractAddress: stranger.address, input: '{}' };
      assert.deepEqual(
        await read(await operation('contractInvokeByGasOperation', { ...called, gasAmount: '5' })),
        {
          type: 7,
          pay_coin: { dest_address: stranger.address, amount: 5, input: '{}' },
        },
      );
      const asset = { code: 'GOLD', issuer: rich.address, assetAmount: '5' };
      assert.deepEqual(
        await read(await operation('contractInvokeByAssetOperation', { ...called, ...asset })),
        {
          type: 3,
          pay_asset: {
            dest_address: stranger.address,
            asset: { key: { code: 'GOLD', issuer: rich.address }, amount: 5 },
            input: '{}',
          },
        },
      );
      const upgrade = { contractAddress: stranger.address, sPayload: true, payload, sOwner: false };
      assert.deepEqual(await read(await operation('contractUpgradeOperation', upgrade)), {
        type: 10,
        upgrade_contract: { dest_address: stranger.address, payload, s_payload: true },
      });
    });

    test('operations of contracts are refused where the account is none', async () => {
      const asked = { contractAddress: bob.address, sPayload: true, sOwner: false, payload: 'p' };
      for (const name of ['contractInvokeByGas', 'contractInvokeByAsset', 'contractUpgrade']) {
        assert.equal((await sdk.operation[`${name}Operation`](asked)).errorCode, 11038, name);
      }
    });
  });

  describe('util', () => {
    test('counts in the unit of the chain', () => {
      assert.equal(sdk.util.gasToUGas('1.5'), '1500000');
      assert.equal(sdk.util.ugasToGas('1500000'), '1.5');
      assert.equal(sdk.util.unitWithDecimals('12', '6'), '12000000');
      assert.equal(sdk.util.utfToHex('é'), 'c3a9');
      assert.equal(sdk.util.hexToUtf('c3a9'), 'é');
      assert.equal(sdk.util.isBigNumber(sdk.util.toBigNumber(tooExact)), true);
    });
  });

  describe('what the package offers', () => {
    test('has all been called', () => {
      assert.ok(record.offered.length > 40);
      assert.deepEqual(record.uncalled, []);
    });
  });
}
