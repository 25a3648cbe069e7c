import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { listWaiting } from './waiting-applications.ts';

type Listed = Awaited<ReturnType<CredentialClient['listApplications']>>;

test('a service whose list of applications does not end is not asked for ever', async () => {
  for (const nextOf of [() => 'again', (count: number) => `c${count}`]) {
    let asked = 0;
    const listApplications = async () => {
      asked += 1;
      if (asked > 5_000) throw new Error('asked for ever');
      return {
        applications: [{ holder: 'did:zid:1', vcId: 'did:zid:2' }],
        nextCursor: nextOf(asked),
      } as Listed;
    };
    await assert.rejects(
      listWaiting({ listApplications }, 'did:zid:3', (call) => call()),
      /list does not end/,
    );
  }
});
