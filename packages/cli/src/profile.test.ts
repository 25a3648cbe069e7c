import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { CommandFailure, exitCodes } from './failure.ts';
import { readProfile } from './profile.ts';

function profileOf(context: TestContext, content: object): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-profile-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

const reading = (file: string) => readProfile(file, () => {});

test('a pin that is misspelt, or of another form, is named with the one that was meant', async (context) => {
  const wrong: [object, RegExp][] = [
    [{ chainID: 7 }, /"chainID" is not known here; did you mean "chainId"\?/],
    [{ feeLimitMax: 'many' }, /"feeLimitMax" is not of the form/],
  ];
  for (const [pins, words] of wrong)
    await assert.rejects(reading(profileOf(context, { pins, holder: { privateKey: 'priv1' } })), (error) => {
      assert.ok(error instanceof CommandFailure);
      assert.equal(error.exitCode, exitCodes.config);
      assert.match(error.message, words);
      assert.doesNotMatch(error.message, /priv1/);
      return true;
    });
  await assert.rejects(reading(profileOf(context, { service: 7 })), /is not a profile/);
  assert.equal((await reading(profileOf(context, { pins: { chainId: 7 } }))).pins.chainId, 7n);
});
