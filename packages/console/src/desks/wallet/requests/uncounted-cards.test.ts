import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsed } from '@symbolon/core/credential/testing/sample-credentials';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { clockGapMs } from '../../../parts/card/credential-standing.ts';
import type { KeptCard } from '../cards/kept-cards.ts';
import { uncountedCards } from './uncounted-cards.ts';

const sample = parsed();
const { credentialSchema, issuer, validFrom, validUntil } = sample.credential;
const now = Date.parse(validUntil) - 1;
const card = (status: KeptCard['word']['status']) =>
  ({
    vcId: status,
    parsed: sample,
    names: { template: 'Sample', labels: {} },
    word: { status, at: 0 },
  }) as KeptCard;
const asked = (issuers?: readonly string[], templateId = credentialSchema.id): DcqlQuery => ({
  credentials: [{ id: 'degree', templateId, types: [], claims: [] }],
  ...(issuers && { issuers }),
});
const whyOf = (query: DcqlQuery, status: KeptCard['word']['status'], at = now) =>
  uncountedCards(query, 'degree', { cards: [card(status)], now: at }).map(({ why }) => why);

test('a card of the kind that is asked for is told with why it does not count', () => {
  assert.deepEqual(whyOf(asked(), 'active'), [], 'it counts');
  assert.deepEqual(whyOf(asked(), 'revoked'), ['revoked']);
  assert.deepEqual(whyOf(asked(), 'suspended'), ['suspended']);
  assert.deepEqual(whyOf(asked(), 'unknown'), ['unknown']);
  assert.deepEqual(whyOf(asked(), 'active', now + 1), ['expired']);
  assert.deepEqual(whyOf(asked(), 'active', Date.parse(validFrom) - clockGapMs - 1), ['notYet']);
  assert.deepEqual(whyOf(asked([issuer]), 'active'), []);
  assert.deepEqual(whyOf(asked(['did:zid:other']), 'active'), ['otherIssuer']);
  assert.deepEqual(whyOf(asked(['did:zid:other']), 'revoked'), ['revoked'], 'what nobody can change is said');
  assert.deepEqual(whyOf(asked(undefined, 'did:zid:residence'), 'revoked'), [], 'it is of another kind');
});
