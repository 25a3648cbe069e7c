import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jsonLimits } from '@symbolon/core/limits/documents';
import { factsForm } from '@symbolon/sdk/verification/collected-facts';
import type { TextStore } from '../saved/saved-requests.ts';
import { documentBytesMax, readGiven } from './given-document.ts';
import { outdatedIds } from './kept-anew.ts';
import {
  factsAboutKept,
  forgetFacts,
  gapOf,
  type KeptFact,
  keepFacts,
  keptFactLimits,
  readKept,
  refuseUntimely,
} from './kept-facts.ts';
import { recordingTransport, replayingTransport } from './recorded-ledger.ts';

const credential = { type: ['VerifiableCredential'], id: 'did:zid:11', issuer: 'did:zid:aa' };
const presentation = { type: ['VerifiablePresentation'], verifiableCredential: [credential, 7, { id: 1 }] };

describe('what somebody gives', () => {
  test('is a presentation or a credential, also inside of a reply', () => {
    for (const given of [presentation, { vpObject: presentation }]) {
      const read = readGiven(JSON.stringify(given));
      assert.ok('kind' in read && read.kind === 'presentation');
      assert.deepEqual(read.credentials, [{ id: 'did:zid:11', issuer: 'did:zid:aa' }]);
    }
    const whole = readGiven(JSON.stringify({ vcObject: credential }));
    assert.ok('kind' in whole && whole.kind === 'credential');
  });

  test('names for whom it was made, or nobody', () => {
    const hasDomain = (proof: object): boolean => {
      const read = readGiven(JSON.stringify({ ...presentation, proof }));
      return 'kind' in read && read.hasDomain;
    };
    assert.deepEqual([{ domain: 'https://a.example' }, { domain: '' }, { challenge: 'a' }].map(hasDomain), [
      true,
      true,
      false,
    ]);
  });

  test('or nothing that can be checked, and why', () => {
    const problems = [
      '',
      ' ',
      '{',
      '[]',
      '{}',
      '{"type":"Other"}',
      ' '.repeat(3) + 'x'.repeat(documentBytesMax),
    ];
    assert.deepEqual(
      problems.map((text) => {
        const read = readGiven(text);
        return 'problem' in read ? read.problem : read.kind;
      }),
      ['empty', 'empty', 'notJson', 'notDocument', 'notDocument', 'notDocument', 'tooLarge'],
    );
    const doubled = JSON.stringify(credential).replace('{', '{"issuer":"did:zid:ee",');
    assert.deepEqual(readGiven(doubled), { problem: 'doubled' });
    const deep = `${'{"a":'.repeat(jsonLimits.depthMax + 1)}1${'}'.repeat(jsonLimits.depthMax + 1)}`;
    assert.deepEqual(readGiven(deep), { problem: 'nested' });
  });
});

function memory(): TextStore {
  const texts = new Map<string, string>();
  return { getItem: (name) => texts.get(name) ?? null, setItem: (name, text) => void texts.set(name, text) };
}
const fact = (vcId: string, fetchedAt: string): KeptFact => ({
  vcId,
  issuer: 'did:zid:aa',
  at: Date.parse(fetchedAt),
  facts: {
    form: factsForm,
    fetchedAt,
    basis: {},
    issuerKeys: [{ verificationMethod: 'did:zid:aa#delegateKey-1', publicKeyMultibase: 'z' }],
    statuses: [{ vcId, issuer: 'did:zid:aa', status: 'Active' }],
    issuerNames: [],
  },
});

describe('facts that are kept', () => {
  test('are of the time of the oldest that is used, and of every credential or of none', () => {
    const store = memory();
    keepFacts(store, [fact('v1', '2026-11-17T10:00:00Z'), fact('v2', '2026-11-16T10:00:00Z')]);
    keepFacts(store, [fact('v1', '2026-11-17T11:00:00Z')]);
    const kept = readKept(store);
    assert.equal(kept.length, 2);
    const both = factsAboutKept(kept, [
      { id: 'v1', issuer: 'did:zid:aa' },
      { id: 'v2', issuer: 'did:zid:aa' },
    ]);
    assert.equal(both?.fetchedAt, '2026-11-16T10:00:00Z');
    assert.equal(both?.issuerKeys.length, 1);
    assert.equal(both?.statuses.length, 2);
    assert.equal(factsAboutKept(kept, [{ id: 'v3', issuer: 'did:zid:aa' }]), undefined);
    assert.equal(factsAboutKept(kept, [{ id: 'v1', issuer: 'did:zid:bb' }]), undefined);
    assert.equal(factsAboutKept(kept, []), undefined);
    assert.deepEqual(
      forgetFacts(store, 'v1').map(({ vcId }) => vcId),
      ['v2'],
    );
  });

  test('that do not serve for a document say why, by the number of its credential', () => {
    const of = (kind: 'presentation' | 'credential', ...ids: string[]) => ({
      ...{ kind, credentials: ids.map((id) => ({ id, issuer: 'did:zid:aa' })) },
    });
    const at = '2026-11-17T10:00:00Z';
    const { facts: _, ...whole } = { ...fact('v2', at), replies: {} };
    const kept = [fact('v1', at), whole, { ...fact('v3', at), issuer: 'did:zid:bb' }];
    assert.equal(gapOf(kept, of('presentation', 'v9')), 'nothing');
    assert.equal(gapOf(kept, of('credential', 'v9')), 'nothing');
    assert.equal(gapOf(kept, of('presentation')), 'nothing');
    assert.equal(gapOf(kept, of('credential', 'v1')), 'forPresentations');
    assert.equal(gapOf(kept, of('presentation', 'v2')), 'forCredential');
    assert.equal(gapOf(kept, of('presentation', 'v3')), 'otherIssuer');
    assert.equal(gapOf(kept, of('presentation', 'v1', 'v9')), 'forSome');
    assert.equal(gapOf(kept, of('presentation', 'v1', 'v2')), 'forCredential');
  });

  test('count for a day, and not where they are of a time that this clock has not reached', () => {
    const now = Date.parse('2026-11-17T10:00:00Z');
    const [minute, day] = [60_000, 86_400_000];
    for (const at of [now, now - day, now + 5 * minute]) assert.doesNotThrow(() => refuseUntimely(at, now));
    assert.throws(() => refuseUntimely(now - day - 1, now), { code: 'factsStale' });
    assert.throws(() => refuseUntimely(now + 5 * minute + 1, now), { code: 'factsFromFuture' });
  });

  test('are bounded, and what somebody spoilt counts as nothing', () => {
    const store = memory();
    for (let at = 0; at < keptFactLimits.factsMax + 5; at += 1)
      keepFacts(store, [fact(`v${at}`, '2026-11-17T10:00:00Z')]);
    assert.equal(readKept(store).length, keptFactLimits.factsMax);
    store.setItem('symbolon-kept-facts', '[7,{"vcId":1}');
    assert.deepEqual(readKept(store), []);
  });

  test('are outdated where the ledger says otherwise now, and by nothing else', async () => {
    const at = '2026-11-17T10:00:00Z';
    const said = { replies: { 'GET /getAccountMetaData?key=v2': { status: 1n } } };
    const { facts: _, ...whole } = { ...fact('v2', at), ...said };
    const kept = [fact('v1', at), whole];
    const now = (status: 'Active' | 'Revoked', entry: bigint) => ({
      node: async () => ({ status: entry }),
      factsOf: async ({ vcId, issuer }: Pick<KeptFact, 'vcId' | 'issuer'>) => {
        const { facts } = fact(vcId, '2026-11-17T12:00:00Z');
        assert.ok(facts);
        return { ...facts, statuses: [{ vcId, issuer, status }] };
      },
    });
    assert.deepEqual(await outdatedIds(kept, now('Active', 1n)), []);
    assert.deepEqual(await outdatedIds(kept, now('Revoked', 1n)), ['v1']);
    assert.deepEqual(await outdatedIds(kept, now('Active', 2n)), ['v2']);
    const silent = { ...now('Active', 1n), node: () => Promise.reject(new Error('nobody answers')) };
    await assert.rejects(outdatedIds(kept, silent), /nobody answers/);
  });

  test('a node is asked once, and answers the same again when nobody can be asked', async () => {
    const replies = {};
    const node = recordingTransport(async (_method, path) => ({ path, big: 2n ** 60n }), replies);
    const reply = await node('GET', '/getAccount?address=a');
    const again = replayingTransport(replies);
    assert.deepEqual(await again('GET', '/getAccount?address=a'), reply);
    await assert.rejects(again('GET', '/getAccount?address=b'), /was not kept/);
    await assert.rejects(again('POST', '/getAccount?address=a', {}), /was not kept/);
  });
});
