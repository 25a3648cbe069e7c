import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { trustOf } from './trust-options.ts';

describe('a file with trusted issuers', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-test-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const read = (text: string) => {
    const file = path.join(folder, 'trust.json');
    writeFileSync(file, text);
    return trustOf({ trust: [{ file }] });
  };
  const did = 'did:zid:aa';

  test('is one as the list is printed', async () => {
    const issuers = [{ did, name: 'A', templates: ['did:zid:bb'] }];
    assert.deepEqual(await read(JSON.stringify({ name: 'l', issuers })), { trustedIssuers: issuers });
    assert.deepEqual(await read(JSON.stringify({ issuers: [{ did }] })), { trustedIssuers: [{ did }] });
  });

  test('holds nothing that would be passed over, and nothing twice', async () => {
    const one = `"did":"${did}"`;
    const cases: readonly [text: string, words: RegExp][] = [
      [`{"issuers":[{${one}}],"templates":["did:zid:bb"]}`, /"templates" belongs into an issuer/],
      [`{"issuers":[{${one}}],"colour":"red"}`, /"colour" is not known here; known are "name", "issuers"/],
      [`{"allowedIssuers":[{${one}}],"issuers":[{${one}}]}`, /did you mean "issuers"\?/],
      [`{"issuers":[{${one},"template":["did:zid:bb"]}]}`, /"template" is not known .* "templates"\?/],
      [`{"issuers":[{${one}}],"issuers":[{${one}}]}`, /has the member "issuers" twice/],
      [`{"issuers":[{${one},"templates":["a"],"templates":["b"]}]}`, /has the member "templates" twice/],
      [`{"issuers":[{${one},"__proto__":{}}]}`, /__proto__/],
      [`{"issuers":[{${one},"templates":["did:zid:bb"]},{${one}}]}`, /did:zid:aa stands twice in it/],
      [`{"issuers":[{${one},"templates":["did:zid:bb","did:zid:bb"]}]}`, /did:zid:bb stands twice in it/],
      ['{"issuers":[]}', /an array of/],
      ['[]', /no list of trusted issuers/],
      ['{', /is not JSON/],
    ];
    for (const [text, words] of cases)
      await assert.rejects(read(text), (error) => {
        assert.ok(error instanceof CommandFailure && error.exitCode === exitCodes.usage, String(error));
        assert.match(error.message, words);
        return true;
      });
  });

  test('and words beside it name nobody again', async () => {
    const file = path.join(folder, 'trust.json');
    writeFileSync(file, JSON.stringify({ issuers: [{ did, templates: ['did:zid:bb'] }] }));
    for (const trust of [
      [{ file }, { did }],
      [{ did }, { did }],
      [{ file }, { file }],
    ])
      await assert.rejects(trustOf({ trust }), (error) => {
        assert.ok(error instanceof CommandFailure && error.exitCode === exitCodes.usage, String(error));
        assert.match(error.message, /^did:zid:aa is trusted twice\.\n/);
        return true;
      });
    const other = { did: 'did:zid:cc' };
    assert.equal((await trustOf({ trust: [{ file }, other] })).trustedIssuers?.length, 2);
  });
});
