import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { operationNames } from '@symbolon/core/ledger/terms/operation-types';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { JsonObject } from '@symbolon/wire/json/json';
import { transactionFromRecord } from '@symbolon/wire/ledger/transaction-json';
import fc from 'fast-check';
import { blobParts } from './blob-parts.ts';
import { trialChanges } from './changes.ts';
import { coinsOfMember, memberOfCoins } from './coin-text.ts';
import * as drafts from './draft.ts';
import { draftOfLink, linkOfDraft } from './draft-link.ts';
import { hasWrongNumber, listOfText, textOfList } from './list-text.ts';
import { operationFields } from './operation-fields.ts';

const none = { nonce: undefined, chainId: undefined };
const given = { nonce: 7n, chainId: '3' };
const payment = {
  source_address: 'ada',
  operations: [{ type: 7, pay_coin: { dest_address: 'bob', amount: '9007199254740993' } }],
};

/** A transaction as a node shows it. */
const shown = (json: JsonObject): Transaction => {
  const made = transactionFromRecord(json);
  assert.ok(!('error' in made));
  return made;
};

describe('a draft', () => {
  test('becomes a transaction without losing a digit, with what is given where it says nothing', () => {
    const made = drafts.transactionOfDraft(payment, given);
    assert.ok(!drafts.isDraftProblem(made));
    assert.equal(made.operations[0]?.payCoin?.amount, 9_007_199_254_740_993n);
    assert.deepEqual([made.nonce, made.chainId], [7n, 3n]);
    const own = drafts.transactionOfDraft({ ...payment, nonce: '8', chain_id: '0' }, given);
    assert.ok(!drafts.isDraftProblem(own));
    assert.deepEqual([own.nonce, own.chainId], [8n, 0n]);
  });

  test('says what is missing and where', () => {
    const problem = (draft: drafts.Draft) => drafts.transactionOfDraft(draft, none);
    assert.deepEqual(problem({}), { path: 'source_address', reason: 'is missing' });
    assert.deepEqual(problem({ source_address: 'ada' }), { path: 'operations', reason: 'is missing' });
    assert.deepEqual(problem(drafts.newDraft('ada')), {
      path: 'operations[0].pay_coin.dest_address',
      reason: 'is missing',
    });
    const strange = problem({ ...payment, surprise: 1 });
    assert.ok(drafts.isDraftProblem(strange) && /surprise/.test(strange.reason));
  });

  test('has every operation of the ledger, and knows each again', () => {
    for (const name of operationNames) {
      assert.ok(operationFields[name].length > 0);
      assert.equal(drafts.nameOfOperation(drafts.newOperation(name)), name);
    }
    assert.equal(drafts.nameOfOperation({ type: 77 }), undefined);
  });

  test('is changed at one place, and nothing empty is left behind', () => {
    const operation = drafts.newOperation('createAccount');
    const place = { name: 'createAccount', path: ['contract', 'payload'] } as const;
    const filled = drafts.withBodyMember(operation, place, 'code');
    assert.equal(drafts.memberText(filled, ['create_account', 'contract', 'payload']), 'code');
    assert.deepEqual(drafts.withBodyMember(filled, place, ''), operation);
    const empty = drafts.withBodyMember(drafts.newOperation('log'), { name: 'log', path: ['topic'] }, '');
    assert.deepEqual(empty, { type: 8, log: {} });
    assert.deepEqual(drafts.moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
    assert.deepEqual(drafts.moved(['a'], 0, 1), ['a']);
  });

  test('goes through an address and comes back; what is none, or too long, is none', () => {
    assert.deepEqual(draftOfLink(linkOfDraft(payment)), payment);
    assert.equal(linkOfDraft({ note: 'x'.repeat(8_000) }), undefined);
    for (const text of [7, '', 'x', '7', 'bnVsbA', 'A'.repeat(9_000)])
      assert.equal(draftOfLink(text), undefined);
    fc.assert(fc.property(fc.string(), (text) => void draftOfLink(text)));
  });
});

describe('what one types', () => {
  test('is an amount, exactly', () => {
    for (const language of ['en', 'de'] as const)
      for (const typed of ['2.5', '2,5', ' 2.50 '])
        assert.equal(memberOfCoins(typed, language), '2500000', typed);
    assert.equal(memberOfCoins('1,500', 'de'), '1500000');
    assert.equal(memberOfCoins(' ', 'en'), '');
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (units) => {
        for (const language of ['en', 'de'] as const)
          assert.equal(memberOfCoins(coinsOfMember(String(units), language), language), String(units));
      }),
    );
    assert.equal(coinsOfMember('many', 'en'), 'many');
  });

  test('and is no amount stays as it is, and is refused by its own name', () => {
    for (const typed of ['1,500', '-1', '1e3', '0.0000001', '9223372036855', 'x']) {
      const amount = memberOfCoins(typed, 'en');
      const pay = { type: 7, pay_coin: { dest_address: 'bob', amount } };
      const made = drafts.transactionOfDraft({ ...payment, operations: [pay] }, given);
      assert.ok(drafts.isDraftProblem(made), typed);
      assert.doesNotMatch(made.reason, /missing/, typed);
      assert.equal(coinsOfMember(amount, 'en').replace('\u2212', '-'), typed);
    }
  });

  test('is a list with an element a line', () => {
    const signers = [
      { address: 'ada', weight: '1' },
      { address: 'bob', weight: '2' },
    ];
    assert.deepEqual(listOfText('ada 1\n\n bob  2 ', 'weights'), signers);
    assert.equal(textOfList(signers, 'weights'), 'ada 1\nbob 2');
    assert.deepEqual(listOfText('ada', 'weights'), [{ address: 'ada' }]);
    assert.deepEqual(listOfText('one\ntwo', 'lines'), ['one', 'two']);
    assert.equal(listOfText(' \n', 'lines'), '');
    assert.equal(hasWrongNumber(listOfText('ada 1,5', 'weights'), 'weights'), true);
    for (const fine of ['ada 1', 'ada'])
      assert.equal(hasWrongNumber(listOfText(fine, 'weights'), 'weights'), false);
  });
});

test('the bytes of a transaction are told apart by what they say', () => {
  const blob = encodeTransaction(
    shown({
      source_address: 'ada',
      nonce: String(2n ** 60n),
      fee_limit: 1,
      operations: [{ type: 8 }, { type: 7 }],
      metadata: '01',
    }),
  );
  const parts = blobParts(blob);
  assert.deepEqual(
    parts.map(({ name }) => name),
    ['source', 'nonce', 'operation', 'operation', 'other', 'fee'],
  );
  assert.equal(parts.map(({ hex }) => hex).join(''), encodeHex(blob));
  assert.deepEqual(blobParts(parseHex('0a05') as Uint8Array), [{ name: 'other', hex: '0a05' }]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      assert.equal(
        blobParts(bytes)
          .map(({ hex }) => hex)
          .join(''),
        encodeHex(bytes),
      );
    }),
  );
});

test('changes are summed over what is signed and what it triggers', () => {
  const of = (source: string, ...operations: JsonObject[]) => shown({ source_address: source, operations });
  assert.deepEqual(
    trialChanges(
      [
        of(
          'ada',
          { pay_coin: { dest_address: 'shop', amount: 10 } },
          { set_metadata: { key: 'k', value: 'v' } },
        ),
        of('shop', { pay_coin: { dest_address: 'ada', amount: 4 } }),
      ],
      3n,
    ),
    [
      { kind: 'coins', address: 'ada', change: -9n },
      { kind: 'coins', address: 'shop', change: 6n },
      { kind: 'metadata', address: 'ada', key: 'k', value: 'v' },
    ],
  );
  assert.deepEqual(
    trialChanges(
      [
        of(
          'ada',
          { issue_asset: { code: 'GOLD', amount: 5 } },
          { pay_asset: { dest_address: 'bob', asset: { key: { code: 'GOLD' }, amount: 2 } } },
          { set_privilege: {} },
          { set_privilege: { master_weight: '2' } },
          { set_metadata: { key: 'k', delete_flag: true } },
          { create_account: { dest_address: 'eve', init_balance: 7 } },
        ),
      ],
      0n,
    ),
    [
      { kind: 'coins', address: 'ada', change: -7n },
      { kind: 'coins', address: 'eve', change: 7n },
      { kind: 'assets', address: 'ada', code: 'GOLD', change: 3n },
      { kind: 'assets', address: 'bob', code: 'GOLD', change: 2n },
      { kind: 'signers', address: 'ada' },
      { kind: 'metadata', address: 'ada', key: 'k', value: undefined },
    ],
  );
});
