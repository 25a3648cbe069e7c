/** `symbolon doctor` and a hardware module: it loads the module and finds the token, and does not try the PIN. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHsm } from '@symbolon/cli/commands/doctor/folders';
import { findSoftHsm, softHsmTokens } from '../support/softhsm.ts';

const softHsm = await findSoftHsm();
const skip = 'missing' in softHsm && softHsm.missing;

test('a module with the token is fine, without it or without module it is wrong', {
  skip,
}, async (context) => {
  assert.ok(!('missing' in softHsm));
  const tokens = softHsmTokens(context, softHsm);
  await tokens.makeToken('for the doctor', 'a-pin-nobody-gives');
  const { module } = tokens;
  const found = await checkHsm('master key', { module, tokenLabel: 'for the doctor' });
  assert.equal(found.verdict, 'fine', found.detail);
  const other = await checkHsm('master key', { module, tokenLabel: 'another' });
  assert.deepEqual([other.verdict, other.name], ['wrong', 'master key']);
  assert.match(other.detail, /no token with the label "another"/);
  const missing = await checkHsm('master key', { module: '/nonexistent/module.so', tokenLabel: 'x' });
  assert.equal(missing.verdict, 'wrong');
});
