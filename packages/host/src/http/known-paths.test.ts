import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fastify } from 'fastify';
import { learnPaths } from './known-paths.ts';

describe('known paths', () => {
  it('have the methods of their routes, and no others have any', async () => {
    const app = fastify({ exposeHeadRoutes: false });
    const methodsOf = learnPaths(app);
    app.get('/things', () => 'all');
    app.post('/things', () => 'new');
    app.delete('/things/:id/parts.json', () => 'gone');
    app.options('*', () => 'any');
    await app.ready();
    assert.deepEqual(methodsOf('/things'), ['GET', 'POST']);
    assert.deepEqual(methodsOf('/things/did:zid:1/parts.json'), ['DELETE']);
    for (const path of ['/', '/thing', '/things/', '/things/a/b/parts.json', '/things/a/partsxjson'])
      assert.deepEqual(methodsOf(path), [], path);
    await app.close();
  });
});
