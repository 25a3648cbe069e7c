import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { readProfile } from './profile.ts';

function profileOf(context: TestContext, content: object): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-profile-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

test('a pin that is misspelt, or of another form, is named with the one that was meant', async (context) => {
  const wrong: [object, RegExp][] = [
    [{ chainID: 7 }, /"chainID" is not known here; did you mean "chainId"\?/],
    [{ feeLimitMax: 'many' }, /"feeLimitMax" is not of the form/],
  ];
  for (const [pins, words] of wrong)
    await assert.rejects(
      readProfile(profileOf(context, { pins, holder: { privateKey: 'priv1' } })),
      (error) => {
        assert.ok(error instanceof CommandFailure);
        assert.equal(error.exitCode, exitCodes.config);
        assert.match(error.message, words);
        assert.doesNotMatch(error.message, /priv1/);
        return true;
      },
    );
  await assert.rejects(readProfile(profileOf(context, { service: 7 })), /is not a profile/);
  assert.equal((await readProfile(profileOf(context, { pins: { chainId: 7 } }))).pins.chainId, 7n);
});

test('one that holds keys is refused when others can reach it, one without is not', async (context) => {
  const people = [{ holder: { privateKey: 'priv1' } }, { issuer: { apiKey: 'sym_1' } }];
  for (const content of people) {
    const file = profileOf(context, content);
    await readProfile(file);
    chmodSync(file, 0o640);
    await assert.rejects(readProfile(file), (error) => {
      assert.ok(error instanceof CommandFailure);
      assert.equal(error.exitCode, exitCodes.config);
      assert.match(error.message, /others than its owner can reach it\.\nClose it with: chmod 600/);
      return true;
    });
  }
  const open = profileOf(context, { service: 'http://127.0.0.1:1', holder: { did: 'did:zid:1' } });
  chmodSync(open, 0o644);
  await readProfile(open);
});
