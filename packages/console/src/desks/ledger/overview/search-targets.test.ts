import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachPlaceOnce, foundByNode, foundByService } from './search-targets.ts';

const hash = 'ab'.repeat(32);

test('what is found leads to its page, each place once', () => {
  const found = eachPlaceOnce([
    foundByNode({ kind: 'block', seq: 12 }),
    foundByService({ kind: 'block', target: '12', label: 'Block 12' }),
    foundByNode({ kind: 'transaction', hash }),
    foundByService({ kind: 'account', target: 'a/b', label: 'Account' }),
    foundByService({ kind: 'credential', target: 'did:zid:7', label: 'Credential' }),
    foundByService({ kind: 'template', target: 'did:zid:1', label: 'Degree' }),
    foundByService({ kind: 'profile', target: 'did:web:somebody', label: 'Somebody' }),
    foundByNode({ kind: 'account' }),
  ]);
  assert.deepEqual(
    found.map(({ path }) => path),
    ['/ledger/blocks/12', `/ledger/tx/${hash}`, '/ledger/accounts/a%2Fb', '/issue/certificate/did%3Azid%3A7'],
  );
});
