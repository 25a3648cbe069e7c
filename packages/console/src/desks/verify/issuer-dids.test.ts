import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssuerDids } from './issuer-dids.ts';

const [one, other] = ['ab', 'cd'].map((byte) => `did:zid:${byte.repeat(32)}`) as [string, string];

test('DIDs of issuers are read with anything between them, each once; what is none of this ledger is named', () => {
  assert.deepEqual(readIssuerDids(''), { dids: [] });
  assert.deepEqual(readIssuerDids(` ${one}, ${other}\n${one} `), { dids: [one, other] });
  for (const wrong of [
    'garbage',
    one.toUpperCase(),
    one.replace('ab', 'AB'),
    `${one}#x`,
    one.slice(0, -1),
    'did:web:bank.example',
  ])
    assert.deepEqual(readIssuerDids(`${other} ${wrong}`), { wrong });
});
