import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desks, desksOf, type PlaceName } from '../../navigation/places.ts';
import { en } from '../../words/en.ts';
import { foundEntries, pathOfFound, templateEntries } from './found-things.ts';
import { findEntries, withFound } from './palette-entries.ts';

const all = new Set(desks.flatMap(({ places }) => places.map(({ name }) => name)));
const issuer = desksOf({ scopes: ['issue', 'templates'], isHolder: false }, all);
const holder = desksOf({ scopes: [], isHolder: true }, all);
const nobody = desksOf({ scopes: [], isHolder: false }, new Set<PlaceName>(['decode']));
const did = 'did:zid:a64274104116f1562c9a9d92d4e228a83040de1aef7ba7bf33318378ae53dae7';

test('what was found leads where this reader can see it', () => {
  const credential = { kind: 'credential', target: did, label: 'Degree' } as const;
  assert.equal(pathOfFound(credential, issuer), `/issue/issued/${encodeURIComponent(did)}`);
  assert.equal(pathOfFound(credential, holder), `/wallet/cards/${encodeURIComponent(did)}`);
  assert.equal(pathOfFound(credential, nobody), undefined);
  const party = { kind: 'profile', target: did, label: 'Mira' } as const;
  assert.match(pathOfFound(party, holder) ?? '', /^\/ledger\/accounts\/ZTX/);
  assert.match(pathOfFound(party, nobody) ?? '', /^\/lab\/decode\?blob=ZTX/);
  assert.equal(pathOfFound({ ...party, target: 'did:zid:x' }, holder), undefined);
  assert.equal(pathOfFound({ kind: 'block', target: '7', label: 'Block 7' }, holder), '/ledger/blocks/7');
});

test('templates are found by any word of their name, where they can be seen', () => {
  const templates = new Map([[did, 'University degree']]);
  const found = (desksSeen: typeof issuer) =>
    findEntries(
      templateEntries(templates, desksSeen, () => undefined),
      'degree',
    ).map(({ entry }) => entry.text);
  assert.deepEqual(found(issuer), ['University degree']);
  assert.deepEqual(found(holder), ['University degree']);
  assert.deepEqual(found(nobody), []);
});

test('found things stand behind the palette’s own, by group, with their names', () => {
  const gone: string[] = [];
  const entries = foundEntries(
    [
      { kind: 'transaction', target: 'ab'.repeat(32), label: 'Transaction' },
      { kind: 'template', target: did, label: 'University degree' },
    ],
    issuer,
    { words: en, goTo: (path) => gone.push(path) },
  );
  const shown = withFound(findEntries([], 'x'), entries).map(({ entry }) => entry);
  assert.deepEqual(
    shown.map(({ text, group, aside }) => [text, group, aside]),
    [
      ['University degree', 'templates', 'a642…dae7'],
      ['Transaction', 'ledger', 'abab…abab'],
    ],
  );
  shown[1]?.act();
  assert.deepEqual(gone, [`/ledger/tx/${'ab'.repeat(32)}`]);
});
