import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sortValidators, validatorSetOf } from '@symbolon/core/ledger/terms/validators';
import { int64Max } from '@symbolon/core/limits/consensus';
import { parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { keyFormat, person, richest } from '../testing/people.ts';
import { validatorEntry } from '../testing/test-network.ts';
import { chainParametersOf, genesisSchema } from './genesis-document.ts';

const validator = person('validator').address;
const minimal = { profile: 'zetrix', genesisAddress: richest.address, validators: [validator] };

describe('a genesis document', () => {
  test('needs no more than a network, an account and a validator', () => {
    const result = chainParametersOf(genesisSchema.parse(minimal), keyFormat);
    assert.ok('parameters' in result);
    const { parameters } = result;
    assert.equal(parameters.genesisBalance, 10n ** 17n);
    assert.equal(parameters.chainId, 0n);
    assert.equal(parameters.fees.blockReward, 0n);
    const { gasPrice, baseReserve, createContractGas, issueAssetGas } = parameters.fees;
    assert.deepEqual(
      [gasPrice, baseReserve, createContractGas, issueAssetGas],
      [1n, 0n, 1_000_000n, 5_000_000n],
    );
    assert.deepEqual(
      parameters.validators.validators.map(({ address }) => address),
      [validator],
    );
  });

  test('survives being written and read, with every digit', () => {
    const document = genesisSchema.parse({ ...minimal, genesisBalance: int64Max, fees: { gasPrice: '7' } });
    const again = genesisSchema.parse(parseJson(stringifyJson(document)));
    assert.deepEqual(again, document);
    assert.equal(again.genesisBalance, int64Max);
  });

  const invalid: Record<string, object> = {
    'an unknown network': { profile: 'nowhere' },
    'no validator': { validators: [] },
    'a hundred and one validators': { validators: Array.from({ length: 101 }, (_, index) => `v${index}`) },
    'a negative balance': { genesisBalance: -1 },
    'a balance beyond 64 bits': { genesisBalance: int64Max + 1n },
    'a fraction': { genesisBalance: 1.5 },
    'an unknown member': { genesisBalence: 1 },
    'an unknown fee': { fees: { price: 1 } },
    'a slogan without end': { slogan: 'x'.repeat(1_025) },
  };
  for (const [name, fields] of Object.entries(invalid)) {
    test(`does not have ${name}`, () => {
      assert.equal(genesisSchema.safeParse({ ...minimal, ...fields }).success, false);
    });
  }

  test('is told everything that is wrong with its addresses at once', () => {
    const document = genesisSchema.parse({
      ...minimal,
      genesisAddress: 'nobody',
      validators: [validator, 'nobody', validator],
    });
    assert.deepEqual(chainParametersOf(document, keyFormat), {
      problems: [
        'genesisAddress is not a valid address',
        'validators[1] is not a valid address',
        'validators names an address twice',
      ],
    });
  });
});

describe('the genesis document of a network', () => {
  const council = person('council').address;
  const entries = [validatorEntry('ann', 3), validatorEntry('ben', 2)];
  const base = { profile: 'zetrix', genesisAddress: richest.address };
  const network = { council, validators: entries };
  const result = (fields: object) =>
    chainParametersOf(genesisSchema.parse({ ...base, network, ...fields }), keyFormat);

  test('names the council and the validators, whose set is in the order of their keys', () => {
    for (const validators of [entries, entries.toReversed()]) {
      const made = result({ network: { council, validators } });
      assert.ok('parameters' in made);
      assert.deepEqual(made.parameters.network, { council });
      assert.deepEqual(made.parameters.validators, validatorSetOf(sortValidators(entries)));
    }
  });

  test('survives being written and read', () => {
    const document = genesisSchema.parse({ ...base, network });
    assert.deepEqual(genesisSchema.parse(parseJson(stringifyJson(document))), document);
  });

  const [ann, ben] = entries;
  const shapes: Record<string, object> = {
    'without validators': { council },
    'with an empty list of them': { council, validators: [] },
    'with too many of them': { council, validators: Array.from({ length: 101 }, () => ann) },
    'without a council': { validators: entries },
    'with an unknown member': { ...network, quorum: 3 },
    'with a validator that is an address': { council, validators: [ann.payTo] },
    'with an unknown member of a validator': { council, validators: [{ ...ann, name: 'ann' }] },
    'with one that is jailed already': {
      council,
      validators: [ben, { ...ann, jailed: { height: 1, kind: 'duplicateVote' } }],
    },
    'with power as text': { council, validators: [{ ...ann, power: '3' }] },
    'with half a power': { council, validators: [{ ...ann, power: 1.5 }] },
  };
  for (const [name, given] of Object.entries(shapes))
    test(`has no network ${name}`, () => {
      assert.equal(genesisSchema.safeParse({ ...base, network: given }).success, false);
    });

  const refused: [name: string, fields: object, problems: string[]][] = [
    [
      'neither validators nor a network',
      { network: undefined },
      ['needs either validators, for a chain of one node, or network, for one of several'],
    ],
    [
      'both',
      { validators: [validator] },
      ['needs either validators, for a chain of one node, or network, for one of several'],
    ],
    [
      'nobody’s council',
      { network: { ...network, council: 'nobody' } },
      ['network.council is not a valid address'],
    ],
    [
      'a council that no key can sign for',
      { network: { ...network, council: keyFormat.addressOfText('1') } },
      ['network.council is an address that no key can sign for'],
    ],
    [
      'a key in capitals, no power, too much power, nobody to pay, a key twice',
      {
        network: {
          council,
          validators: [
            { ...ann, publicKey: ann.publicKey.toUpperCase() },
            { ...ann, power: 0 },
            { ...ann, power: 1e12 + 1 },
            { ...ben, payTo: 'nobody' },
          ],
        },
      },
      [
        'network.validators[0].publicKey is not a raw Ed25519 key in 64 lower-case hex digits',
        'network.validators[1].power is not a whole number from 1 to 1000000000000',
        'network.validators[2].power is not a whole number from 1 to 1000000000000',
        'network.validators[3].payTo is not a valid address',
        'network.validators names a publicKey twice',
      ],
    ],
  ];
  for (const [name, fields, problems] of refused)
    test(`is told that it has ${name}`, () => assert.deepEqual(result(fields), { problems }));
});
