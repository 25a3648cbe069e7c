import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShownPerson } from '../api/console-config.ts';
import { desks, desksOf, type PlaceName } from '../navigation/places.ts';
import { loadWords } from '../words/catalogue.ts';
import { findEntries } from './palette/palette-entries.ts';
import { paletteEntries } from './shell-entries.ts';

const built = new Set<PlaceName>(desks.flatMap(({ places }) => places.map(({ name }) => name)));
const [en, de] = await Promise.all([loadWords('en', new Set()), loadWords('de', new Set())]);

/** What the palette offers a reader for a text, and what comes of the first act in it. */
function offered(
  typed: string,
  words = en,
  scopes: readonly ('issue' | 'verify')[] = ['issue'],
  people: readonly ShownPerson[] = [],
) {
  const done: string[] = [];
  const entries = paletteEntries(
    {
      isDemo: false,
      desks: desksOf({ scopes, isHolder: false }, built),
      switching: {
        person: undefined,
        wallet: undefined,
        people,
        onTake: () => undefined,
        onLeave: () => undefined,
      },
    },
    {
      goTo: (path) => done.push(path),
      openPalette: () => undefined,
      openKeys: () => undefined,
      openCode: () => undefined,
      giveGas: (address) => done.push(`gas ${address}`),
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

test('in a demo its people can be given coins', () => {
  const mira = { person: 'holder', name: 'Mira Example', did: 'did:zid:1', address: 'ZTX3m' } as ShownPerson;
  for (const typed of ['faucet', 'gas', 'Give Mira'])
    assert.deepEqual(
      offered(typed, en, [], [mira]),
      { acts: ['Give Mira Example 100 Gas'], done: 'gas ZTX3m' },
      typed,
    );
  assert.deepEqual(offered('faucet', en, []).acts, []);
});
