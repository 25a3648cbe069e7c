import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTypedPolicy, typedPolicy } from './policy-terms.ts';

const now = Date.UTC(2026, 10, 15);
const holder = `did:zid:${'a6'.repeat(32)}`;
const good = typedPolicy(null, now);

test('what most would set can be set', () => {
  assert.deepEqual(readTypedPolicy(good, now), {
    policy: {
      perDayMax: 100,
      until: '2027-02-13T23:59:59Z',
      validSeconds: 31_536_000,
      allowReissue: false,
    },
  });
});

test('what is set comes back as it was', () => {
  const set = {
    perDayMax: 3,
    until: '2027-01-31T23:59:59Z',
    validSeconds: 864_000,
    holders: [holder],
    allowReissue: true,
  };
  assert.deepEqual(readTypedPolicy(typedPolicy(set, now), now), { policy: set });
});

test('everything that is wrong is told at once', () => {
  const wrong = {
    perDayMax: '0',
    until: '2020-01-01',
    validDays: 'x',
    holders: 'somebody',
    allowReissue: false,
  };
  assert.deepEqual(readTypedPolicy(wrong, now), { wrong: ['perDayMax', 'until', 'validDays', 'holders'] });
  assert.deepEqual(
    readTypedPolicy({ ...good, holders: `${holder.toUpperCase().replace('DID:ZID', 'did:zid')},` }, now),
    {
      policy: {
        perDayMax: 100,
        until: '2027-02-13T23:59:59Z',
        validSeconds: 31_536_000,
        allowReissue: false,
        holders: [holder],
      },
    },
  );
});
