import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { operationNames, operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { OperationSchema, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { bodyName, type Draft, draftOfText, memberAt, memberText, nameOfOperation } from './draft.ts';
import { textOfList } from './list-text.ts';
import { operationFields, operationTerms, transactionTerms } from './operation-fields.ts';
import { unseenMembers } from './unseen-members.ts';

type Schema = NonNullable<(typeof TransactionSchema)['fields'][number]['message']>;

/** Every member of a message, each with a value that no other has. */
function filled(schema: Schema, next: () => number): JsonObject {
  const valueFor = (message: Schema | undefined, name: string): JsonValue => {
    if (message) return filled(message, next);
    if (['delete_flag', 's_payload', 's_owner'].includes(name)) return true;
    return String(next());
  };
  return Object.fromEntries(
    schema.fields
      .filter(({ name }) => name !== 'operations')
      .map((field): [string, JsonValue] => {
        const value = valueFor(field.message, field.name);
        return [field.name, field.fieldKind === 'list' ? [value] : value];
      }),
  );
}

/** Of flags it is tested below how they are shown. */
function textsOf(value: JsonValue): readonly string[] {
  if (isJsonObject(value) || Array.isArray(value)) return Object.values(value).flatMap(textsOf);
  return typeof value === 'boolean' ? [] : [String(value)];
}

/** All that somebody reads in the form, of whatever draft. */
function shownTexts(draft: Draft): string {
  const [operation] = draft.operations as JsonObject[];
  assert.ok(operation);
  const name = nameOfOperation(operation);
  assert.ok(name);
  return [
    ...Object.keys(transactionTerms).map((member) => memberText(draft, [member])),
    ...Object.keys(operationTerms).map((member) => memberText(operation, [member])),
    ...operationFields[name].map(({ path, kind }) => {
      const value = memberAt(operation, [bodyName(name), ...path]);
      return kind === 'lines' || kind === 'weights' || kind === 'thresholds'
        ? textOfList(value, kind)
        : memberText(operation, [bodyName(name), ...path]);
    }),
    ...unseenMembers(draft).map(({ path, text }) => `${path} ${text}`),
  ].join('\n');
}

test('whatever a transaction can say stands in the form, of every operation', () => {
  let last = 1_000;
  const next = () => (last += 1);
  const terms = { ...filled(TransactionSchema, next), metadata: 'owed-0' };
  const all = filled(OperationSchema, next);
  const bodies = operationNames.map(bodyName);
  for (const name of operationNames) {
    const others = bodies.filter((body) => body !== bodyName(name));
    const own = Object.entries(all).filter(([member]) => !others.includes(member) && !isRetired(member));
    const operation = { ...Object.fromEntries(own), type: operationTypes[name], metadata: 'hidden-0' };
    const given = { ...terms, operations: [operation] };
    const draft = draftOfText(stringifyJson(given));
    assert.ok(draft);
    const shown = shownTexts(draft);
    for (const text of textsOf({ ...given, operations: [{ ...operation, type: '' }] }))
      assert.ok(shown.includes(text), `${name}: ${text} is not shown`);
  }
});
const isRetired = (member: string) => ['set_signer_weight', 'set_threshold'].includes(member);

const owes = 'I owe Bank 5000';
const paid = { dest_address: 'bank', amount: 1 };
const read = (draft: JsonObject): Draft => {
  const made = draftOfText(stringifyJson(draft));
  assert.ok(made);
  return made;
};

test('a note stands in its field, however it is written', () => {
  const bytes = [...encodeUtf8(owes)];
  const hex = Buffer.from(owes).toString('hex');
  for (const metadata of [owes, hex, bytes, { ...bytes }] as JsonValue[])
    assert.deepEqual(
      read({ metadata, operations: [{ type: 7, metadata, metadata_text: owes, pay_coin: paid }] }),
      { metadata_text: owes, operations: [{ type: 7, pay_coin: paid, metadata_text: owes }] },
    );
});

test('a note of bytes, one that is said twice, and one in a body are told beside the form', () => {
  const paths = (draft: JsonObject) => unseenMembers(read(draft)).map(({ path }) => path);
  assert.deepEqual(unseenMembers(read({ metadata: 'ff00' })), [{ path: 'metadata', text: 'ff00' }]);
  assert.deepEqual(paths({ metadata: 'one', metadata_text: 'two' }), ['metadata']);
  const operations = [{ type: 7, pay_coin: { ...paid, metadata: owes, sourceAddress: 'mira' } }];
  assert.deepEqual(paths({ operations }), [
    'operations[0].pay_coin.metadata',
    'operations[0].pay_coin.sourceAddress',
  ]);
});

test('what a field cannot show as it is written is told beside the form', () => {
  const paths = (operation: JsonObject) =>
    unseenMembers({ operations: [operation] }).map(({ path, text }) => `${path}=${text}`);
  assert.deepEqual(paths({ type: 7, pay_coin: { dest_address: 'bank', amount: ['5'] } }), [
    'operations[0].pay_coin.amount[0]=5',
  ]);
  assert.deepEqual(paths({ type: 4, set_metadata: { key: 'k', delete_flag: 1 } }), [
    'operations[0].set_metadata.delete_flag=1',
  ]);
  const code = { dest_address: 'shop', payload: 'code' };
  assert.deepEqual(paths({ type: 10, upgrade_contract: { ...code, s_payload: true } }), []);
  assert.deepEqual(paths({ type: 10, upgrade_contract: { ...code, s_payload: false, s_owner: true } }), [
    'operations[0].upgrade_contract.s_payload=false',
    'operations[0].upgrade_contract.s_owner=true',
  ]);
});

test('texts of a list that do not stand on one line of their own are told', () => {
  const told = (...datas: string[]) =>
    unseenMembers({ operations: [{ type: 8, log: { topic: 'x', datas } }] }).map(({ path, text }) => [
      path,
      text,
    ]);
  assert.deepEqual(told('a', 'b', 'c'), []);
  assert.deepEqual(told('a', 'b\nc'), [['operations[0].log.datas[1]', 'b\nc']]);
  assert.deepEqual(told('a\r'), [['operations[0].log.datas[0]', 'a\r']]);
  assert.deepEqual(told('a', '', ' '), [
    ['operations[0].log.datas[1]', ''],
    ['operations[0].log.datas[2]', ' '],
  ]);
});
