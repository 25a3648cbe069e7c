/**
 * Who may call what, how often and how much; and what the service tells operators, programmers and web pages. Over
 * HTTP, for every route of the table where the table decides.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { serviceHttpLimits } from '@symbolon/host/limits/server-limits';
import { fixedClock } from '@symbolon/host/testing/fixed-clock';
import { credentialRoutes } from '@symbolon/wire/credentials/routes';
import { apiScopes, type ServiceRoute } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { type Answer, json, raw, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { startNode } from '../support/running-node.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { getService, outcomeOf, postService, type ServiceAnswer } from '../support/service-http.ts';
import { paths, sealedPath } from '../support/service-steps.ts';
import { makeParty, type World, worldOf } from '../support/service-world.ts';

const owner = ownerOfSuite();
const proofs = shareProofs(owner);
let service: RunningService;
let world: World;

before(async () => {
  service = await startService(owner, { node: await startNode(owner), proofs });
  world = worldOf(service);
});

const routes: [string, ServiceRoute][] = Object.entries(allRoutes);
const keyed = routes.filter(([, { access }]) => access === 'key');
const pathOf = ({ path }: ServiceRoute): string => path.replaceAll(/:\w+/g, `did:zid:${'0'.repeat(64)}`);

const call = (route: ServiceRoute, apiKey?: string): Promise<ServiceAnswer> =>
  route.method !== 'POST'
    ? getService(service.url, pathOf(route), {
        method: route.method as 'GET' | 'DELETE',
        ...(apiKey !== undefined && { apiKey }),
      })
    : postService(service.url, pathOf(route), {}, { ...(apiKey !== undefined && { apiKey }) });

describe('API keys', () => {
  test('are needed by every route that is not open', async () => {
    assert.ok(keyed.length >= 10);
    for (const [name, route] of keyed)
      assert.equal(outcomeOf(await call(route)), '401 notAuthenticated', name);
  });

  test('open a route with its scope and no other', async () => {
    // Which of several scopes hears of what is in events.test.ts.
    for (const [name, route] of keyed.filter(([, { scope }]) => scope !== undefined)) {
      const others = apiScopes.filter((scope) => scope !== route.scope);
      const without = await makeParty(world, 'somebody', others);
      assert.equal(outcomeOf(await call(route, without.apiKey)), '401 notAllowed', name);
      const having = await makeParty(world, 'somebody', [route.scope as (typeof apiScopes)[number]]);
      assert.notEqual((await call(route, having.apiKey)).status, 401, name);
    }
  });

  test('that are wrong are refused even where none is needed', async () => {
    const { apiKey } = world.issuer;
    const last = apiKey.at(-1) === 'A' ? 'E' : 'A';
    for (const wrong of ['x', `${apiKey.slice(0, -1)}${last}`, apiKey.slice(0, -1), `${apiKey}A`])
      assert.equal(outcomeOf(await call(credentialRoutes.verifyPresentation, wrong)), '401 notAuthenticated');
  });

  test('end when they are revoked or their time is over', async () => {
    const { apiKeys } = service.served;
    const made = await apiKeys.create({
      label: 'for a while',
      scopes: ['bbs'],
      expiresAt: Date.now() + 1_500,
    });
    const revoked = await apiKeys.create({ label: 'to be revoked', scopes: ['bbs'] });
    for (const { token } of [made, revoked])
      assert.equal(outcomeOf(await call(credentialRoutes.createBbsKey, token)), '400 requestMalformed');
    await apiKeys.revoke(revoked.facts.id);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    for (const { token } of [made, revoked])
      assert.equal(outcomeOf(await call(credentialRoutes.createBbsKey, token)), '401 notAuthenticated');
  });

  test('may stand in either header, and for the BBS+ utilities in the body', async () => {
    const { apiKey } = world.issuer;
    const path = paths.bbsCreate;
    const body = { seed: '00'.repeat(32) };
    const given: JsonObject[] = [{ authorization: `Bearer ${apiKey}` }, { authorization: apiKey }];
    for (const more of given)
      assert.equal((await postService(service.url, path, { ...body, ...more })).status, 200);
    const headerForms: Record<string, string>[] = [
      { 'x-api-key': apiKey },
      { authorization: apiKey },
      { Authorization: `bearer ${apiKey}` },
    ];
    for (const headers of headerForms)
      assert.equal((await postService(service.url, path, body, { headers })).status, 200);
    const { apiKey: others } = world.verifier;
    const two = { authorization: `Bearer ${apiKey}`, 'x-api-key': others };
    assert.equal(
      outcomeOf(await getService(service.url, '/v1/trust/lists', { headers: two })),
      '400 requestMalformed',
    );
    const inBody = await postService(service.url, path, { ...body, authorization: others }, { apiKey });
    assert.equal(outcomeOf(inBody), '400 requestMalformed');
    const gateway = { authorization: 'Bearer of-a-gateway', 'x-api-key': apiKey };
    assert.equal((await postService(service.url, path, body, { headers: gateway })).status, 200);
    const wrongPlace = await postService(service.url, paths.templateBlob, given[0] as JsonObject);
    assert.equal(outcomeOf(wrongPlace), '401 notAuthenticated');
  });

  test('use only the BBS+ keys of whom they act for', async () => {
    const other = await makeParty(world, 'another caller', ['bbs']);
    const order = { publicKeyMultibase: world.issuer.bbsPublicKey, data: ['a'] };
    assert.equal((await postService(service.url, paths.bbsSign, order, world.issuer)).status, 200);
    assert.equal(outcomeOf(await postService(service.url, paths.bbsSign, order, other)), '404 keyUnknown');
  });

  test('show an issuer its own applications alone', async () => {
    const { steps, issuer, holder } = world;
    const { templateId } = await steps.registerTemplate(issuer, { templateName: 'Private card' });
    const vcId = await steps.apply(holder, templateId as string);
    const other = await makeParty(world, 'another issuer', ['issue']);
    const list = await getService(service.url, '/cred/v1/vc/applications', other);
    assert.deepEqual(list.body, { applications: [] });
    const one = await getService(service.url, `/cred/v1/vc/applications/${vcId}`, other);
    assert.equal(outcomeOf(one), '403 issuerMismatch');
    const rejected = await postService(service.url, '/cred/v1/vc/reject', { vcId, reason: 'no' }, other);
    assert.equal(outcomeOf(rejected), '403 issuerMismatch');
    assert.equal((await getService(service.url, `/cred/v1/vc/applications/${vcId}`, issuer)).status, 200);
  });
});

describe('rates', () => {
  const clock = fixedClock(Date.now());
  let tight: RunningService;
  before(async () => {
    const rates = { lightPerMinute: 40, heavyPerMinute: 8 };
    tight = await startService(owner, { node: service.node, proofs, clock, config: { rates } });
  });
  /** Calls until refused; answers how many were not, and the refusal. */
  async function exhaust(ask: () => Promise<ServiceAnswer>): Promise<[number, ServiceAnswer]> {
    for (let count = 0; count < 100; count++) {
      const answer = await ask();
      if (answer.status === 429) return [count, answer];
    }
    throw new Error('never refused');
  }

  test('of one caller are bounded, refilled, and told', async () => {
    const ask = () => postService(tight.url, paths.download, {});
    const first = await ask();
    assert.equal(first.headers['ratelimit-policy'], '"light";q=10;w=15');
    assert.match(first.headers.ratelimit as string, /^"light";r=9;t=\d+$/);
    const [count, refused] = await exhaust(ask);
    assert.equal(count + 1, 10);
    assert.equal(refused.body.code, 'tooManyRequests');
    const wait = Number(refused.headers['retry-after']);
    assert.ok(wait >= 1 && wait <= 15, `retry after ${wait}`);
    clock.advanceMs(wait * 1_000);
    assert.notEqual((await ask()).status, 429);
  });

  test('of heavy routes and of callers with a key are counted apart', async () => {
    const [heavy] = await exhaust(() => postService(tight.url, paths.verify, {}));
    assert.equal(heavy, 2);
    const { apiKey } = tight.demo.holder;
    assert.equal(
      outcomeOf(await postService(tight.url, paths.verify, {}, { apiKey })),
      '400 requestMalformed',
    );
    const sealed = await send(`${tight.url}${sealedPath(paths.verify)}`, { method: 'POST', body: 'x' });
    assert.equal(sealed.status, 429, 'the sealed form is the same route');
  });

  test('of wrong keys are bounded for the whole address, and a good key works all the same', async () => {
    const ask = (apiKey: string) => postService(tight.url, paths.download, {}, { apiKey });
    clock.advanceMs(60_000);
    let refused = await ask('wrong');
    // Slow enough for the rate of calls, too fast for that of wrong keys.
    for (let count = 0; count < 200 && refused.status !== 429; count++) {
      clock.advanceMs(1_600);
      refused = await ask(`wrong${count}`);
    }
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    const { apiKey } = tight.demo.holder;
    assert.equal(outcomeOf(await ask(apiKey)), '400 requestMalformed');
    const { token } = await tight.served.apiKeys.create({ label: 'made just now', scopes: ['verify'] });
    assert.equal(outcomeOf(await ask(token)), '400 requestMalformed');
    const [, id] = /^sym_([^_]+)_/.exec(apiKey) as unknown as [string, string];
    assert.equal((await ask(`sym_${id}_${'A'.repeat(43)}`)).status, 429, 'to know an id is of no use');
    const inBody = (authorization: string) =>
      postService(tight.url, paths.bbsCreate, { authorization, seed: 'none' });
    assert.equal((await inBody(`sym_${id}_${'A'.repeat(43)}`)).status, 429);
    assert.equal(outcomeOf(await inBody(tight.demo.issuer.apiKey)), '400 seedInvalid');
    clock.advanceMs(60_000);
    assert.equal(outcomeOf(await ask('wrong')), '401 notAuthenticated');
  });
});

describe('bodies', () => {
  const isHeadersOnly = (path: string, length: number, apiKey?: string): Promise<string> => {
    const key = apiKey === undefined ? '' : `x-api-key: ${apiKey}\r\n`;
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${key}content-length: ${length}\r\n\r\n`;
    return raw(service.url, head);
  };

  test('that are too large are refused before they are sent', async () => {
    for (const [path, bytes] of [
      [paths.templateSubmit, serviceHttpLimits.bodyBytesMax],
      [paths.verify, 4 * 1024 * 1024],
      [sealedPath(paths.verify), 6 * 1024 * 1024],
    ] as const) {
      const answer = await isHeadersOnly(path, bytes + 1);
      assert.match(answer, /^HTTP\/1\.1 413 /, path);
      assert.match(answer, /"code":"bodyTooLarge"/);
      assert.match(answer, /"requestId":"/);
    }
  });

  test('of whoever may not call are not even looked at', async () => {
    const answer = await isHeadersOnly(paths.create, 100 * 1024 * 1024, 'wrong');
    assert.match(answer, /^HTTP\/1\.1 401 /);
  });

  test('that are not exactly one JSON object are refused', async () => {
    const bodies = [
      '',
      ' ',
      'null',
      '[]',
      '"x"',
      '{',
      '{"vp":{}}x',
      '{"vp":{},"vp":{}}',
      '{"__proto__":{}}',
      '{"a":"\\ud800"}',
    ];
    for (const body of bodies)
      assert.equal(
        outcomeOf(await postService(service.url, paths.verify, body)),
        '400 requestMalformed',
        body,
      );
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    assert.equal(
      outcomeOf(await postService(service.url, paths.verify, `{"vp":${deep}}`)),
      '400 requestMalformed',
    );
  });
});

describe('request ids and headers', () => {
  test('an id is the given one if it is plain, else a new one', async () => {
    const ask = (id?: string) =>
      send(`${service.url}/cred/v1/keys`, { headers: id ? { 'x-request-id': id } : {} });
    assert.equal((await ask('my-id.1')).headers['x-request-id'], 'my-id.1');
    const made = await Promise.all([ask(), ask(), ask('x'.repeat(65)), ask('a b')]);
    assert.equal(new Set(made.map(({ headers }) => headers['x-request-id'])).size, 4);
  });

  test('every answer forbids browsers to keep, run or frame it', async () => {
    for (const path of ['/', '/cred/v1/keys', '/nothing']) {
      const { headers } = await send(`${service.url}${path}`);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(headers['content-security-policy'] as string, /default-src 'none'/);
      assert.equal(headers['x-powered-by'], undefined);
    }
  });

  test('unknown paths and methods are problems too', async () => {
    assert.equal(outcomeOf(await getService(service.url, '/cred/v2/vc')), '404 routeUnknown');
    assert.equal(outcomeOf(await getService(service.url, paths.apply)), '405 methodNotAllowed');
  });

  test('web pages of other origins read what is public, unless the operator names some that do everything', async () => {
    const preflight = (url: string, origin: string): Promise<Answer> =>
      send(`${url}${paths.verify}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,secretkey,x25519pubkey',
        },
      });
    const origin = 'https://wallet.example';
    const open = await preflight(service.url, origin);
    assert.equal(open.status, 204);
    assert.equal(open.headers['access-control-allow-origin'], undefined);
    const read = await send(`${service.url}/cred/tds/templates`, { headers: { origin } });
    assert.equal(read.status, 200);
    assert.equal(read.headers['access-control-allow-origin'], '*');
    for (const [method, path] of [
      ['POST', paths.verify],
      ['POST', paths.apply],
      ['GET', '/cred/v1/vc/applications'],
      ['GET', '/metrics'],
    ] as const) {
      const headers = { origin, 'content-type': 'text/plain' };
      const answer = await send(`${service.url}${path}`, { method, headers });
      assert.equal(`${answer.status}`, '403', path);
      assert.match(answer.text, /"code":"pageRefused"/);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
    const rebound = await send(`${service.url}/cred/tds/templates`, { headers: { host: 'evil.test' } });
    assert.equal(rebound.status, 421);
    assert.match(rebound.text, /"code":"hostUnknown"/);
    const named = await service.restart({
      config: { allowOrigin: 'https://one.example, https://two.example' },
    });
    service = named;
    world = worldOf(named);
    const allowed = await preflight(named.url, 'https://two.example');
    assert.equal(allowed.headers['access-control-allow-origin'], 'https://two.example');
    assert.match(allowed.headers['access-control-allow-headers'] as string, /secretkey/);
    assert.equal(allowed.headers['access-control-allow-credentials'], undefined);
    const refused = await preflight(named.url, 'https://evil.example');
    assert.equal(refused.headers['access-control-allow-origin'], undefined);
  });
});

describe('for operators', () => {
  test('/livez and /readyz say ok', async () => {
    for (const path of ['/livez', '/readyz']) {
      const { status, text } = await send(`${service.url}${path}`);
      assert.deepEqual([status, text], [200, 'ok']);
    }
  });

  test('/metrics counts requests by route and outcome, and names nobody', async () => {
    await postService(service.url, paths.verify, {});
    const { status, text } = await send(`${service.url}/metrics`);
    assert.equal(status, 200);
    assert.match(text, /verifyPresentation/);
    assert.match(text, /requestMalformed/);
    assert.doesNotMatch(text, /did:|sym_|127\.0\.0\.1/);
  });
});

type Document = JsonObject & { paths: Record<string, JsonObject>; components: JsonObject };

/** Every `$ref` in a document. */
function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (name === '$ref' ? [part as string] : refsOf(part)));
}

describe('for programmers', () => {
  let document: Document;
  before(async () => {
    document = json(await send(`${service.url}/openapi.json`)) as Document;
  });

  test('/openapi.json is OpenAPI 3.1 with every route once; its other paths are listed with it', () => {
    assert.match(document.openapi as string, /^3\.1\.\d$/);
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, JsonObject>).flatMap(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        ...((operation['x-other-paths'] ?? []) as string[]),
        ...(operation['x-sealed-path'] === undefined ? [] : [`POST ${operation['x-sealed-path']}`]),
      ]),
    );
    const table = routes.flatMap(([, { method, path, aliases = [], sealedPath: sealed }]) =>
      [path, ...aliases, ...(sealed ? [sealed] : [])].map(
        (it) => `${method} ${it.replace(/:(\w+)/g, '{$1}')}`,
      ),
    );
    assert.deepEqual(told.sort(), table.sort());
  });

  test('its operations are complete and its references lead somewhere', () => {
    const ids = new Set<string>();
    for (const [path, methods] of Object.entries(document.paths))
      for (const operation of Object.values(methods) as JsonObject[]) {
        const id = operation.operationId as string;
        assert.ok(!ids.has(id), `${id} stands once`);
        ids.add(id);
        const responses = operation.responses as Record<string, JsonObject>;
        assert.ok(
          Object.keys(responses).some((status) => /^2\d\d$/.test(status)),
          `${id} tells success`,
        );
        // Routes whose clients know few statuses tell refusals under 200.
        assert.ok(JSON.stringify(responses).includes('internalError: '), `${id} tells failure`);
        for (const response of Object.values(responses)) assert.equal(typeof response.description, 'string');
        const named = (operation.parameters as JsonObject[])
          .filter((it) => it.in === 'path')
          .map((it) => it.name);
        assert.deepEqual(
          named,
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        );
      }
    for (const ref of refsOf(document)) {
      assert.match(ref, /^#\//);
      const target = ref
        .slice(2)
        .split('/')
        .reduce<unknown>(
          (part, key) =>
            (part as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
          document,
        );
      assert.ok(target !== undefined, `${ref} leads somewhere`);
    }
  });

  test('/docs is a page that asks nobody but this server', async () => {
    const moved = await send(`${service.url}/docs`);
    assert.equal(moved.status, 308);
    const { status, headers, text } = await send(`${service.url}/docs/`);
    assert.equal(status, 200);
    const policy = headers['content-security-policy'] as string;
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|data: .*script/);
    for (const directive of ['script-src', 'connect-src'])
      assert.match(policy, new RegExp(`${directive} [^;]*('self'|'sha256-)`), directive);
    const linked = [...text.matchAll(/(?:src|href|action)\s*=\s*["']([^"']+)["']/gi)].map(
      ([, link]) => link as string,
    );
    assert.ok(linked.length >= 1);
    for (const link of linked) {
      assert.doesNotMatch(link, /^(?:[a-z]+:)?\/\//i, `${link} is of this server`);
      assert.equal((await send(new URL(link, `${service.url}/docs/`).href)).status, 200, link);
    }
    assert.doesNotMatch(text, /url\(\s*["']?https?:|@import/i);
  });
});
