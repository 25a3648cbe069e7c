import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { int64Max } from '@symbolon/core/limits/consensus';
import { parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { keyFormat, person, richest } from '../testing/people.ts';
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
