import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAllWords } from './catalogue.ts';

const [en, de] = await Promise.all([loadAllWords('en'), loadAllWords('de')]);

/** Every text of a catalogue with its place; a sentence with something in it is called with samples. */
function texts(section: unknown, place = ''): [place: string, text: string][] {
  if (typeof section === 'string') return [[place, section]];
  if (typeof section === 'function') {
    const samples = Array.from({ length: section.length }, () => 2);
    return [[place, String((section as (...given: unknown[]) => string)(...samples))]];
  }
  return Object.entries(section as object).flatMap(([name, inner]) => texts(inner, `${place}/${name}`));
}

test('both catalogues say something everywhere, in the same places', () => {
  const [english, german] = [texts(en), texts(de)];
  assert.deepEqual(english.map(([place]) => place).sort(), german.map(([place]) => place).sort());
  for (const [place, text] of [...english, ...german]) assert.notEqual(text.trim(), '', place);
});

test('nothing is shouted, and nothing is called a success', () => {
  for (const [place, text] of [...texts(en), ...texts(de)])
    assert.doesNotMatch(text, /!|successfully|oops|erfolgreich|\bundefined\b|\bNaN\b/i, place);
});

/** Names and forms are the same in every language; whatever is a sentence is not. */
const sameInBoth =
  /^[^ ]*$|^(\W|\d|[A-Z][\w+.-]*\b)+$|^(in )?\d+ ms$|^[{} .\w]*\{\w+\}\.$|^(\{\w+\}|\W)+$|https?:|symbolon |npm |sym_/;

test('no sentence stayed English in German', () => {
  const german = new Map(texts(de));
  const stayed = texts(en).filter(([place, text]) => german.get(place) === text && !sameInBoth.test(text));
  assert.deepEqual(stayed, []);
});

test('one German word for one thing: a presentation is no template', () => {
  const english = new Map(texts(en));
  for (const [place, text] of texts(de)) {
    const said = english.get(place) ?? '';
    if (/\bpresentation/i.test(said) && !/template/i.test(said)) assert.doesNotMatch(text, /Vorlage/, place);
    if (/Präsentation/.test(text)) assert.match(said, /presentation/i, place);
  }
});

test('one German word for one thing: a wallet is a Wallet, and what is recorded stands in the ledger', () => {
  for (const [place, text] of texts(de)) {
    assert.doesNotMatch(text, /Brieftasche|auf dem Ledger/i, place);
    // The demo's Mira has a role of her own; whoever else holds something is an Inhaber.
    if (place !== '/shell/roles/holder') assert.doesNotMatch(text, /Inhaberin/, place);
  }
});

test('a status is called otherwise than the term beside it, in every language', () => {
  for (const { parts, issueInbox } of [en, de])
    for (const term of [issueInbox.issuedList.valid, issueInbox.detail.validity])
      assert.ok(!Object.values<string>(parts.statuses).includes(term), term);
});

test('counts follow the plural rules of their language', () => {
  assert.equal(en.parts.halvesSum(1, 2, 1), '1 shared, 2 proved, 1 stays hidden');
  assert.equal(en.parts.halvesSum(1, 2, 4), '1 shared, 2 proved, 4 stay hidden');
  assert.equal(de.parts.halvesSum(1, 2, 4), '1 gezeigt, 2 bewiesen, 4 bleiben verborgen');
  assert.equal(en.parts.rows(1_200), '1,200 rows');
  assert.equal(de.home.attributes(1), '1 Merkmal');
});

test('sentences about transactions have the same places in every language', () => {
  const places = (text: string) => [...text.matchAll(/\{[a-z]+\}/gi)].map(String).sort();
  for (const [word, text] of Object.entries(en.sentences.words))
    assert.deepEqual(places(de.sentences.words[word as keyof typeof en.sentences.words]), places(text), word);
});
