import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { JsonObject } from '@symbolon/wire/json/json';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { fillInsEn } from '../words/en/fill-ins.ts';
import type { CodeRequest, ServiceRouteName } from './code-request.ts';
import { commandSetting } from './command-setting.ts';
import { highlight } from './highlight.ts';
import { openNames } from './open-names.ts';
import { sampleOf } from './sample.ts';
import { actExamples, allExamples, bareExamples, routeExamples } from './testing/examples.ts';

const origin = 'http://127.0.0.1:8080';

test('a reading route: path, query, key', () => {
  const { curl, typescript, cli } = sampleOf(
    { server: 'service', route: 'getTemplate', given: { templateId: 'did:zid:00ff' } },
    origin,
  );
  assert.equal(curl.text, `curl 'http://127.0.0.1:8080/cred/tds/templates/did%3Azid%3A00ff'`);
  assert.match(typescript.text, /await client\.getTemplate\(\{ templateId: 'did:zid:00ff' \}\);$/m);
  assert.equal(cli?.text, 'symbolon template show did:zid:00ff');
  const listed = sampleOf({ server: 'service', route: 'listAuditEntries', given: { limit: 5 } }, origin);
  assert.match(listed.curl.text, /\?limit=5' \\\n {2}-H "authorization: Bearer \$SYMBOLON_API_KEY"$/);
  assert.match(listed.typescript.text, /apiKey: process\.env\.SYMBOLON_API_KEY/);
  assert.equal(listed.cli, undefined);
});

test('a command has the options of what was asked, and none that cannot be said', () => {
  const cliOf = (request: CodeRequest) => sampleOf(request, origin).cli?.text;
  const rejection = { server: 'service', route: 'rejectApplication' } as const;
  assert.equal(
    cliOf({ ...rejection, given: { vcId: 'did:zid:00', reason: 'Not yours' } }),
    "symbolon vc reject did:zid:00 --reason 'Not yours'",
  );
  assert.equal(
    cliOf({ ...rejection, given: { vcId: 'did:zid:00' } }),
    "symbolon vc reject did:zid:00 --reason '<reason>'",
  );
  const offer = { server: 'service', route: 'makeOffer' } as const;
  const metadata = [
    { key: 'name', value: 'Mira Example' },
    { key: 'year', value: 2026 },
  ];
  assert.equal(
    cliOf({ ...offer, given: { templateId: 'did:zid:00', metadata, expiresInSeconds: 604_800 } }),
    "symbolon offer new did:zid:00 --set 'name=Mira Example' --set year=2026 --expires 7d",
  );
  const nested = { templateId: 'did:zid:00', metadata: { address: { city: 'X' } } };
  assert.equal(cliOf({ ...offer, given: nested }), undefined);
  // The newest transactions are not one transaction.
  assert.equal(cliOf({ server: 'ledger', route: 'getTransactionHistory', given: { limit: 20 } }), undefined);
});

test('a verifier’s request as a command, where it asks of one credential', () => {
  const claims: JsonObject[] = [
    { path: ['credentialSubject', 'name'] },
    { path: ['credentialSubject', 'birthDate'], constraints: { maximum: '2008-11-18' } },
  ];
  const one = { id: 'did:zid:00', format: 'ldp_vc', claims };
  const asked = (credentials: (typeof one)[]): CodeRequest => ({
    server: 'service',
    route: 'requestVerification',
    given: { requirements: { credentials }, trustList: 'banks', expirationMinutes: 5 },
  });
  assert.equal(
    sampleOf(asked([one]), origin).cli?.text,
    "symbolon request --template did:zid:00 --ask name --range birthDate:..2008-11-18 --trust '@banks' --minutes 5",
  );
  assert.equal(sampleOf(asked([one, one]), origin).cli, undefined);
});

test('a session’s request as a command trusts whom it trusts, and is none where a command cannot say all of it', () => {
  const claim = { path: ['credentialSubject', 'degree'] };
  const one = { id: 'did:zid:00', format: 'ldp_vc', claims: [claim] };
  const cliOf = (requirements: JsonObject) =>
    sampleOf(
      {
        server: 'service',
        route: 'requestVerification',
        given: { requirements, expirationMinutes: 5 },
      },
      origin,
    ).cli?.text;
  for (const name of ['trusted_issuers', 'issuers'])
    assert.equal(
      cliOf({ credentials: [one], [name]: ['did:zid:aa', 'did:zid:bb'] }),
      'symbolon request --template did:zid:00 --ask degree --trust did:zid:aa --trust did:zid:bb --minutes 5',
    );
  for (const more of [
    { credentials: [{ ...one, claims: [{ ...claim, constraints: { enum: ['BSc'] } }] }] },
    { credentials: [{ ...one, claims: [{ ...claim, constraints: { minimum: 1, type: 'integer' } }] }] },
    { credentials: [{ ...one, claims: [{ ...claim, required: false }] }] },
    { credentials: [{ ...one, issuers: ['did:zid:aa'] }] },
    { credentials: [{ ...one, credentialType: 'Degree' }] },
    { credentials: [one], credential_sets: [{ options: [['did:zid:00']] }] },
  ] as JsonObject[])
    assert.equal(cliOf(more), undefined, JSON.stringify(more));
});

test('a table of credentials has a command of its own', () => {
  const { cli, typescript } = sampleOf({ act: 'issueMany', given: { templateId: 'did:zid:00' } }, origin);
  assert.equal(cli?.text, 'symbolon vc issue-many did:zid:00 --csv table.csv');
  assert.match(typescript.text, /await issueCredential\(/);
});

test('what is signed is a flow of the SDK, a command, and requests that name what must be filled in', () => {
  const { curl, typescript, cli } = sampleOf(actExamples.apply, origin);
  assert.deepEqual(curl.open, ['signData', 'holderPublicKey', 'signedText']);
  assert.match(curl.text, /"signData": "<signData>"/);
  assert.match(typescript.text, /await applyForCredential\(client, \{\n {2}signer,/);
  assert.match(typescript.text, /signerFromKeyFile\(\n {2}readFileSync\('key\.json', 'utf8'\),/);
  assert.deepEqual(typescript.open, []);
  assert.match(cli?.text ?? '', /^symbolon wallet apply did:zid:0f0f\S* --set 'name=Mira O'/);
  const issued = sampleOf(actExamples.issue, origin).curl;
  assert.deepEqual(
    issued.text.split('\n\n').map((one) => /\/vc\/(\w+)/.exec(one)?.[1]),
    ['applications', 'create', 'submit'],
  );
  const paid = sampleOf(actExamples.buy, origin).curl;
  assert.ok(paid.open.includes('X-PAYMENT') && paid.open.includes('paymentId'));
  const untyped: CodeRequest = {
    act: 'apply',
    given: { templateId: 'did:zid:00', attributes: { name: '<name>' } },
  };
  for (const { open } of Object.values(sampleOf(untyped, origin))) assert.ok(open.includes('name'));
});

test('no body looks complete that is not', () => {
  for (const example of bareExamples) {
    if ('act' in example || example.server !== 'service') continue;
    const route = allRoutes[example.route];
    const { curl } = sampleOf(example, origin);
    const shape = 'body' in route && route.body && 'shape' in route.body ? route.body.shape : {};
    for (const [name, member] of Object.entries(
      shape as Record<string, { safeParse: (value: unknown) => { success: boolean } }>,
    ))
      if (!member.safeParse(undefined).success)
        assert.ok(curl.text.includes(JSON.stringify(name)), `${example.route} ${name}`);
  }
  for (const route of [
    'submitRevocation',
    'submitReinstatement',
    'submitTemplate',
  ] satisfies ServiceRouteName[])
    assert.deepEqual(sampleOf({ server: 'service', route }, origin).curl.open, [
      'blobId',
      'signBlob',
      'publicKey',
    ]);
});

test('what is left open is named, and stands in the sample', () => {
  assert.deepEqual(Object.keys(fillInsEn), [...openNames]);
  for (const example of allExamples)
    for (const sample of Object.values(sampleOf(example, origin)))
      if (sample) {
        for (const name of sample.open)
          assert.ok(sample.text.includes(`<${name}>`), `${name} in ${sample.text}`);
        for (const [, name = ''] of sample.text.matchAll(/<([\w-]+)>/g))
          assert.ok(sample.open.includes(name), name);
      }
  for (const example of routeExamples) assert.deepEqual(sampleOf(example, origin).curl.open, []);
});

test('what was signed is not shown again', () => {
  const given = { templateId: 'did:zid:00', metadata: [], signData: 'aabb', signedText: 'a text' };
  const { curl, typescript } = sampleOf({ server: 'service', route: 'applyForCredential', given }, origin);
  assert.doesNotMatch(curl.text + typescript.text, /aabb|a text/);
  const accepted = sampleOf(
    { server: 'service', route: 'acceptOffer', given: { 'pre-authorized_code': 'CODE', tx_code: '123456' } },
    origin,
  );
  assert.doesNotMatch(JSON.stringify(accepted), /CODE"|123456/);
});

test('the ledger is asked through the service', () => {
  const { curl, typescript } = sampleOf({ server: 'ledger', route: 'getLedger', given: { seq: 7 } }, origin);
  assert.equal(curl.text, `curl 'http://127.0.0.1:8080/ledger/getLedger?seq=7'`);
  assert.match(typescript.text, /httpTransport\('http:\/\/127\.0\.0\.1:8080\/ledger'\)/);
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
  const words = wordsOf(sample.curl.text, {
    SYMBOLON_PRIVATE_KEY: 'given',
    SYMBOLON_PASSWORD: 'too',
    SYMBOLON_API_KEY: 'key',
  });
  const body = JSON.parse(words.at(-1) ?? '');
  assert.partialDeepStrictEqual(body, {
    privateKey: 'given',
    templateName: 'O\'Brien "$HOME" `id`',
    nested: [{ password: 'too' }],
  });
  assert.ok(words.includes('authorization: Bearer key'));
  assert.match(sample.typescript.text, /privateKey: process\.env\.SYMBOLON_PRIVATE_KEY/);
});

test('every route of both tables has samples', () => {
  for (const example of bareExamples) {
    if ('act' in example) continue;
    const { curl, typescript } = sampleOf(example, origin);
    assert.match(curl.text, /^curl /);
    assert.match(typescript.text, new RegExp(`(client|ledger)\\.${example.route}\\(`));
  }
});

test('colours leave the text as it is', () => {
  const { curl, typescript } = sampleOf({ server: 'service', route: 'listAuditEntries' }, origin);
  for (const { text } of [curl, typescript])
    assert.equal(
      highlight(text)
        .map((piece) => piece.text)
        .join(''),
      text,
    );
  assert.ok(highlight(curl.text).some(({ tone, text }) => tone === 'v' && text === '$SYMBOLON_API_KEY'));
});

test('a question to a contract is a command; what the command would sign for, or ask in a name, is none', () => {
  const contract_address = 'ZTX3Ta7d4GyAXD41H2kFCTd2eXhDesM83rvC3';
  const cliOf = (given: JsonObject) =>
    sampleOf({ server: 'ledger', route: 'callContract', given: { contract_address, ...given } }, origin).cli
      ?.text;
  assert.equal(
    cliOf({ opt_type: 2, input: '{"method":"name"}' }),
    `symbolon contract call ${contract_address} --query --input '{"method":"name"}'`,
  );
  assert.equal(cliOf({ opt_type: 1, input: '{}' }), undefined);
  assert.equal(cliOf({ opt_type: 2, input: '', source_address: contract_address }), undefined);
});

test('commands mean the service that the page is of', () => {
  const usual = 'http://127.0.0.1:8080';
  assert.equal(commandSetting({ isDemo: true }, 'http://127.0.0.1:8081'), '', 'its folder means it already');
  assert.equal(commandSetting({ isDemo: false }, usual), '');
  const elsewhere = commandSetting({ isDemo: true, demoFolder: ".symbolon/o'ther" }, usual);
  assert.equal(elsewhere, "SYMBOLON_PROFILE='.symbolon/o'\\''ther/demo.json' ");
  const other = commandSetting({ isDemo: false }, 'https://vc.example');
  const { cli } = sampleOf({ server: 'service', route: 'getConsoleConfig' }, 'https://vc.example', other);
  assert.equal(
    cli?.text,
    'SYMBOLON_SERVICE_URL=https://vc.example SYMBOLON_LEDGER_URL=https://vc.example/ledger symbolon service status',
  );
});
