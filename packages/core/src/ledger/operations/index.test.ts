import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operationTypes } from '../terms/operation-types.ts';
import { operationRules } from './index.ts';

describe('the operation table', () => {
  it('has the seven operations of the interface document under their numbers, and the one that upgrades', () => {
    assert.deepEqual(operationTypes, {
      createAccount: 1,
      issueAsset: 2,
      payAsset: 3,
      setMetadata: 4,
      payCoin: 7,
      log: 8,
      setPrivilege: 9,
      upgradeContract: 10,
    });
    for (const [name, type] of Object.entries(operationTypes)) assert.equal(operationRules(type)?.name, name);
  });

  it('knows no other type', () => {
    for (const type of [-1, 0, 5, 6, 11, 100, 2 ** 31 - 1, -(2 ** 31)]) {
      assert.equal(operationRules(type), undefined);
    }
  });
});
