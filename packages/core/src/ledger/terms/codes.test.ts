import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeRows, codes, refuse } from './codes.ts';

/** The table of the interface document, row by row; the name of code 3 is spelled out (decision L-02). */
const documented: [number, string][] = [
  [0, 'ERRCODE_SUCCESS'],
  [1, 'ERRCODE_INTERNAL_ERROR'],
  [2, 'ERRCODE_INVALID_PARAMETER'],
  [3, 'ERRCODE_ALREADY_EXIST'],
  [4, 'ERRCODE_NOT_EXIST'],
  [5, 'ERRCODE_TX_TIMEOUT'],
  [7, 'ERRCODE_MATH_OVERFLOW'],
  [20, 'ERRCODE_EXPR_CONDITION_RESULT_FALSE'],
  [21, 'ERRCODE_EXPR_CONDITION_SYNTAX_ERROR'],
  [90, 'ERRCODE_INVALID_PUBKEY'],
  [91, 'ERRCODE_INVALID_PRIKEY'],
  [92, 'ERRCODE_ASSET_INVALID'],
  [93, 'ERRCODE_INVALID_SIGNATURE'],
  [94, 'ERRCODE_INVALID_ADDRESS'],
  [97, 'ERRCODE_MISSING_OPERATIONS'],
  [98, 'ERRCODE_TOO_MANY_OPERATIONS'],
  [99, 'ERRCODE_BAD_SEQUENCE'],
  [100, 'ERRCODE_ACCOUNT_LOW_RESERVE'],
  [101, 'ERRCODE_ACCOUNT_SOURCEDEST_EQUAL'],
  [102, 'ERRCODE_ACCOUNT_DEST_EXIST'],
  [103, 'ERRCODE_ACCOUNT_NOT_EXIST'],
  [104, 'ERRCODE_ACCOUNT_ASSET_LOW_RESERVE'],
  [105, 'ERRCODE_ACCOUNT_ASSET_AMOUNT_TOO_LARGE'],
  [106, 'ERRCODE_ACCOUNT_INIT_LOW_RESERVE'],
  [111, 'ERRCODE_FEE_NOT_ENOUGH'],
  [114, 'ERRCODE_OUT_OF_TXCACHE'],
  [120, 'ERRCODE_WEIGHT_NOT_VALID'],
  [121, 'ERRCODE_THRESHOLD_NOT_VALID'],
  [144, 'ERRCODE_INVALID_DATAVERSION'],
  [146, 'ERRCODE_TX_SIZE_TOO_BIG'],
  [151, 'ERRCODE_CONTRACT_EXECUTE_FAIL'],
  [152, 'ERRCODE_CONTRACT_SYNTAX_ERROR'],
  [153, 'ERRCODE_CONTRACT_TOO_MANY_RECURSION'],
  [154, 'ERRCODE_CONTRACT_TOO_MANY_TRANSACTIONS'],
  [155, 'ERRCODE_CONTRACT_EXECUTE_EXPIRED'],
  [160, 'ERRCODE_TX_INSERT_QUEUE_FAIL'],
];

describe('the error table', () => {
  it('has exactly the documented codes and names, in order', () => {
    assert.deepEqual(
      codeRows.map(({ code, name }) => [code, name]),
      documented,
    );
  });

  it('names no code twice and explains every one', () => {
    assert.equal(new Set(codeRows.map(({ code }) => code)).size, codeRows.length);
    assert.equal(new Set(codeRows.map(({ name }) => name)).size, codeRows.length);
    for (const { meaning } of codeRows) assert.notEqual(meaning, '');
  });

  it('gives each code one name inside', () => {
    assert.deepEqual(
      Object.values(codes),
      documented.map(([code]) => code),
    );
  });

  it('describes a refusal by its detail, or else by the code’s meaning', () => {
    assert.deepEqual(refuse('badNonce', 'nonce 3'), { code: 99, description: 'nonce 3' });
    assert.deepEqual(refuse('feeTooLow'), { code: 111, description: 'Fee too low' });
  });
});
