import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionCsv } from './session-csv.ts';

test('cells are quoted where they must be, and none is a formula', () => {
  const session = {
    presentationId: 'pres_1',
    stateId: 's',
    status: 'VERIFIED',
    createdAt: '2026-11-17T00:00:00Z',
    updatedAt: '2026-11-17T00:00:01Z',
    expiresAt: '2026-11-17T00:05:00Z',
  };
  const lines = sessionCsv([session, { ...session, purpose: '=1+1, "now"' }]).split('\r\n');
  assert.equal(lines[0], 'presentationId,status,createdAt,updatedAt,expiresAt,purpose,abortedBy');
  assert.match(lines[1] ?? '', /^pres_1,VERIFIED,.*,,$/);
  assert.match(lines[2] ?? '', /,"'=1\+1, ""now""",$/);
  assert.equal(lines[3], '');
});
