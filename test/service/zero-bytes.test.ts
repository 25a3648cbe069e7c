/**
 * Text with a zero byte (U+0000), which PostgreSQL cannot keep and SQLite keeps in its own way: refused as the caller's
 * mistake before any database sees it, with the same answer on both. Every text of every route's path and query is
 * tried, and texts inside of texts.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { apiScopes, type ServiceRoute } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { ownerOfSuite } from '../support/owner.ts';
import { startPostgres } from '../support/postgres.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, postService } from '../support/service-http.ts';
import type { Party } from '../support/service-steps.ts';
import { makeParty } from '../support/service-world.ts';

const owner = ownerOfSuite();
const zero = 'a%00b';

interface Trial {
  readonly name: string;
  readonly route: ServiceRoute;
  readonly path: string;
}

/** Every text of a path and of a query, one at a time. */
const trials = (Object.entries(allRoutes) as [string, ServiceRoute][]).flatMap(([name, route]) => {
  const placed = (chosen: string) =>
    route.path.replaceAll(/:(\w+)/g, (_, param: string) => (param === chosen ? zero : 'x'));
  const inPath = Object.keys(route.params?.shape ?? {}).map((one) => ({
    path: placed(one),
    where: `/params/${one}`,
  }));
  const inQuery = Object.keys(route.query?.shape ?? {}).map((one) => ({
    path: `${placed('')}?${one}=${zero}`,
    where: `/query/${one}`,
  }));
  return [...inPath, ...inQuery].map(({ path, where }): Trial => ({ name: `${name} ${where}`, route, path }));
});

for (const database of ['sqlite', 'postgres'] as const)
  describe(`on ${database}`, () => {
    const proofs = shareProofs(owner);
    let service: RunningService;
    let somebody: Party & { apiKey: string };
    before(async () => {
      const url = database === 'sqlite' ? undefined : (await startPostgres(owner)).url;
      service = await startService(owner, { proofs, ...(url !== undefined && { database: url }) });
      somebody = (await makeParty(service.served, 'somebody', apiScopes)) as Party & { apiKey: string };
    });

    test('a zero byte in a path or a query is refused as malformed', async () => {
      assert.ok(trials.length > 20);
      const wrong: string[] = [];
      for (const { name, route, path } of trials) {
        const words = { apiKey: somebody.apiKey };
        const answer =
          route.method === 'POST'
            ? await postService(service.url, path, {}, words)
            : await getService(service.url, path, { ...words, method: route.method });
        // Custody answers everything with 200, and says in the body what it is.
        const told = `${answer.status} ${JSON.stringify(answer.body)}`;
        if (!/^(400|200) .*zero byte/.test(told)) wrong.push(`${name}: ${told.slice(0, 150)}`);
      }
      assert.deepEqual(wrong, []);
    });

    test('a zero byte in a body, or in a text inside of it, is refused as malformed', async () => {
      const templateId = `did:zid:${'ab'.repeat(32)}`;
      const [publicKey, signData] = [somebody.publicKey, 'ab'.repeat(64)];
      const metadata = { fullName: 'a\u0000b' };
      const bodies: [string, JsonObject][] = [
        ['/cred/v1/vc/apply', { templateId, metadata, publicKey, signData }],
        [
          '/cred/v1/vc/create',
          { vcId: templateId, expiredDate: '2090-01-01T00:00:00Z', issuanceData: JSON.stringify(metadata) },
        ],
        ['/v1/vc/pay/apply', { data: JSON.stringify([{ templateId, metadata }]), publicKey, signData }],
      ];
      for (const [path, body] of bodies) {
        const { status, body: told } = await postService(service.url, path, body, {
          apiKey: somebody.apiKey,
        });
        assert.match(`${status} ${JSON.stringify(told)}`, /^400 .*zero byte/, path);
      }
    });
  });
