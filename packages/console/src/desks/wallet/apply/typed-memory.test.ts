import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenedVault } from '../../../vault/vaults.ts';
import { keepTyped, typedBefore } from './typed-memory.ts';

const opened = (): Pick<OpenedVault, 'facts'> => ({
  facts: {
    ...{ did: 'did:zid:aa', address: '', publicKey: '', name: '', createdAt: '' },
    protection: 'password',
  },
});

test('what was typed is there for the same template, and for no other time that the vault is open', () => {
  const owner = opened();
  keepTyped(owner, 'degree', { name: 'Mira' });
  keepTyped(owner, 'transcript', { credits: '180' });
  assert.deepEqual(typedBefore(owner, 'degree'), { name: 'Mira' });
  assert.deepEqual(typedBefore(owner, 'other'), {});
  assert.deepEqual(typedBefore(opened(), 'degree'), {}, 'locked and opened again');
  keepTyped(owner, 'degree', {});
  assert.deepEqual(typedBefore(owner, 'degree'), {});
  assert.deepEqual(typedBefore(owner, 'transcript'), { credits: '180' });
});
