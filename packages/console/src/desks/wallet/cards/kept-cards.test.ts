import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCredential } from '@symbolon/core/credential/testing/sample-credentials';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { readCards, toldWord } from './kept-cards.ts';

const id = `did:zid:${'ab'.repeat(32)}`;
const card = {
  document: sampleCredential({ id }) as unknown as JsonObject,
  keptAt: 1,
  names: { template: 'Sample', issuer: null, labels: {} },
  word: { status: 'active', at: 1, block: null },
};
const kept = (...values: readonly JsonValue[]) => ({
  list: async () => values.map((value, place) => ({ name: `cards/${place}`, value })),
});

test('what is no card in form, as of a backup that somebody made by hand, takes no card with it', async () => {
  const broken: readonly JsonValue[] = [
    null,
    { ...card, document: {} },
    { ...card, document: { ...card.document, credentialSubject: 'none' } },
    { ...card, word: { status: 'verified', at: 1, block: null } },
  ];
  const read = await readCards(kept(...broken, card));
  assert.deepEqual(
    read.map(({ vcId }) => vcId),
    [id],
  );
});

test('the block in which a card was recorded stays known when the ledger tells only that of a change', () => {
  const first = { status: 'active', at: 1, block: 7, recordedIn: 7 } as const;
  assert.deepEqual(toldWord(first, { status: 'revoked', at: 2, block: 31 }), {
    ...{ status: 'revoked', at: 2, block: 31 },
    recordedIn: 7,
  });
  assert.deepEqual(toldWord({ status: 'unknown', at: 0 }, first), first);
});
