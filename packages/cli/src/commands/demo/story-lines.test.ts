import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { presentationChecks } from '@symbolon/core/documents/model';
import { storyLines } from './story-lines.ts';

const terminal = { print: () => undefined, remark: () => undefined, isWatched: false, hasColours: false };
const place = { txHash: 'ab'.repeat(32), block: 9n };

describe('the lines of the story', () => {
  test('say where a step stands on the ledger', () => {
    const [line] = storyLines(terminal, 7, { step: 'revoke', status: 'Revoked', ...place });
    assert.match(line ?? '', /^ {2}7 {2}issuer revokes +tx abababab…ababab {2}block 9 {2}Revoked$/);
  });

  test('tick what passed and cross what failed, and say why', () => {
    const passed = presentationChecks.filter((check) => check !== 'bbsProof' && check !== 'challenge');
    const failures = [
      { check: 'bbsProof', detail: 'BBS+ proof invalid' },
      { check: 'challenge', detail: 'the challenge is another than expected' },
    ];
    const step = { step: 'verify', by: 'Example Bank', saw: {}, verified: false, passed, failures } as const;
    const text = storyLines(terminal, 6, step).join('\n');
    assert.equal(text.match(/✔/g)?.length, 4);
    assert.match(text, /✖ BBS\+ proof/);
    assert.match(text, /✖ challenge matches/);
    assert.match(text, /NOT VERIFIED {3}bbsProof: BBS\+ proof invalid; challenge: the challenge is another/);
  });

  test('do not pretend: a revoked credential that is still verified is shown as verified', () => {
    const checked = { verified: true, passed: [...presentationChecks], failures: [] };
    const lines = storyLines(terminal, 8, { step: 'verifyAgain', by: 'X', revocation: place, ...checked });
    assert.match(lines.join('\n'), /VERIFIED {3}although the credential is revoked/);
  });
});
