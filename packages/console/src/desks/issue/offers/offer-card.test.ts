import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offerCard } from './offer-card.ts';
import { blankOffer, offerOrderOf } from './offer-draft.ts';

const attribute = (key: string, name: string, format: string) => ({
  attribute: name,
  key,
  format,
  mandatory: true,
});
const template = {
  templateId: 'did:zid:1',
  credentialFormat: [
    attribute('name', 'Name', 'string'),
    attribute('street', 'Street', 'string'),
    attribute('city', 'Town', 'string'),
    attribute('since', 'Since', 'date'),
  ],
} as unknown as Parameters<typeof offerOrderOf>[0];

const cardOf = (typed: Readonly<Record<string, string>>) =>
  offerCard(
    template,
    offerOrderOf(template, { ...blankOffer, typed, reference: 'Private note' }, 'en'),
    'en',
  );

test('a card of an offer has values of the offer, and no word of whom it is for', () => {
  assert.deepEqual(cardOf({}), { telling: 'Town', holder: undefined });
  const whole = { name: 'Oren Example', street: 'Main 1', city: 'Exampletown', since: '31.12.2001' };
  assert.deepEqual(cardOf(whole), { telling: 'Exampletown', holder: 'Oren Example' });
  assert.doesNotMatch(JSON.stringify(cardOf(whole)), /Private/);
});
