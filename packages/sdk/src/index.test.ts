import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as sdk from './index.ts';

test('the public surface is this, and changes only on purpose', () => {
  assert.deepEqual(Object.keys(sdk).sort(), [
    'LedgerError',
    'SdkError',
    'TransactionFailed',
    'buildTransaction',
    'createLedgerClient',
    'createRawLedgerClient',
    'directTransport',
    'httpTransport',
    'sendTransaction',
    'signTransaction',
    'signerFromPrivateKey',
    'signerFromSeed',
    'stateKeys',
    'submitTransaction',
    'verifyStateProof',
    'waitForReceipt',
  ]);
});
