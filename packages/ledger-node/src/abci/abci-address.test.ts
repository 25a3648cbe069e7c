import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAbciAddress } from './abci-address.ts';

describe('an address for ABCI', () => {
  test('is a host with a port, or a file', () => {
    assert.deepEqual(parseAbciAddress('tcp://127.0.0.1:26658'), { host: '127.0.0.1', port: 26_658 });
    assert.deepEqual(parseAbciAddress('tcp://[::1]:1'), { host: '::1', port: 1 });
    assert.deepEqual(parseAbciAddress('unix:///run/node/abci.sock'), { path: '/run/node/abci.sock' });
  });

  for (const text of [
    '',
    '127.0.0.1:26658',
    'tcp://127.0.0.1',
    'tcp://127.0.0.1:65536',
    'tcp://a b:1',
    'tcp://u@h:1',
    'http://127.0.0.1:26658',
    'unix://relative',
    `unix:///${'a'.repeat(107)}`,
  ])
    test(`is not ${JSON.stringify(text.slice(0, 30))}`, () => {
      assert.equal(parseAbciAddress(text), undefined);
    });
});
