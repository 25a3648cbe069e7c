import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desks, desksOf, type PlaceName } from '../navigation/places.ts';
import { loadWords } from '../words/catalogue.ts';
import { findEntries } from './palette/palette-entries.ts';
import { paletteEntries } from './shell-entries.ts';

const built = new Set<PlaceName>(desks.flatMap(({ places }) => places.map(({ name }) => name)));
const [en, de] = await Promise.all([loadWords('en', new Set()), loadWords('de', new Set())]);

/** What the palette offers a reader for a text, and what comes of the first act in it. */
function offered(typed: string, words = en, scopes: readonly ('issue' | 'verify')[] = ['issue']) {
  const done: string[] = [];
  const entries = paletteEntries(
    {
      isDemo: false,
      desks: desksOf({ scopes, isHolder: false }, built),
      switching: {
        person: undefined,
        wallet: undefined,
        people: [],
        onTake: () => undefined,
        onLeave: () => undefined,
      },
    },
    {
      goTo: (path) => done.push(path),
      openPalette: () => undefined,
      openKeys: () => undefined,
      openCode: () => undefined,
      chooseLanguage: (language) => done.push(language),
      chooseLook: (look) => done.push(look),
    },
    words,
  );
  const acts = findEntries(entries, typed).filter(({ entry }) => entry.group === 'acts');
  acts[0]?.entry.act();
  return { acts: acts.map(({ entry }) => entry.text), done: done[0] };
}

test('acts are found by their verbs, by whoever can do them', () => {
  assert.deepEqual(offered('revoke'), { acts: ['Revoke a credential'], done: '/issue/issued' });
  assert.equal(offered('suspend').done, '/issue/issued');
  assert.equal(offered('issue').done, '/issue/applications');
  assert.equal(offered('offer').done, '/issue/offers/new');
  assert.equal(offered('verify').done, '/verify/check');
  assert.equal(offered('widerrufen', de).done, '/issue/issued');
  assert.deepEqual(offered('revoke', en, ['verify']).acts, []);
});

test('language and look are changed by whichever word one knows', () => {
  for (const typed of ['german', 'deutsch', 'Sprache', 'language'])
    assert.ok(offered(typed).acts.includes('Language: Deutsch'), typed);
  assert.equal(offered('german').done, 'de');
  assert.equal(offered('english', de).done, 'en');
  assert.equal(offered('dark').done, 'dark');
  assert.equal(offered('dunkel', de).done, 'dark');
  assert.equal(offered('light').done, 'light');
});
