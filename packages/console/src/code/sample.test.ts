import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { CodeRequest, NodeRouteName, ServiceRouteName } from './code-request.ts';
import { highlight } from './highlight.ts';
import { sampleOf } from './sample.ts';

const origin = 'http://127.0.0.1:8080';

test('a reading route: path, query, key', () => {
  const { curl, typescript, cli } = sampleOf(
    { server: 'service', route: 'getTemplate', given: { templateId: 'did:zid:00ff' } },
    origin,
  );
  assert.equal(curl, `curl 'http://127.0.0.1:8080/cred/tds/templates/did%3Azid%3A00ff'`);
  assert.match(typescript, /await client\.getTemplate\(\{ templateId: 'did:zid:00ff' \}\);$/);
  assert.equal(cli, 'symbolon template show did:zid:00ff');
  const listed = sampleOf({ server: 'service', route: 'listAuditEntries', given: { limit: 5 } }, origin);
  assert.match(listed.curl, /\?limit=5' \\\n {2}-H "authorization: Bearer \$SYMBOLON_API_KEY"$/);
  assert.match(listed.typescript, /apiKey: process\.env\.SYMBOLON_API_KEY/);
  assert.equal(listed.cli, undefined);
});

test('the ledger is asked through the service', () => {
  const { curl, typescript } = sampleOf({ server: 'ledger', route: 'getLedger', given: { seq: 7 } }, origin);
  assert.equal(curl, `curl 'http://127.0.0.1:8080/ledger/getLedger?seq=7'`);
  assert.match(typescript, /httpTransport\('http:\/\/127\.0\.0\.1:8080\/ledger'\)/);
});

/** What a shell makes of a command: its words. `curl` is a function here. */
const wordsOf = (command: string, env: Record<string, string> = {}): string[] =>
  execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    env: { ...env },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);

test('nothing secret stands in a sample, and a shell puts it in', () => {
  const secret = 'privBvSECRET';
  const request: CodeRequest = {
    server: 'service',
    route: 'createTemplate',
    given: { privateKey: secret, templateName: 'O\'Brien "$HOME" `id`', nested: [{ password: secret }] },
  };
  const sample = sampleOf(request, origin);
  assert.doesNotMatch(JSON.stringify(sample), /SECRET/);
  const words = wordsOf(sample.curl, {
    SYMBOLON_PRIVATE_KEY: 'given',
    SYMBOLON_PASSWORD: 'too',
    SYMBOLON_API_KEY: 'key',
  });
  const body = JSON.parse(words.at(-1) ?? '');
  assert.deepEqual(body, {
    privateKey: 'given',
    templateName: 'O\'Brien "$HOME" `id`',
    nested: [{ password: 'too' }],
  });
  assert.ok(words.includes('authorization: Bearer key'));
  assert.match(sample.typescript, /privateKey: process\.env\.SYMBOLON_PRIVATE_KEY/);
});

test('every route of both tables has samples', () => {
  const requests: CodeRequest[] = [
    ...Object.keys(allRoutes).map(
      (route) => ({ server: 'service', route: route as ServiceRouteName }) as const,
    ),
    ...Object.keys(ledgerRoutes).map(
      (route) => ({ server: 'ledger', route: route as NodeRouteName }) as const,
    ),
  ];
  for (const request of requests) {
    const { curl, typescript } = sampleOf(request, origin);
    assert.match(curl, /^curl /);
    assert.match(typescript, new RegExp(`client\\.${request.route}\\(`));
  }
});

test('colours leave the text as it is', () => {
  const { curl, typescript } = sampleOf({ server: 'service', route: 'listAuditEntries' }, origin);
  for (const text of [curl, typescript])
    assert.equal(
      highlight(text)
        .map((piece) => piece.text)
        .join(''),
      text,
    );
  assert.ok(highlight(curl).some(({ tone, text }) => tone === 'v' && text === '$SYMBOLON_API_KEY'));
});
