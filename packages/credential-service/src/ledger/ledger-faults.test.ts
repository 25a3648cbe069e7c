import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { LedgerError, SdkError } from '@symbolon/sdk/index';
import { faultOfError, faultOfFailure, isVerdict, withFaults } from './ledger-faults.ts';

const thrown = (exception: unknown) => JSON.stringify({ contract: 'ZTX3…', exception, linenum: 7 });

describe('a failure of the ledger', () => {
  for (const [exception, code] of [
    ['templateExists: The template has version 2 already.', 'templateExists'],
    ['issuerMismatch: Only the account of the issuer.', 'issuerMismatch'],
    ['statusForbids: entry 1: it is revoked.', 'statusForbids'],
    ['entryExists: entry 0: otherwise.', 'stateForbids'],
    ['internalError: a word that is not of the registries', 'ledgerFailed'],
    ['constructor: neither is this', 'ledgerFailed'],
    ['Unexpected end of JSON input', 'ledgerFailed'],
    ['', 'ledgerFailed'],
    [7, 'ledgerFailed'],
  ] as const) {
    test(`${JSON.stringify(exception)} is ${code}`, () => {
      const fault = faultOfFailure(codes.contractFailed, thrown(exception));
      assert.equal(fault.code, code);
      if (code !== 'ledgerFailed') assert.equal(fault.message, String(exception).replace(/^\w+: /, ''));
    });
  }

  test('is read as words of a registry only where a contract threw', () => {
    const words = thrown('statusForbids: it is revoked.');
    assert.equal(faultOfFailure(codes.invalidParameter, words).code, 'ledgerFailed');
    for (const text of ['', 'no JSON', '[]', 'null', '{"exception":{}}']) {
      assert.equal(faultOfFailure(codes.contractFailed, text).code, 'ledgerFailed');
    }
  });

  test('of an account that is poor or missing, or of a busy node, says so and nothing of the inside', () => {
    for (const code of [codes.accountMissing, codes.lowBalance, codes.feeTooLow]) {
      assert.equal(faultOfFailure(code, 'secret').code, 'issuerAccountMissing');
    }
    for (const code of [codes.timeout, codes.queueFull, codes.queueRefused]) {
      const fault = faultOfFailure(code, 'secret');
      assert.equal(fault.code, 'overloaded');
      assert.ok(fault.retryAfterSeconds && !fault.message.includes('secret'));
    }
  });

  test('of the account or the transaction is told by code and words of the table, without those of the node', () => {
    assert.equal(faultOfFailure(codes.weightTooLow, 'secret').code, 'issuerWeightTooLow');
    const { code, message } = faultOfFailure(codes.transactionTooBig, 'secret');
    assert.equal(code, 'ledgerFailed');
    assert.match(message, /code 146 \(ERRCODE_TX_SIZE_TOO_BIG\): Transaction exceeds size limit/);
    assert.ok(!message.includes('secret'));
    assert.match(faultOfFailure(9_999, 'secret').message, /code 9999$/);
  });

  test('is a verdict on the act where a registry has judged it', () => {
    assert.ok(isVerdict(faultOfFailure(codes.contractFailed, thrown('statusForbids: it is revoked.'))));
    for (const code of [codes.lowBalance, codes.weightTooLow, codes.queueFull, codes.contractFailed])
      assert.ok(!isVerdict(faultOfFailure(code, 'words')), String(code));
  });
});

describe('what a call of the ledger throws', () => {
  test('comes out as a fault; a defect stays one', async () => {
    const away = new SdkError('unreachable', 'no connection to a host inside', { hint: '' });
    const fault = faultOfError(away);
    assert.ok(
      fault instanceof Fault && fault.code === 'ledgerUnreachable' && !fault.message.includes('inside'),
    );
    const refusal = new LedgerError(codes.contractFailed, thrown('templateUnknown: none'), {});
    await assert.rejects(
      withFaults(() => Promise.reject(refusal)),
      { code: 'templateUnknown' },
    );
    const defect = new TypeError('a bug');
    await assert.rejects(
      withFaults(() => Promise.reject(defect)),
      defect,
    );
    const fine = new Fault('didUnknown');
    assert.equal(faultOfError(fine), fine);
    assert.equal(await withFaults(async () => 7), 7);
  });
});
