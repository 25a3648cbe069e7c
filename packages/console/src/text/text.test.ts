import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfId, cardInk, cardInks, identityColour, lineOffsets } from './identity.ts';
import { preferredLanguage } from './language.ts';
import { amountText, countText, unitsText } from './numbers.ts';
import { shortAccount, shortDid, shortHash } from './short-ids.ts';
import { agoText, dayText, lastDayText, logTimeText } from './times.ts';

const mira = 'did:zid:a64274104116f1562c9a9d92d4e228a83040de1aef7ba7bf33318378ae53dae7';

test('an amount goes from BigInt to text and loses nothing', () => {
  assert.deepEqual(amountText(2_500_000n, 'en'), { figure: '2.5', unit: 'Gas', exact: '2,500,000' });
  assert.equal(amountText(9_007_199_254_740_993_000_001n, 'en').figure, '9,007,199,254,740,993.000001');
  assert.equal(amountText(1_234_567_890_000n, 'de').figure, '1.234.567,89');
  assert.equal(amountText(-1n, 'en').figure, '-0.000001');
  assert.equal(countText(1_284, 'de'), '1.284');
});

test('an amount of a token has the places of the token', () => {
  assert.equal(unitsText(2_500n, 3, 'en'), '2.5');
  assert.equal(unitsText(1_234_567n, 0, 'de'), '1.234.567');
  assert.equal(unitsText(5n, 4, 'de'), '0,0005');
});

test('a time is relative up to a day, then a day', () => {
  const now = Date.UTC(2026, 10, 15, 12);
  assert.equal(agoText(now, now, 'en'), 'now');
  assert.equal(agoText(now - 125_000, now, 'en'), '2 minutes ago');
  assert.equal(agoText(now - 125_000, now, 'de'), 'vor 2 Minuten');
  assert.equal(agoText(now - 4_000, now, 'en', 'narrow'), '4 s');
  assert.equal(agoText(now - 86_399_000, now, 'en'), '23 hours ago');
  assert.equal(agoText(now - 86_400_000, now, 'en'), '14 Nov 2026');
  assert.equal(agoText(now + 90_000, now, 'en'), 'in 1 minute');
  assert.equal(dayText(Date.UTC(2099, 11, 31, 23, 59), 'en'), '31 Dec 2099');
  assert.equal(lastDayText(Date.UTC(2099, 11, 31, 23, 59, 59), 'en'), '31 Dec 2099');
  assert.equal(
    lastDayText(Date.UTC(2099, 11, 31), 'en'),
    '30 Dec 2099',
    'it does not hold on the day that begins',
  );
  assert.match(logTimeText(Date.UTC(2026, 0, 1, 10, 2, 3, 45)), /^\d\d:\d\d:03\.045$/);
});

test('identifiers are cut in the middle, and not at all where nothing is saved', () => {
  assert.equal(shortHash('6c3cb0ec8e0570dc'), '6c3c…70dc');
  assert.equal(shortHash('6c3cb0ec8e0570dc6979163fb969e58e', true), '6c3cb0ec8e…b969e58e');
  assert.equal(shortHash('short'), 'short');
  assert.equal(shortAccount('ZTX3ZapFFozb8xCMSAynkW95xW4g5U9bSDQVX'), 'ZTX3ZapF…bSDQVX');
  assert.deepEqual(shortDid(mira), { method: 'did:zid:', id: 'a642…dae7' });
});

test('a colour follows from the first two bytes of an identifier', () => {
  assert.equal(identityColour(mira), '#6a2c8f');
  assert.equal(identityColour('did:zid:7c01ff'), '#7a1f3d');
  assert.equal(identityColour('ZTX3ZapF'), identityColour('ZTX3ZapF'));
  assert.match(identityColour(''), /^#/);
  assert.equal(cardInk('did:zid:07aa'), cardInks[2]);
});

test('a line has as many corners as are asked for, however short its identifier is', () => {
  assert.deepEqual(bytesOfId('did:zid:00ff80'), [0, 255, 128]);
  assert.deepEqual(lineOffsets('did:zid:00ff', 4), [-0.5, 0.5, -0.5, 0.5]);
  assert.equal(lineOffsets('', 9).length, 9);
});

test('the first language of a reader that there is', () => {
  assert.equal(preferredLanguage(['fr', 'de-AT', 'en']), 'de');
  assert.equal(preferredLanguage([]), 'en');
  assert.equal(preferredLanguage(['ja']), 'en');
});
