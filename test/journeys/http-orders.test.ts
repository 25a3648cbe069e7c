/**
 * Transactions that a caller writes as JSON, over HTTP: whatever is missing or not understood is refused with the names
 * of the wire, because a member that is passed over becomes a transaction that nobody meant. What public clients are
 * known to send is understood as they mean it.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { person, richest } from '../support/people.ts';
import { operations, type RunningNode, startNode } from '../support/running-node.ts';

const { payCoin, setPrivilege, log } = operations;
const owner = ownerOfSuite();
const bob = person('bob');
const carol = person('carol');

let node: RunningNode;
before(async () => {
  node = await startNode(owner);
  await node.execute({ operations: [payCoin(bob.address, 10n ** 9n)] });
});

const terms = { source_address: richest.address, nonce: 9, fee_limit: 1_000_000, gas_price: 1 };
const order = (operation: JsonObject, more: JsonObject = {}) => ({
  ...terms,
  operations: [operation],
  ...more,
});
const blob = (body: JsonObject) => node.post('getTransactionBlob', body);

/** What the node understands a transaction to say. */
async function understood(body: JsonObject): Promise<JsonObject> {
  const reply = await blob(body);
  assert.equal(reply.error_code, 0, reply.error_desc as string);
  const shown = await node.ask('getTransactionFromBlob', {
    blob: at(reply, 'result', 'transaction_blob') as string,
  });
  return at(shown, 'transaction', 'operations', 0) as JsonObject;
}

async function refused(body: JsonObject, words: RegExp, code = 2): Promise<void> {
  const reply = await blob(body);
  assert.deepEqual([reply.error_code, reply.result], [code, null], stringifyJson(body));
  assert.match(reply.error_desc as string, words);
}

describe('getTransactionBlob', () => {
  test('makes no blob of what is no transaction', async () => {
    await refused({}, /^source_address: is missing/);
    await refused(
      { transaction: order(log('t', 'd')) },
      /"transaction" is not known here; did you mean "transfer"/,
    );
    await refused({ items: [{ transaction_json: order(log('t', 'd')) }] }, /"items" is not known here/);
    await refused({ transfer: {} }, /^source_address: is missing/);
    await refused({ transfer: stringifyJson(order(log('t', 'd'))) }, /^transfer: must be an object/);
    await refused({ transfer: order(log('t', 'd')), gas_price: 5 }, /"gas_price" is not known here/);
    for (const name of ['source_address', 'nonce', 'fee_limit', 'gas_price'])
      for (const value of [undefined, null, '']) {
        const { [name]: _, ...rest } = order(log('t', 'd')) as JsonObject;
        await refused(
          { transfer: value === undefined ? rest : { ...rest, [name]: value } },
          new RegExp(`^${name}: is missing`),
        );
      }
    for (const list of [{}, { operations: null }, { operations: [] }] as JsonObject[])
      await refused({ transfer: { ...terms, ...list } }, /no operation/, 97);
    await refused({ ...terms, operations: Array.from({ length: 101 }, () => log('t', 'd')) }, /100/, 98);
  });

  test('names what it does not know as the wire does', async () => {
    const pay = { dest_address: bob.address, amount: 5 };
    await refused(
      order({ type: 7, pay_coin: { dest_address: bob.address, amout: 5 } }),
      /^operations\[0\]\.pay_coin: "amout".*did you mean "amount"/,
    );
    await refused(order({ type: 7, payCoin: pay }), /^operations\[0\]: "payCoin".*did you mean "pay_coin"/);
    await refused(order({ type: 7 }), /^operations\[0\]\.pay_coin: is missing/);
    await refused(order({ type: 7, pay_coin: null }), /^operations\[0\]\.pay_coin: is missing/);
    await refused(order({ pay_coin: pay }), /^operations\[0\]\.type: is missing/);
    await refused(
      order({ type: 7, pay_coin: pay, log: { topic: 't', datas: ['d'] } }),
      /^operations\[0\]\.log: /,
    );
    await refused(
      order({ type: 7, pay_coin: { amount: 5 } }),
      /^operations\[0\]\.pay_coin\.dest_address: is missing/,
    );
    await refused(order(payCoin(bob.address, 5), { feeLimit: 5 }), /"feeLimit".*did you mean "fee_limit"/);
    await refused(
      order(payCoin(bob.address, 5, { sourceAddress: bob.address })),
      /did you mean "source_address"/,
    );
    await refused(
      order({
        type: 3,
        pay_asset: { dest_address: bob.address, code: 'A', issuer: carol.address, amonut: 5 },
      }),
      /"amonut".*did you mean "amount"/,
    );
    for (const amount of [{}, { amount: null }, { amount: '' }] as JsonObject[])
      await refused(
        order({ type: 7, pay_coin: { dest_address: bob.address, ...amount } }),
        /pay_coin\.amount: is missing/,
      );
    await refused(order({ type: 2, issue_asset: { code: 'A' } }), /issue_asset\.amount: is missing/);
    await refused(order({ type: 4, set_metadata: { key: 'k' } }), /set_metadata\.value: is missing/);
    await refused(order({ type: 8, log: { topic: 't', data: ['d'] } }), /"data".*did you mean "datas"/);
    await refused(order({ type: 8, log: { datas: ['d'] } }), /log\.topic: is missing/);
    await refused(
      order({ type: 1, create_account: { init_balance: 5 } }),
      /create_account\.dest_address: is missing/,
    );
    const priv = { master_weight: 1, threshold: { tx_threshold: 1 } };
    await refused(
      order({ type: 1, create_account: { dest_address: bob.address, priv } }),
      /priv: "threshold".*did you mean "thresholds"/,
    );
  });

  test('takes no right away by what is left out', async () => {
    const signers = (signer: JsonObject) => order(setPrivilege({ signers: [signer] }));
    await refused(signers({ address: bob.address }), /set_privilege\.signers\[0\]\.weight: is missing/);
    await refused(signers({ address: bob.address, weigth: 1 }), /"weigth".*did you mean "weight"/);
    await refused(signers({ weight: 1 }), /signers\[0\]\.address: is missing/);
    const threshold = (entry: JsonObject) => order(setPrivilege({ type_thresholds: [entry] }));
    await refused(threshold({ type: 7 }), /type_thresholds\[0\]\.threshold: is missing/);
    await refused(threshold({ threshold: 7 }), /type_thresholds\[0\]\.type: is missing/);
    const shown = await understood(signers({ address: bob.address, weight: 0 }));
    assert.deepEqual(
      at(shown, 'set_privilege', 'signers'),
      [{ address: bob.address, weight: 0 }],
      'a deletion is shown',
    );
  });

  test('makes no half of an upgrade', async () => {
    const upgrade = (body: JsonObject): JsonObject =>
      order({ type: 10, upgrade_contract: { dest_address: carol.address, ...body } });
    const [payload, handed] = ['code', bob.address];
    await refused(upgrade({ payload }), /upgrade_contract\.payload: .*s_payload true/);
    await refused(upgrade({ owner: handed }), /upgrade_contract\.owner: .*s_owner true/);
    await refused(upgrade({ s_owner: true, owner: handed, payload }), /upgrade_contract\.payload: /);
    await refused(upgrade({ s_payload: true, payload, owner: handed }), /upgrade_contract\.owner: /);
    await refused(upgrade({ s_payload: false, payload }), /upgrade_contract\.s_payload: is missing/);
    await refused(upgrade({ s_payload: true }), /upgrade_contract\.payload: is missing/);
    await refused(upgrade({ s_owner: true, s_payload: true, payload }), /\.owner: is missing/);
    await refused(upgrade({}), /upgrade_contract\.s_payload: is missing/);
    const whole = { s_payload: true, payload, s_owner: true, owner: handed };
    const shown = await understood(upgrade(whole));
    assert.deepEqual(shown.upgrade_contract, { dest_address: carol.address, ...whole });
    assert.ok(await understood(upgrade({ s_payload: true, payload, s_owner: false, owner: handed })));
  });

  test('does not choose where one thing is said twice, differently', async () => {
    const asset = { key: { code: 'A', issuer: carol.address }, amount: 1 };
    const twice = (more: JsonObject) =>
      order({ type: 3, pay_asset: { dest_address: bob.address, asset, ...more } });
    await refused(twice({ amount: 2 }), /pay_asset\.amount: .*asset/);
    await refused(twice({ code: 'B' }), /pay_asset\.code: /);
    assert.deepEqual(at(await understood(twice({ amount: '1' })), 'pay_asset', 'asset'), asset);
    const create = {
      dest_address: bob.address,
      master_weight: 2,
      priv: { master_weight: 1, thresholds: { tx_threshold: 1 } },
    };
    await refused(order({ type: 1, create_account: create }), /create_account\.master_weight: /);
  });
});

describe('what public clients are known to send', () => {
  /** What a public SDK for Flutter puts into every body beside the operation's own members. */
  const base = (operationType: string): JsonObject => ({
    operationType,
    sourceAddress: richest.address,
    metadata: 'a note',
  });
  const others = { create_account: null, issue_asset: null, log: null, pay_asset: null, set_metadata: null };

  test('is understood as it is meant', async () => {
    const pay = { ...base('GAS_SEND'), dest_address: bob.address, amount: 5 };
    const paid = await understood(order({ ...others, type: 7, pay_coin: pay, set_privilege: null }));
    assert.deepEqual(paid.pay_coin, { dest_address: bob.address, amount: 5 });
    assert.equal(paid.source_address, undefined, "it is the transaction's own");
    assert.equal(paid.metadata, Buffer.from('a note').toString('hex'));
    const forBob = { ...pay, dest_address: carol.address, sourceAddress: bob.address };
    assert.equal((await understood(order({ type: 7, pay_coin: forBob }))).source_address, bob.address);

    const create = {
      ...base('CONTRACT_CREATE'),
      init_balance: '0',
      payload: 'code',
      owner: bob.address,
      initInput: '{}',
    };
    const created = await understood(order({ type: 1, create_account: create }));
    assert.deepEqual(at(created, 'create_account', 'contract'), { owner: bob.address, payload: 'code' });
    assert.equal(at(created, 'create_account', 'init_input'), '{}');

    const invoke = {
      ...base('CONTRACT_INVOKE_BY_ASSET'),
      dest_address: bob.address,
      code: 'A',
      issuer: carol.address,
      asset_amount: 7,
      input: 'x',
    };
    const invoked = await understood(order({ type: 3, pay_asset: invoke }));
    assert.equal(at(invoked, 'pay_asset', 'asset', 'amount'), 7);

    const rights = {
      ...base('ACCOUNT_SET_PRIVILEGE'),
      key: 2,
      signers: null,
      tx_threshold: 1,
      type_thresholds: null,
    };
    const changed = await understood(order({ type: 9, set_privilege: rights }));
    assert.deepEqual(changed.set_privilege, { master_weight: '2', tx_threshold: '1' });
  });

  test('is refused where it contradicts the operation', async () => {
    const pay = { ...base('GAS_SEND'), dest_address: bob.address, amount: 5 };
    await refused(
      order({ type: 7, source_address: bob.address, pay_coin: pay }),
      /pay_coin\.sourceAddress: /,
    );
  });
});

describe('other routes that take a transaction or a call', () => {
  const { fee_limit: _, gas_price: __, ...evaluated } = terms;

  test('refuse what they do not know', async () => {
    const misspelt = {
      ...evaluated,
      operations: [{ type: 7, pay_coin: { dest_address: bob.address, amout: 5 } }],
    };
    const bodies: [route: string, body: JsonObject, words: RegExp][] = [
      ['testTransaction', misspelt, /"amout"/],
      ['testTransaction', { items: [{ transaction_json: misspelt }] }, /"amout"/],
      [
        'testTransaction',
        { ...evaluated, signatureNumber: 2, operations: [log('t', 'd')] },
        /did you mean "signature_number"/,
      ],
      ['testTransaction', { items: [{ transactionJson: misspelt }] }, /did you mean "transaction_json"/],
      ['testTransaction', { nonce: 5, operations: [log('t', 'd')] }, /^source_address: is missing/],
      [
        'submitTransaction',
        {
          items: [
            {
              transaction_json: { ...misspelt, fee_limit: 5, gas_price: 1 },
              private_keys: [richest.privateKey],
            },
          ],
        },
        /"amout"/,
      ],
      ['submitTransaction', { transactionBlob: '0a' }, /did you mean "transaction_blob"/],
      ['submitTransaction', { items: [], wait: true }, /"wait"/],
      ['callContract', { contractAddress: bob.address, opt_type: 2 }, /did you mean "contract_address"/],
      ['callContract', { contract_address: bob.address, optType: 2 }, /did you mean "opt_type"/],
    ];
    for (const [route, body, words] of bodies) {
      const reply = await node.post(route, body);
      assert.equal(reply.error_code, 2, stringifyJson(body));
      assert.match(reply.error_desc as string, words);
    }
  });
});

describe('pay_asset without an asset', () => {
  const nothing = (destination: string): JsonObject => ({
    type: 3,
    pay_asset: { dest_address: destination, input: 'x' },
  });

  test('is a call, and fails where there is nothing to call', async () => {
    const record = await node.execute({ operations: [nothing(bob.address)] });
    assert.equal(record.error_code, 92);
    assert.match(record.error_desc as string, /asset/);
    const evaluated = await node.post('testTransaction', {
      source_address: richest.address,
      nonce: 99,
      operations: [nothing(bob.address)],
    });
    assert.equal(evaluated.error_code, 92);
  });
});

describe('an order that names no chain', () => {
  test('is for the chain of the node that it is given to', async () => {
    const seventh = await startNode(owner, { chain: { chainId: 7n } });
    const transaction = { ...terms, nonce: 1, operations: [log('t', 'd')] };
    const encoded = await seventh.post('getTransactionBlob', transaction);
    const shown = await seventh.ask('getTransactionFromBlob', {
      blob: at(encoded, 'result', 'transaction_blob') as string,
    });
    assert.equal(at(shown, 'transaction', 'chain_id'), 7);
    const { fee_limit: _, gas_price: __, ...trial } = transaction;
    assert.equal((await seventh.post('testTransaction', trial)).error_code, 0);
    const item = { transaction_json: transaction, private_keys: [richest.privateKey] };
    assert.equal((await seventh.post('submitTransaction', { items: [item] })).error_code, 0);
    assert.equal((await seventh.post('testTransaction', { ...trial, chain_id: 5 })).error_code, 2);
    const other = await seventh.post('getTransactionBlob', { ...transaction, chain_id: 5 });
    const asSaid = await seventh.ask('getTransactionFromBlob', {
      blob: at(other, 'result', 'transaction_blob') as string,
    });
    assert.equal(at(asSaid, 'transaction', 'chain_id'), 5, 'what is said is what is encoded');
  });
});

describe('a condition', () => {
  test('that no block can make true is refused with these words', async () => {
    const never = await node.submit({ operations: [log('t', 'd')], fields: { expr_condition: '1 > 2' } });
    assert.deepEqual([never.error_code, never.error_desc], [20, 'no block can make the condition true']);
  });
});
