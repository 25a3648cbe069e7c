import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeRows } from '@symbolon/core/ledger/terms/codes';
import { ledgerRoutes } from '../ledger/routes.ts';
import { ledgerDocument, serviceDocument } from './documents.ts';

const document = ledgerDocument('1');
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
function operationOf(name: string) {
  const found = operations.find(({ operationId }) => operationId === name);
  assert.ok(found, name);
  return found;
}

describe('the OpenAPI document', () => {
  it('has every route once, with all the paths that lead to it', () => {
    assert.equal(operations.length, Object.keys(ledgerRoutes).length);
    const { get } = document.paths['/v1/account/getAccountMetaData'];
    const others = ['/v1/account/getAccountMetadata', '/getAccountMetaData', '/getAccountMetadata'];
    assert.deepEqual(get['x-other-paths'], others);
    for (const path of others) assert.ok(get.description.includes(`\`${path}\``), path);
    assert.deepEqual(document.paths['/v1/account/getGenesisAccount'].get['x-other-paths'], [
      '/getGenesisAccount',
    ]);
  });

  it('shows a query as GET and says that POST does the same; what needs a body as POST', () => {
    const query = document.paths['/v1/account/getAccount'];
    assert.deepEqual(Object.keys(query), ['get']);
    assert.match(query.get.description, /POST does the same/);
    assert.equal(query.get.requestBody, undefined);
    const submission = document.paths['/v1/transaction/submitTransaction'];
    assert.deepEqual(Object.keys(submission), ['post']);
    assert.ok(submission.post.requestBody);
  });

  it('says which addresses of operators are not in it', () => {
    for (const { paths, info } of [document, serviceDocument('1')])
      for (const path of ['/livez', '/readyz', '/metrics']) {
        assert.ok(info.description?.includes(`\`${path}\``), path);
        assert.ok(!Object.hasOwn(paths, path), path);
      }
  });

  it('groups operations by tags that say what they are for', () => {
    const told = document.tags.map(({ name }) => name);
    for (const { tags, operationId } of operations) assert.ok(told.includes(tags[0]), operationId);
    for (const { description } of document.tags) assert.match(description, /\.$/);
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
      description: 'Sequence number of the last executed transaction; the next one is 1 more',
      type: 'integer',
      format: 'int64',
    });
    const known = new Set<number>(codeRows.map(({ code }) => code));
    for (const operation of operations)
      for (const code of operation['x-error-codes']) assert.ok(known.has(code), operation.operationId);
    assert.deepEqual(document.paths['/v1/account/getAccount'].get['x-error-codes'], [0, 2, 4, 1]);
  });

  it('says how every route refuses: code 2, an envelope, and what is refused to pages', () => {
    for (const { 'x-error-codes': told, responses, operationId } of operations) {
      assert.ok(told.includes(2), operationId);
      assert.equal(new Set(told).size, told.length, operationId);
      for (const status of [403, 413, 421, 500]) assert.ok(responses[status], `${operationId} ${status}`);
    }
    const bare = ['hello', 'getModulesStatus', 'getConsensusInfo', 'getTransactionFromBlob'];
    for (const name of bare)
      assert.match(JSON.stringify(operationOf(name).responses[200]), /"anyOf":\[.*schemas\/Refusal/, name);
  });

  it('names every code that a trial, a call and a submission are answered with', () => {
    const told = (name: string) => operationOf(name)['x-error-codes'];
    for (const code of [4, 20, 21, 100, 101, 104, 105, 120, 121, 144, 152])
      assert.ok(told('testTransaction').includes(code), `testTransaction ${code}`);
    for (const code of [94, 100]) assert.ok(told('callContract').includes(code), `callContract ${code}`);
    assert.ok(told('submitTransaction').includes(152));
    assert.ok(told('getTransactionCache').includes(160));
  });

  it('leaves out the routes that administer the real node', () => {
    for (const name of ['updateLogLevel', 'debug'])
      assert.ok(operations.every(({ operationId }) => operationId !== name));
  });
});
