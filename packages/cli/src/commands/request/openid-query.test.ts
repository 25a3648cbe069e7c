import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { ages, ranges } from '../../credentials/disclosure-options.ts';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { formatOf, kindsOfTemplate, openidQueryOf } from './openid-query.ts';

const today = '2026-06-15';
const credentialIn = (query: JsonObject): JsonObject => (query.credentials as JsonObject[])[0] ?? {};
const hex = 'ab'.repeat(32);
const templateId = `did:zid:${hex}`;

describe('a query of OpenID4VP', () => {
  test('is one that verifiers take, in each format', () => {
    const kinds = ['https://a.example/card'];
    const metas = {
      'dc+sd-jwt': { vct_values: kinds },
      ldp_vc: { type_values: [kinds] },
      'symbolon-bbs-2026': { template_values: kinds },
    };
    for (const format of ['dc+sd-jwt', 'ldp_vc', 'symbolon-bbs-2026'] as const) {
      const path = format === 'dc+sd-jwt' ? ['name'] : ['credentialSubject', 'name'];
      assert.deepEqual(openidQueryOf({ ask: ['name'] }, { format, kinds }, today), {
        credentials: [{ id: 'credential', format, meta: metas[format], claims: [{ path }] }],
      });
    }
    const all = openidQueryOf({}, { format: 'dc+sd-jwt', kinds }, today);
    assert.equal('claims' in credentialIn(all), false);
  });

  test('has ranges and ages in our own format alone', () => {
    const words = { range: ranges('points:100..'), age: ages('birthDate:18..65') };
    assert.equal(formatOf(words), 'symbolon-bbs-2026');
    assert.equal(formatOf({}), 'dc+sd-jwt');
    assert.equal(formatOf({ format: 'ldp_vc' }), 'ldp_vc');
    assert.throws(
      () => formatOf({ ...words, format: 'ldp_vc' }),
      (error) => error instanceof CommandFailure && error.exitCode === exitCodes.usage,
    );
    const query = openidQueryOf(words, { format: 'symbolon-bbs-2026', kinds: [templateId] }, today);
    assert.deepEqual(credentialIn(query).claims, [
      { path: ['credentialSubject', 'points'], range: { min: 100 } },
      { path: ['credentialSubject', 'birthDate'], range: { min: '1960-06-16', max: '2008-06-15' } },
    ]);
  });
});

test('credentials of a template are found by what its issuer publishes', () => {
  const contexts = ['https://www.w3.org/ns/credentials/v2', `https://a.example/contexts/${hex}/1.0.0`];
  const definition = { '@context': contexts, type: ['VerifiableCredential', 'Degree'] };
  const metadata = {
    credential_configurations_supported: {
      [`zid.${hex}.1.0.0.sd`]: { format: 'dc+sd-jwt', vct: 'https://a.example/types/1' },
      [`zid.${hex}.1.0.0.bbs2023`]: { format: 'ldp_vc', credential_definition: definition },
      [`zid.${hex}.1.0.0.eddsa`]: { format: 'ldp_vc', credential_definition: definition },
      [`zid.${'cd'.repeat(32)}.1.0.0.sd`]: { format: 'dc+sd-jwt', vct: 'https://a.example/types/2' },
    },
  };
  const kinds = (format: Parameters<typeof kindsOfTemplate>[1]['format']) =>
    kindsOfTemplate(metadata as unknown as JsonObject, { templateId, format });
  assert.deepEqual(kinds('dc+sd-jwt'), ['https://a.example/types/1']);
  assert.deepEqual(kinds('ldp_vc'), [`https://a.example/vocab/${hex}#Degree`]);
  assert.deepEqual(kinds('symbolon-bbs-2026'), [templateId]);
  assert.deepEqual(kindsOfTemplate({}, { templateId, format: 'ldp_vc' }), []);
});
