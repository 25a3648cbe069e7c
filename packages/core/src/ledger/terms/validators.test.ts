import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { encodeHex, parseHex } from '../../basics/bytes.ts';
import { validatorLimits } from '../../limits/consensus.ts';
import { type Misbehavior, MisbehaviorSchema, ValidatorSetSchema } from '../../proto/ledger_pb.ts';
import { createTestLedger } from '../testing/test-ledger.ts';
import {
  consensusAddress,
  encodeValidators,
  entriesOfSet,
  findValidator,
  jail,
  parseValidators,
  sortValidators,
  type ValidatorEntry,
  validatorSetOf,
  validatorUpdates,
} from './validators.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');
const vectorsUrl = new URL('../../../vectors/ledger/network.json', import.meta.url);
const vectors = JSON.parse(readFileSync(vectorsUrl, 'utf8'));
const { address, publicKey, rules, validatorEntry } = createTestLedger({ sha256 });
const { keys } = rules;

const names = ['ann', 'ben', 'cat', 'dan'];
const entries = sortValidators(names.map((name, index) => validatorEntry(name, index + 1)));
const [first, second] = entries;
const parse = (text: string) => parseValidators(text, keys);
const problemOf = (text: string): string => {
  const parsed = parse(text);
  return 'problem' in parsed ? parsed.problem : '';
};
const mark = { height: 9, kind: 'duplicateVote' } as const;
const evidence = (entry: ValidatorEntry, fields: Partial<Misbehavior> = {}): Misbehavior =>
  create(MisbehaviorSchema, {
    address: consensusAddress(parseHex(entry.publicKey) as Uint8Array, sha256),
    type: 1,
    height: 9n,
    ...fields,
  });

describe('the text of a network’s validators', () => {
  it('is the vector’s, and its set has the vector’s bytes', () => {
    for (const { entries: given, text, set_hex: setHex } of vectors.validators) {
      assert.equal(encodeValidators(given), text);
      const parsed = parse(text);
      assert('entries' in parsed);
      assert.equal(encodeHex(toBinary(ValidatorSetSchema, validatorSetOf(parsed.entries))), setHex);
    }
  });

  it('is the same from whichever order, and reads back as what was written', () => {
    const text = encodeValidators(entries);
    assert.equal(encodeValidators(entries.toReversed()), text);
    const marked = entries.map((entry) => (entry === second ? { ...entry, jailed: mark } : entry));
    for (const given of [entries, marked]) {
      const parsed = parse(encodeValidators(given));
      assert.deepEqual(parsed, { entries: given });
    }
  });

  it('holds as many validators as there may be, with the largest power', () => {
    const many = Array.from({ length: validatorLimits.countMax }, (_, index) =>
      validatorEntry(`v${index}`, validatorLimits.powerMax),
    );
    assert('entries' in parse(encodeValidators(many)));
    assert.match(problemOf(encodeValidators([...many, first])), /at most 100 validators/);
  });
});

describe('a text that is no set of validators is refused', () => {
  const member = (fields: object): string => JSON.stringify([{ ...first, ...fields }]);
  const other = /^validators\[0\] has a member besides publicKey, power, payTo, jailed$/;
  const power = /^validators\[0\]\.power is not a whole number from 1 to 1000000000000$/;
  const key = /^validators\[0\]\.publicKey is not a raw Ed25519 key/;
  const spelling = /not in their one spelling/;
  const text = encodeValidators([first]);
  const rows: [name: string, text: string, words: RegExp][] = [
    ['nothing', '', /not JSON/],
    ['no JSON', '[{]', /not JSON/],
    ['two texts', `${text}${text}`, /not JSON/],
    ['an object', JSON.stringify(first), /not a list/],
    ['null', 'null', /not a list/],
    ['an empty list', '[]', /needs a validator that is not jailed/],
    ['an entry that is null', '[null]', /^validators\[0\] is not an object$/],
    ['an entry that is a list', '[[]]', /^validators\[0\] is not an object$/],
    ['an entry that is text', '["x"]', /^validators\[0\] is not an object$/],
    ['an unknown member', member({ name: 'x' }), other],
    ['a member of JavaScript’s own', text.replace('{', '{"__proto__":{},'), other],
    ['no key', member({ publicKey: undefined }), key],
    ['a key that is too short', member({ publicKey: first.publicKey.slice(2) }), key],
    ['a key in capitals', member({ publicKey: first.publicKey.toUpperCase() }), key],
    ['an encoded key', member({ publicKey: keys.encodePublicKey(publicKey('ann')) }), key],
    ['no power', member({ power: undefined }), power],
    ['power 0', member({ power: 0 }), power],
    ['a negative power', member({ power: -1 }), power],
    ['half a power', member({ power: 0.5 }), power],
    ['power as text', member({ power: '1' }), power],
    ['too much power', member({ power: validatorLimits.powerMax + 1 }), power],
    ['no account', member({ payTo: undefined }), /^validators\[0\]\.payTo is not a valid address$/],
    ['an account that is none', member({ payTo: `${first.payTo}x` }), /payTo is not a valid address$/],
    ['a mark that is null', member({ jailed: null }), /\.jailed is not an object$/],
    ['a mark that is true', member({ jailed: true }), /\.jailed is not an object$/],
    ['a mark with more', member({ jailed: { ...mark, by: 'x' } }), /\.jailed has a member besides/],
    ['a mark of block 0', member({ jailed: { ...mark, height: 0 } }), /height is not the number/],
    ['a mark of no block', member({ jailed: { ...mark, height: '9' } }), /height is not the number/],
    ['a mark of another kind', member({ jailed: { ...mark, kind: 'sleep' } }), /kind is not one of/],
    ['nobody but the jailed', member({ jailed: mark }), /needs a validator that is not jailed/],
    ['a key twice', JSON.stringify([first, { ...second, publicKey: first.publicKey }]), /publicKey twice/],
    ['another order', JSON.stringify([second, first]), spelling],
    [
      'another order of members',
      JSON.stringify([Object.fromEntries(Object.entries(first).reverse())]),
      spelling,
    ],
    ['a blank', text.replace(',', ', '), spelling],
    ['a line end', `${text}\n`, spelling],
    ['a number in another spelling', text.replace(`"power":${first.power}`, '"power":1e0'), spelling],
    ['a member twice', text.replace('{', `{"power":7,`), spelling],
  ];
  for (const [name, given, words] of rows) it(name, () => assert.match(problemOf(given), words));
});

describe('jail', () => {
  const jailedIn = (given: readonly ValidatorEntry[]) =>
    given.flatMap(({ publicKey: key, jailed }) => (jailed ? [[key, jailed]] : []));

  it('marks who misbehaved, with what and when', () => {
    const marked = jail(entries, [evidence(first), evidence(second, { type: 2, height: 12n })], sha256);
    assert.deepEqual(jailedIn(marked), [
      [first.publicKey, mark],
      [second.publicKey, { height: 12, kind: 'lightClientAttack' }],
    ]);
    const { validators } = validatorSetOf(marked);
    assert.deepEqual(
      validators.map(({ address: payTo }) => payTo),
      entries.slice(2).map(({ payTo }) => payTo),
    );
  });

  it('leaves alone a stranger, an unknown kind, and who is marked already', () => {
    const stranger = evidence(validatorEntry('zoe', 1));
    assert.equal(jail(entries, [stranger, evidence(first, { type: 0 })], sha256), entries);
    const marked = jail(entries, [evidence(first)], sha256);
    assert.equal(jail(marked, [evidence(first, { type: 2, height: 20n })], sha256), marked);
  });

  it('never takes the last one that is free, whatever is told of whom', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: entries.length - 1 }), { maxLength: 12 }), (who) => {
        const marked = jail(
          entries,
          who.map((index) => evidence(entries[index])),
          sha256,
        );
        const expected = [...new Set(who)].slice(0, entries.length - 1);
        assert.deepEqual(
          new Set(marked.flatMap((entry, index) => (entry.jailed ? [index] : []))),
          new Set(expected),
        );
        assert('entries' in parse(encodeValidators(marked)));
      }),
    );
  });
});

describe('what CometBFT is told of validators', () => {
  const people = ['a', 'b', 'c', 'd', 'e'];
  const anySet = fc
    .uniqueArray(fc.nat({ max: people.length - 1 }), { minLength: 1 })
    .chain((who) => fc.tuple(fc.constant(who), fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 5 })))
    .map(([who, powers]) =>
      validatorSetOf(sortValidators(who.map((index) => validatorEntry(people[index], powers[index])))),
    );

  it('makes the one set of the other, with nothing said twice or in vain', () => {
    fc.assert(
      fc.property(anySet, anySet, (before, after) => {
        const powersOf = ({ validators }: typeof before) =>
          new Map(validators.map((it) => [encodeHex(it.publicKey), it.pledgeCoinAmount]));
        const powers = powersOf(before);
        const updates = validatorUpdates(before, after);
        for (const { publicKey: key, power } of updates) {
          assert.notEqual(powers.get(encodeHex(key)) ?? 0n, power);
          if (power === 0n) powers.delete(encodeHex(key));
          else powers.set(encodeHex(key), power);
        }
        assert.deepEqual(powers, powersOf(after));
        assert.equal(new Set(updates.map((it) => encodeHex(it.publicKey))).size, updates.length);
      }),
    );
  });

  it('names a validator as CometBFT does', () => {
    const { public_key: key, address: expected } = vectors.consensus_address;
    assert.equal(encodeHex(consensusAddress(parseHex(key) as Uint8Array, sha256)), expected);
    const set = validatorSetOf(entries);
    const name = consensusAddress(publicKey('ben'), sha256);
    assert.equal(findValidator(set, name, sha256)?.address, address('ben'));
    assert.equal(findValidator(set, name.slice(1), sha256), undefined);
    assert.deepEqual(entriesOfSet(set), entries);
  });
});
