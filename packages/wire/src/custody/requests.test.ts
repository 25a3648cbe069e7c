import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { custodyLimits } from '@symbolon/core/limits/custody';
import type { ServiceEnvelope } from '../http/service-envelopes.ts';
import { readServiceRequest } from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { renderPolicy } from './replies.ts';
import { readPasswordHeader } from './requests.ts';
import { custodyRoutes } from './routes.ts';

type Name = keyof typeof custodyRoutes;
const account = { address: 'ZTX3address', password: 'a password' };

const read = (name: Name, body: JsonObject) => readServiceRequest(custodyRoutes[name], { body });

function envelopeOf(name: Name): ServiceEnvelope {
  const { envelope } = custodyRoutes[name];
  return envelope ?? assert.fail('custody has envelopes');
}

/** The errors of a request as a wallet reads them. */
function complaints(name: Name, body: JsonObject): string[] {
  try {
    read(name, body);
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === 'requestMalformed');
    const { status, body: told } = envelopeOf(name).failure(error, 'r');
    if (name !== 'signCustodyBlobListed') assert.deepEqual([status, told.errorCode], [200, 1]);
    return error.errors.map(({ pointer }) => pointer);
  }
  return assert.fail('it is taken');
}

describe('requests to custody', () => {
  test('a new account needs a password of 8 to 128 characters', () => {
    assert.deepEqual(read('createCustodyAccount', { password: '12345678', label: null }), {
      password: '12345678',
    });
    const named = { password: 'x'.repeat(128), label: 'Savings', purpose: 'holder' };
    assert.deepEqual(read('createCustodyAccount', named), named);
    for (const password of ['1234567', 'x'.repeat(129), 12345678, null])
      assert.deepEqual(complaints('createCustodyAccount', { password }), ['/password']);
    const long = { password: '12345678', label: 'x'.repeat(custodyLimits.noteCharsMax + 1) };
    assert.deepEqual(complaints('createCustodyAccount', long), ['/label']);
  });

  test('a blob is hex to the letter', () => {
    for (const name of ['signCustodyBlob', 'signCustodyBlobListed'] as const) {
      assert.deepEqual(read(name, { ...account, blob: '0aFF' }), {
        ...account,
        blob: Uint8Array.of(10, 255),
      });
      for (const blob of ['abc', '0x0a', 'zz', '0a ', '', 7])
        assert.deepEqual(complaints(name, { ...account, blob }), ['/blob']);
    }
    assert.deepEqual(complaints('signCustodyBlob', { blob: '00' }), ['/address', '/password']);
  });

  test('a message is the UTF-8 of its text, and bounded', () => {
    const bytes = Uint8Array.of(0xc3, 0x9f);
    assert.deepEqual(read('signCustodyMessage', { ...account, message: 'ß' }), {
      ...account,
      text: 'ß',
      bytes,
    });
    for (const message of ['', 'x'.repeat(custodyLimits.messageCharsMax + 1), {}])
      assert.deepEqual(complaints('signCustodyMessage', { ...account, message }), ['/message']);
  });

  test('a policy changes in the members that are given', () => {
    const given = (change: JsonObject) => {
      const { change: inside } = read('changeCustodyPolicy', { ...account, ...change }) as { change: object };
      return inside;
    };
    assert.deepEqual(given({}), {});
    assert.deepEqual(given({ operations: [8, 'payCoin', 'log'] }), { operations: ['payCoin', 'log'] });
    assert.deepEqual(given({ dailyAmountMax: '9223372036854775807', dailyCountMax: 0 }), {
      dailyAmountMax: 2n ** 63n - 1n,
      dailyCountMax: 0,
    });
    assert.deepEqual(given({ dailyAmountMax: null, dailyCountMax: null, until: null }), {
      dailyAmountMax: null,
      dailyCountMax: null,
      until: null,
    });
    assert.deepEqual(given({ until: '2030-01-01T01:00:00+01:00' }), { until: Date.UTC(2030, 0, 1) });
    const euro = `EUR:${'Z'.repeat(37)}`;
    assert.deepEqual(given({ dailyAssetMax: { [euro]: '5', ['Y'.repeat(37)]: 0 } }), {
      dailyAssetMax: { [euro]: 5n, ['Y'.repeat(37)]: 0n },
    });
    assert.deepEqual(given({ dailyAssetMax: null }), { dailyAssetMax: null });
    const wrong: [JsonObject, string][] = [
      [{ dailyAmuontMax: '1' }, '/dailyAmuontMax'],
      [{ dailyAssetMax: { EUR: '1' } }, '/dailyAssetMax/EUR'],
      [{ dailyAssetMax: { [euro]: '9223372036854775808' } }, `/dailyAssetMax/${euro}`],
      [{ dailyAssetMax: { [euro]: null } }, `/dailyAssetMax/${euro}`],
      [{ operations: ['toString'] }, '/operations/0'],
      [{ operations: ['log', 5] }, '/operations/1'],
      [{ operations: 'log' }, '/operations'],
      [{ messages: 1 }, '/messages'],
      [{ dailyAmountMax: '9223372036854775808' }, '/dailyAmountMax'],
      [{ dailyAmountMax: '1e3' }, '/dailyAmountMax'],
      [{ dailyAmountMax: -1 }, '/dailyAmountMax'],
      [{ dailyCountMax: 1.5 }, '/dailyCountMax'],
      [{ until: '2030-01-01' }, '/until'],
      [{ until: '2030-13-01T00:00:00Z' }, '/until'],
    ];
    for (const [change, pointer] of wrong)
      assert.deepEqual(complaints('changeCustodyPolicy', { ...account, ...change }), [pointer]);
  });

  test('a password in a header is percent-encoded', () => {
    assert.equal(readPasswordHeader('ein%20Pa%C3%9Fwort'), 'ein Paßwort');
    for (const bad of [undefined, '', '%', '%C3', 'x'.repeat(129)])
      assert.throws(() => readPasswordHeader(bad), Fault);
  });
});

test('answers come in the envelopes that wallets read', () => {
  const reply = { signBlob: '00', publicKey: 'b001' };
  const wallet = envelopeOf('signCustodyBlob');
  const list = envelopeOf('signCustodyBlobListed');
  assert.deepEqual(wallet.success(reply), {
    errorCode: 0,
    message: 'success',
    data: reply,
  });
  const listed = list.success(reply);
  assert.deepEqual([listed.object, listed.messages, listed.success], [[reply], [], true]);
  for (const name of ['passwordWrong', 'custodyKeyLocked'] as const)
    assert.equal(wallet.failure(new Fault(name), 'r').body.errorCode, 1_000_026);
  const hardware = new Fault('overloaded', { reason: 'hardwareFailed' });
  assert.equal(wallet.failure(hardware, 'r').body.errorCode, 1_000_026);
  assert.equal(wallet.failure(new Fault('internalError'), 'r').body.errorCode, 400_000);
  assert.equal(list.failure(new Fault('passwordWrong'), 'r').status, 401);
});

test('a policy is told with exact amounts', () => {
  const policy = {
    operations: ['log'],
    messages: false,
    dailyAmountMax: 2n ** 60n,
    dailyAssetMax: { a: 2n ** 61n },
    dailyCountMax: null,
    until: 0,
  } as const;
  assert.deepEqual(renderPolicy('a', { policy, today: { amount: 2n ** 59n, count: 3, assets: { a: 1n } } }), {
    address: 'a',
    operations: ['log'],
    messages: false,
    dailyAmountMax: '1152921504606846976',
    dailyAssetMax: { a: '2305843009213693952' },
    dailyCountMax: null,
    until: '1970-01-01T00:00:00.000Z',
    today: { amount: '576460752303423488', count: 3, assets: { a: '1' } },
  });
});
