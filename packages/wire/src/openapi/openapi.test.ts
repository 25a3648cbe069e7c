import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeRows } from '@symbolon/core/ledger/terms/codes';
import { ledgerRoutes } from '../ledger/routes.ts';
import { type JsonSchema, openApiDocument } from './openapi.ts';

const document = openApiDocument(ledgerRoutes, { title: 'Ledger node', version: '1' });
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

describe('the OpenAPI document', () => {
  it('has every route and alias at both paths', () => {
    for (const path of [
      '/getGenesisAccount',
      '/v1/account/getGenesisAccount',
      '/createAccount',
      '/getAccountMetadata',
    ])
      assert.ok(document.paths[path], path);
    const spellings = Object.values(ledgerRoutes).reduce(
      (count, route) => count + 1 + ('aliases' in route ? (route.aliases?.length ?? 0) : 0),
      0,
    );
    assert.equal(Object.keys(document.paths).length, 2 * spellings);
  });

  it('offers GET and POST, and only POST where a body is needed', () => {
    assert.deepEqual(Object.keys(document.paths['/getAccount']), ['get', 'post']);
    assert.deepEqual(Object.keys(document.paths['/submitTransaction']), ['post']);
    assert.ok(document.paths['/submitTransaction'].post.requestBody);
    assert.equal(document.paths['/getAccount'].get.requestBody, undefined);
    const posted = document.paths['/getLedgerValidators'].post.requestBody as JsonSchema;
    const properties = {
      seq: { description: 'Block number; blank for the latest', type: 'integer', format: 'int64' },
    };
    const schema = { type: 'object', properties, additionalProperties: false };
    assert.deepEqual(posted, { required: false, content: { 'application/json': { schema } } });
  });

  it('names every operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('points only at components it has', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
    assert.ok(references.length > 0);
    for (const target of references) {
      assert.ok(target.startsWith('#/components/schemas/'), target);
      assert.ok(document.components.schemas[target.slice('#/components/schemas/'.length)], target);
    }
    assert.ok(!text.includes('$defs'));
  });

  it('prints 64-bit integers as integers and codes as the table has them', () => {
    const { properties } = document.components.schemas.Account as { properties: Record<string, unknown> };
    assert.deepEqual(properties.nonce, {
      description: 'Of the last executed transaction',
      type: 'integer',
      format: 'int64',
    });
    const known = new Set<number>(codeRows.map(({ code }) => code));
    for (const operation of operations)
      for (const code of operation['x-error-codes']) assert.ok(known.has(code), operation.operationId);
    assert.deepEqual(document.paths['/getAccount'].get['x-error-codes'], [0, 2, 4, 1]);
  });

  it('says how every route refuses: code 2, an envelope, and what is refused to pages', () => {
    for (const { 'x-error-codes': told, responses, operationId } of operations) {
      assert.ok(told.includes(2), operationId);
      assert.equal(new Set(told).size, told.length, operationId);
      for (const status of [403, 413, 421, 500]) assert.ok(responses[status], `${operationId} ${status}`);
    }
    const bare = ['hello', 'getModulesStatus', 'getConsensusInfo', 'getTransactionFromBlob'];
    for (const name of bare) {
      const text = JSON.stringify(document.paths[`/${name}`].get.responses[200]);
      assert.match(text, /"anyOf":\[.*Refusal|"anyOf":\[.*error_code/, name);
    }
  });

  it('names every code that a trial, a call and a submission are answered with', () => {
    const told = (name: string) => document.paths[`/${name}`].post['x-error-codes'];
    for (const code of [4, 20, 21, 100, 101, 104, 105, 120, 121, 144, 152])
      assert.ok(told('testTransaction').includes(code), `testTransaction ${code}`);
    for (const code of [94, 100]) assert.ok(told('callContract').includes(code), `callContract ${code}`);
    assert.ok(told('submitTransaction').includes(152));
    assert.ok(told('getTransactionCache').includes(160));
  });

  it('leaves out the routes that administer the real node', () => {
    for (const name of ['updateLogLevel', 'debug']) assert.equal(document.paths[`/${name}`], undefined);
  });
});
