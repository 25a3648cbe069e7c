import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsed, sampleCredential } from '@symbolon/core/credential/testing/sample-credentials';
import { LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { statusesOf } from './ledger-word.ts';

const { credential } = parsed();
const before = Date.parse(credential.validUntil) - 1;
const after = Date.parse(credential.validUntil);

const entry = (status: string): string =>
  JSON.stringify({
    status,
    digest: 'ab'.repeat(32),
    template: 'x',
    templateVersion: '1.0.0',
    validFrom: credential.validFrom,
    validUntil: credential.validUntil,
    issuedAt: 1,
    changedAt: 1,
    changedIn: 1,
  });

/** A node that answers every question alike. */
function nodeThat(answers: () => string) {
  let asked = 0;
  const getAccountMetaData = async ({ key }: { key: string }) => {
    asked += 1;
    return { result: { [key]: { key, value: answers(), version: 1 } } };
  };
  const ledger = { getAccountMetaData } as unknown as LedgerClient;
  return { wallet: { ledger, pins: {} }, asked: () => asked };
}

const away = () => {
  throw new SdkError('unreachable', 'nobody is there', { hint: '' });
};
const statusAt = async (now: number, answers: () => string) =>
  (await statusesOf(nodeThat(answers).wallet, [credential], now))[0];

describe('the status of a kept credential', () => {
  test('is what the ledger says, and expired by the clock unless it is revoked', async () => {
    for (const status of ['active', 'suspended', 'revoked'])
      assert.equal(await statusAt(before, () => entry(status)), status);
    assert.equal(await statusAt(after, () => entry('active')), 'expired');
    assert.equal(await statusAt(after, () => entry('suspended')), 'expired');
    assert.equal(await statusAt(after, () => entry('revoked')), 'revoked');
  });

  test('is not known where the node is away, refuses or answers nonsense', async () => {
    const refuses = () => {
      throw new LedgerError(1, 'no', {});
    };
    for (const answers of [away, refuses, () => 'no entry', () => '{"status":"active"}'])
      assert.equal(await statusAt(before, answers), 'not known');
    assert.equal(await statusAt(after, away), 'expired');
  });

  test('of another registry than the pinned one is not known', async () => {
    const { wallet, asked } = nodeThat(() => entry('active'));
    const pins = { credentialRegistry: 'another' };
    assert.deepEqual(await statusesOf({ ...wallet, pins }, [credential], before), ['not known']);
    assert.equal(asked(), 0);
  });

  test('is not asked of a node that did not answer the questions before', async () => {
    const many = Array.from(
      { length: 100 },
      (_one, place) =>
        parsed(sampleCredential({ id: `did:zid:${String(place).padStart(64, '0')}` })).credential,
    );
    const { wallet, asked } = nodeThat(away);
    const statuses = await statusesOf(wallet, many, before);
    assert.ok(statuses.length === 100 && statuses.every((status) => status === 'not known'));
    assert.ok(asked() <= 16, `${asked()} questions`);
  });
});
