/**
 * Every operation builder of the unmodified public SDK, with every option it takes, from evaluateFee to history: what the
 * package writes into an order is understood as it is meant, and the fee that it is told is enough for the blob it makes.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type Person, person } from '../support/people.ts';
import { type AskedNode, operations as bodies } from '../support/running-node.ts';
import { CallRecord, openSdk, resultOf, type Sdk } from '../support/zetrix-sdk.ts';
import type { OpenChain } from './client-chain.ts';

const bob = person('bob the builder');
const carol = person('carol the builder');
const body = '(input) { return true; }';
const payload = `"use strict"; function init${body} function main${body} function query${body}`;

const secondSignatureBytes = 200n;

interface Built {
  readonly sourceAddress: string;
  readonly nonce: string;
  readonly operations: readonly (JsonValue | undefined)[];
  readonly metadata: string;
  readonly gasPrice: string;
  readonly feeLimit: string;
}

/** Every builder of the SDK. */
export function registerBuilders(open: OpenChain): void {
  const owner = ownerOfSuite();
  const record = new CallRecord();

  let node: AskedNode;
  let rich: Person;
  let sdk: Sdk;
  let contractAddress: string;

  before(async () => {
    ({ node, rich } = await open(owner));
    sdk = openSdk(node.url, record);
    const { payCoin, issueAsset, payAsset } = bodies;
    const gold = { issuer: rich.address, code: 'GOLD', amount: 1000 };
    const create = {
      type: 1,
      create_account: { contract: { payload, owner: rich.address }, priv: { tx_threshold: 1 } },
    };
    const made = await node.execute({
      source: rich,
      operations: [
        payCoin(bob.address, 10n ** 12n),
        payCoin(carol.address, 10n ** 12n),
        issueAsset('GOLD', 10n ** 6n),
        payAsset(bob.address, gold),
        create,
      ],
    });
    assert.equal(made.error_code, 0, made.error_desc as string);
    contractAddress = JSON.parse(made.error_desc as string)[0].contract_address;
  });

  /** What each builder must be given, and what else it takes. */
  const builders = (): Record<string, { readonly needed: JsonObject; readonly options: JsonObject }> => {
    const asset = { code: 'GOLD', issuer: rich.address };
    return {
      accountActivate: { needed: { destAddress: '' }, options: { initBalance: '1000' } },
      accountSetMetadata: { needed: { key: '', value: 'v' }, options: { version: '0', deleteFlag: false } },
      accountSetPrivilege: {
        needed: {},
        options: {
          masterWeight: '1',
          txThreshold: '1',
          signers: [{ address: carol.address, weight: '0' }],
          typeThresholds: [{ type: '1', threshold: '1' }],
        },
      },
      assetIssue: { needed: { code: '', assetAmount: '5' }, options: {} },
      assetSend: { needed: { destAddress: carol.address, ...asset, assetAmount: '5' }, options: {} },
      contractCreate: {
        needed: { payload },
        options: { initBalance: '10', initInput: '{}', owner: rich.address },
      },
      contractInvokeByAsset: {
        needed: { contractAddress },
        options: { ...asset, assetAmount: '5', input: '{}' },
      },
      contractInvokeByGas: { needed: { contractAddress }, options: { gasAmount: '5', input: '{}' } },
      contractUpgrade: { needed: { contractAddress, sPayload: true, payload, sOwner: false }, options: {} },
      gasSend: { needed: { destAddress: carol.address, gasAmount: '5' }, options: {} },
      logCreate: { needed: { topic: 'news', data: 'all is well' }, options: {} },
    };
  };

  let count = 0;
  /** Names that each call needs anew. */
  function fresh(args: JsonObject): JsonObject {
    count++;
    return {
      ...args,
      ...(args.destAddress === '' && { destAddress: person(`fresh ${count}`).address }),
      ...(args.key === '' && { key: `key${count}` }),
      ...(args.code === '' && { code: `CODE${count}` }),
    };
  }

  /** Builds an operation and evaluates its transaction. */
  async function evaluate(builder: string, args: JsonObject): Promise<Built> {
    const built = resultOf(await sdk.operation[`${builder}Operation`](fresh(args)));
    const { nonce } = resultOf(await sdk.account.getNonce(rich.address)) as { nonce: string };
    const order = {
      sourceAddress: rich.address,
      nonce: String(BigInt(nonce) + 1n),
      operations: [at(built, 'operation')],
      metadata: 'a note',
    };
    const fee = resultOf(await sdk.transaction.evaluateFee(order)) as { gasPrice: string; feeLimit: string };
    return { ...order, ...fee };
  }

  /** Evaluates and submits with the fee that was told; answers the executed operation. */
  async function passThrough(builder: string, args: JsonObject): Promise<JsonObject> {
    const order = await evaluate(builder, args);
    const isAlone = (args.sourceAddress ?? rich.address) === rich.address;
    // The package never sends how many will sign: what it is told is the fee with one signature.
    const feeLimit = String(BigInt(order.feeLimit) + (isAlone ? 0n : secondSignatureBytes));
    const made = resultOf(await sdk.transaction.buildBlob({ ...order, feeLimit }));
    const blob = at(made, 'transactionBlob') as string;
    const privateKeys = isAlone ? [rich.privateKey] : [rich.privateKey, bob.privateKey];
    const signed = resultOf(await sdk.transaction.sign({ privateKeys, blob }));
    const reply = resultOf(await sdk.transaction.submit({ blob, signature: at(signed, 'signatures') }));
    const executed = await node.record(at(reply, 'hash') as string);
    assert.equal(executed.error_code, 0, executed.error_desc as string);
    return at(executed, 'transaction', 'operations', 0) as JsonObject;
  }

  describe('every builder', () => {
    test('is in the list', () => {
      const listed = Object.keys(builders()).map((name) => `operation.${name}Operation`);
      const offered = record.offered.filter((name) => name.startsWith('operation.'));
      assert.deepEqual(listed.sort(), offered);
    });

    test('is understood with each of its options, and with all of them', async () => {
      const everywhere = { sourceAddress: rich.address, metadata: 'a remark' };
      for (const [builder, { needed, options }] of Object.entries(builders())) {
        const all = { ...options, ...everywhere };
        // An asset is said whole or not at all.
        const apart = Object.entries(all).filter(
          ([name]) => !['code', 'issuer', 'assetAmount'].includes(name),
        );
        for (const [name, value] of apart) await evaluate(builder, { ...needed, [name]: value });
        for (const some of [{}, all]) await passThrough(builder, { ...needed, ...some });
      }
    });

    test('hands a contract over, with new code or without', async () => {
      const both = { contractAddress, sPayload: true, payload, sOwner: true, owner: rich.address };
      await passThrough('contractUpgrade', both);
      const { payload: _, ...handedOver } = both;
      await passThrough('contractUpgrade', { ...handedOver, sPayload: false });
    });

    test('may name another source than the transaction', async () => {
      for (const [builder, { needed }] of Object.entries(builders())) {
        if (builder === 'contractUpgrade') continue;
        const done = await passThrough(builder, { ...needed, sourceAddress: bob.address });
        // The package leaves it out of the blob of this one.
        if (builder !== 'assetIssue') assert.equal(done.source_address, bob.address, builder);
      }
    });

    test('an asset is issued by whom the order names, and by nobody else', async () => {
      const issue = (more: JsonObject, body: JsonObject) => ({
        source_address: rich.address,
        nonce: 9999,
        fee_limit: 6_000_000,
        gas_price: 1,
        operations: [{ type: 2, issue_asset: { code: 'X', amount: 5, ...body }, ...more }],
      });
      const made = await node.post('getTransactionBlob', issue({}, { source_address: bob.address }));
      assert.equal(made.error_code, 0, made.error_desc as string);
      const blob = at(made, 'result', 'transaction_blob') as string;
      const shown = await node.ask('getTransactionFromBlob', { blob });
      assert.equal(at(shown, 'transaction', 'operations', 0, 'source_address'), bob.address);
      const torn = issue({ source_address: carol.address }, { source_address: bob.address });
      const refused = await node.post('getTransactionBlob', torn);
      assert.equal(refused.error_code, 2);
      assert.match(refused.error_desc as string, /issue_asset\.source_address: .*says something else/);
    });
  });
}
