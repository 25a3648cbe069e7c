import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openidRequestOf, readAskedFields, seenClaims } from './field-session.ts';

test('what was asked is read from every format', () => {
  const requirements = {
    credentials: [
      {
        id: 'card',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['https://a.example/card'] },
        claims: [
          { id: 'n', path: ['address', null, 'city'] },
          { id: 'v', path: ['level'], values: ['B1', 2] },
        ],
        claim_sets: [['n'], ['v']],
      },
      { id: 'degree', format: 'ldp_vc', meta: { type_values: [['A', 'B'], ['C']] } },
      {
        id: 'own',
        format: 'symbolon-bbs-2026',
        meta: { template_values: ['did:zid:1'] },
        claims: [{ path: ['credentialSubject', 'points'], range: { min: 100 } }],
      },
    ],
  };
  assert.deepEqual(readAskedFields(requirements), [
    {
      id: 'card',
      format: 'dc+sd-jwt',
      kinds: ['https://a.example/card'],
      claims: [
        { name: 'address / * / city', fate: 'shared' },
        { name: 'level', fate: 'shared', bounds: 'B1, 2' },
      ],
      isChoice: true,
    },
    { id: 'degree', format: 'ldp_vc', kinds: ['A + B', 'C'], claims: [], isChoice: false },
    {
      id: 'own',
      format: 'symbolon-bbs-2026',
      kinds: ['did:zid:1'],
      claims: [{ name: 'points', fate: 'proved', bounds: '100 …' }],
      isChoice: false,
    },
  ]);
  assert.deepEqual(openidRequestOf({ requirements, purpose: 'a job' }), {
    dcqlQuery: requirements,
    purpose: 'a job',
  });
});

test('what was seen is told by name, of claims and of subjects', () => {
  assert.deepEqual(seenClaims({ claims: { name: 'Mira', address: { city: 'Bern' } } }), [
    ['name', 'Mira'],
    ['address', '{"city":"Bern"}'],
  ]);
  const subject = { id: 'did:key:z', type: 'Person', name: 'Mira' };
  assert.deepEqual(seenClaims({ claims: { credentialSubject: subject } }), [['name', 'Mira']]);
});

test('what is no query asks for nothing', () => {
  assert.deepEqual(readAskedFields({}), []);
  assert.deepEqual(readAskedFields({ credentials: ['x'] }), []);
});
