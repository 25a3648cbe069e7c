import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationStatuses } from '@symbolon/wire/credentials/schemas';
import { applicationStanding, isToFetch } from './application-states.ts';

const now = 1_000_000;
const application = (status: (typeof applicationStatuses)[number], downloadExpiresAt?: number) => ({
  vcId: 'did:zid:AB',
  status,
  ...(downloadExpiresAt !== undefined && { downloadExpiresAt: new Date(downloadExpiresAt).toISOString() }),
});

test('what was issued and then revoked or suspended does not wait for the issuer', () => {
  assert.deepEqual(applicationStatuses.map(applicationStanding), [
    'waiting',
    'waiting',
    'issued',
    'rejected',
    'suspended',
    'revoked',
  ]);
});

test('what became a credential is fetched, also when it is good for nothing any more', () => {
  const fetched = applicationStatuses.filter((status) => isToFetch(application(status), [], now));
  assert.deepEqual(fetched, ['Issued', 'Suspended', 'Revoked']);
});

test('what is here, and what the service does not keep any more, is not fetched', () => {
  assert.equal(isToFetch(application('Revoked'), ['did:zid:ab'], now), false);
  assert.equal(isToFetch(application('Issued', now), [], now), false);
  assert.equal(isToFetch(application('Issued', now + 1), [], now), true);
});
