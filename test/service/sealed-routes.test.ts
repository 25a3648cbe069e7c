/**
 * Which routes can be sealed: every one that something confidential is sent to. A running service answers each of them
 * under seal, refusals included, and docs/sealed.md names them all, with those that cannot be sealed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { createCredentialClient } from '@symbolon/sdk/service/credential-client';
import { httpServiceTransport, type ServiceTransport } from '@symbolon/sdk/transport/service-transport';
import type { ServiceRoute } from '@symbolon/wire/http/service-route';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { worldOf } from '../support/service-world.ts';

const confidential = Object.entries(allRoutes as Readonly<Record<string, ServiceRoute>>).filter(
  ([, { carries }]) => carries !== 'plain',
);

test('docs/sealed.md has every route that carries something confidential, and where it is served sealed', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/sealed.md'), 'utf8');
  const told = text.split('\n').filter((line) => /^\| `(GET|POST|DELETE) /.test(line));
  const table = confidential.map(([, { method, path: plain, carries, sealedPath }]) => {
    const shown = (pattern: string) => pattern.replaceAll(/:(\w+)/g, '{$1}');
    return `| \`${method} ${shown(plain)}\` | ${carries} | ${sealedPath === undefined ? 'no' : `\`${shown(sealedPath)}\``} |`;
  });
  assert.deepEqual(told.sort(), table.sort());
});

describe('a route that something confidential is sent to', () => {
  const owner = ownerOfSuite();
  const proofs = shareProofs(owner);
  let service: RunningService;
  before(async () => {
    service = await startService(owner, { proofs });
  });

  // What wallets of the field call is as their standard has it.
  const posted = confidential.filter(([, { method, isForWallets }]) => method === 'POST' && !isForWallets);
  for (const [name, { path: plain, sealedPath }] of posted)
    test(`${plain} is served sealed, and nothing of it is in clear`, async () => {
      assert.equal(sealedPath, plain.replace(/\/([^/]+)$/, '/enc/$1'));
      const { apiKey } = worldOf(service).issuer;
      const seen: string[] = [];
      const issuer = 'somebody';
      const http = httpServiceTransport(service.url);
      const watched: ServiceTransport = async (request) => {
        const answer = await http(request);
        if (request.path === sealedPath?.replace(':issuer', issuer))
          seen.push(request.bodyText ?? '', answer.text);
        return answer;
      };
      const client = createCredentialClient(watched, { apiKey, sealed: true }) as unknown as Record<
        string,
        (body: object) => Promise<unknown>
      >;
      await client[name]?.({ issuer, nonsense: 'a word that nobody reads' }).catch(() => undefined);
      assert.equal(seen.length, 2);
      for (const text of seen) assert.match(text, /^[\w-]{38,}$/);
    });

  for (const [name, { sealedPath = '', envelope }] of posted)
    test(`${name} refuses what it cannot open as every sealed route does, whatever its own envelope is`, async () => {
      const { status, headers, text } = await send(`${service.url}${sealedPath}`, {
        method: 'POST',
        body: 'x',
      });
      assert.equal(status, 400, `${text} ${envelope}`);
      assert.match(String(headers['content-type']), /problem\+json/);
      assert.match(text, /"sealMalformed"/);
    });

  test('an outdated key is replaced on routes with envelopes, too', async () => {
    const { apiKey } = worldOf(service).issuer;
    const stale = { kid: 'gone' };
    let asked = 0;
    const http = httpServiceTransport(service.url);
    const outdated: ServiceTransport = async (request) => {
      const answer = await http(request);
      if (request.path !== '/cred/v1/keys' || asked++ > 0) return answer;
      return { ...answer, text: JSON.stringify({ ...JSON.parse(answer.text), ...stale }) };
    };
    const client = createCredentialClient(outdated, { apiKey, sealed: true });
    const order = { blob: '00', address: 'ZTX3', password: 'secret word' };
    await assert.rejects(client.signCustodyBlob(order), { name: 'ServiceError' });
    assert.equal(asked, 2);
  });
});
