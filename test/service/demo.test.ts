/** `npm start` and the service: what the first start makes, what a restart keeps, and what being ready means. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { parseBbsPublicKey } from '@symbolon/core/did/did';
import type { DemoDocument } from '@symbolon/demo/file';
import { demoBbsPublicKey, demoBbsSecretKey } from '@symbolon/demo/people';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { askVerdict, deactivateDid, downloadCredential, presentCredential } from '@symbolon/sdk/index';
import { signerFromPrivateKey } from '@symbolon/sdk/keys/signer';
import { createCredentialClient } from '@symbolon/sdk/service/credential-client';
import { at, json, send } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { askPrice, paidBody, pay, paymentFor } from '../support/payment-world.ts';
import { richest } from '../support/people.ts';
import { startNode } from '../support/running-node.ts';
import { shareProofs, startService } from '../support/running-service.ts';
import { peopleOf } from '../support/service-world.ts';
import { startSymbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const roles = ['issuer', 'holder', 'holder2', 'verifier'] as const;

const tokenSource = readFileSync(new URL('../../contracts/token.js', import.meta.url), 'utf8');

/** What is the same on every machine. */
const everywhere = {
  names: ['University of Example', 'Mira Example', 'Oren Example', 'Example Bank'],
  holder: 'ZTX3ZapFFozb8xCMSAynkW95xW4g5U9bSDQVX',
  templates: [
    ['University degree', 'did:zid:8e658356b4b69746cc81015b1c2f6237e7781c33e6ba1cf552b8019dd9f24a8c'],
    ['Proof of residence', 'did:zid:2388d2443cc65eeae60239eab9f87c8da9784412806dd976a92e1405a9651e6f'],
    ['Transcript of records', 'did:zid:10085582b0cd678690be0dcd16189e197bc86770b928013c94d5c109bcc48691'],
  ],
  credentials: [
    ["Mira's university degree", 'holder', 'Active'],
    ["Mira's proof of residence", 'holder', 'Active'],
    ["Oren's university degree", 'holder2', 'Revoked'],
  ],
  token: {
    address: 'ZTX3N6Uc8RGzqJDBQzjGRouZF8QWLtXrkXfZL',
    name: 'Example coin',
    symbol: 'EXC',
    decimals: 2,
  },
};

const contentsOf = (demo: DemoDocument) => ({
  names: roles.map((role) => demo[role].name),
  holder: demo.holder.address,
  templates: demo.templates.map(({ name, templateId }) => [name, templateId]),
  credentials: demo.credentials.map(({ title, holder, status }) => [title, holder, status]),
  token: demo.token,
});

describe('the first start of the demo', () => {
  const dev = (context: TestContext, data: string) =>
    startSymbolon(context, [
      'dev',
      ...['--data', data, '--ledger-port', '0', '--service-port', '0', '--no-open'],
    ]);

  test('makes people, writes them down for their owner alone, and a restart keeps them', async (context) => {
    const data = path.join(tempFolder(context), 'data');
    const file = path.join(data, 'demo.json');
    const first = dev(context, data);
    const url = await first.printed(/Credentials +(http:\S+)/);
    const ledger = await first.printed(/Ledger node +(http:\/\/[\d.:]+)/);
    assert.ok(first.out().includes(file), 'it says where the file is');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const demo = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual([demo.service, demo.ledger], [url, ledger]);
    assert.match(demo.warning, /PUBLICLY KNOWN/);
    for (const role of roles) {
      const { did, address, privateKey, publicKey, apiKey } = demo[role];
      assert.match(did, /^did:zid:[0-9a-f]{64}$/);
      assert.match(publicKey, /^b001[0-9a-f]{72}$/);
      assert.match(privateKey, /^priv/);
      assert.match(apiKey, /^sym_/);
      const signer = await signerFromPrivateKey(privateKey);
      assert.deepEqual([signer.address, signer.publicKey], [address, publicKey]);
      const account = await json(await send(`${ledger}/getAccountBase?address=${address}`));
      assert.ok(BigInt(at(account, 'result', 'balance') as number) > 0n, `${role} has money`);
    }
    assert.deepEqual(contentsOf(demo), everywhere);
    assert.match(first.out(), /✔ demo data +4 people, 3 templates, 3 credentials, token EXC/);
    assert.match(first.out(), /holder +Mira Example +did:zid:\w{4}…\w{4} +1,000,000 Gas, 1,000 EXC\n/);
    const { string, integer, decimal, boolean } = demo.attributeTypes;
    assert.deepEqual([string, integer, decimal, boolean], [1, 3, 4, 7]);
    assert.deepEqual([demo.attributeTypes['image/png'], demo.attributeTypes['date-time']], [2, 6]);
    const resolved = await send(`${url}/1.0/identifiers/${demo.issuer.did}`);
    assert.equal(resolved.status, 200);
    assert.ok(resolved.text.includes(demo.issuer.bbsPublicKeyMultibase), 'the BBS+ key is published');
    assert.equal((await send(`${url}/readyz`)).text, 'ok');
    const transactions = at(json(await send(`${ledger}/getStatus`)), 'result', 'transaction_count');
    assert.equal((await first.stop()).code, 0);

    const second = dev(context, data);
    const again = await second.printed(/Credentials +(http:\S+)/);
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual({ ...kept, service: url, ledger }, demo);
    const status = json(await send(`${kept.ledger}/getStatus`));
    assert.equal(at(status, 'result', 'transaction_count'), transactions, 'nothing is done twice');
    const issuer = createCredentialClient(again, { apiKey: kept.issuer.apiKey });
    await signHello(issuer, kept.issuer.bbsPublicKeyMultibase);
    const { code, err } = await second.stop('SIGINT');
    assert.equal(code, 0);
    assert.match(err, /^(The demo stops\. Its data stay in .*\n)?$/);
  });
});

const signHello = (client: ReturnType<typeof createCredentialClient>, publicKey: string) =>
  client.signWithBbs({ publicKeyMultibase: publicKey, data: ['hello'] });

describe('the data of the demo', () => {
  const owner = ownerOfSuite();
  const proofs = shareProofs(owner);

  test('fit together: the public key is that of the secret one', async () => {
    assert.deepEqual(await proofs.publicKeyOf(demoBbsSecretKey()), parseBbsPublicKey(demoBbsPublicKey));
  });

  test('are made anew where they are missing or spoilt, and what is good is kept', async (context) => {
    const first = await startService(context, { proofs });
    const file = path.join(first.folder, 'demo.json');
    rmSync(file);
    const second = await first.restart();
    for (const role of roles) {
      assert.notEqual(second.demo[role].apiKey, first.demo[role].apiKey);
      assert.equal(second.demo[role].did, first.demo[role].did);
    }
    await signHello(second.issuer.client, second.issuer.bbsPublicKey);
    writeFileSync(file, '{"issuer":');
    const third = await second.restart();
    assert.notEqual(third.issuer.apiKey, second.issuer.apiKey);
    const [id] = /(?<=sym_)\w{8}/.exec(third.holder.apiKey) ?? [];
    assert.ok(await third.served.apiKeys.revoke(id as string));
    const fourth = await third.restart();
    assert.equal(fourth.issuer.apiKey, third.issuer.apiKey);
    assert.notEqual(fourth.holder.apiKey, third.holder.apiKey);
  });

  test('give nobody more than the role needs', async (context) => {
    const { holder, verifier, issuer, demo } = await startService(context, { proofs });
    const refused = (error: unknown) => error instanceof ServiceError && error.code === 'notAllowed';
    await assert.rejects(signHello(holder.client, demo.issuer.bbsPublicKeyMultibase), refused);
    await assert.rejects(signHello(verifier.client, demo.issuer.bbsPublicKeyMultibase), refused);
    await assert.rejects(issuer.client.getAuditHead(), refused);
  });
});

describe('templates and credentials of the demo', () => {
  const owner = ownerOfSuite();
  const proofs = shareProofs(owner);
  const unfinished = ['applicationStored', 'draftStored', 'submissionStored', 'credentialAnchored'];

  test('that a start left unfinished are completed by the next, and by no third', async (context) => {
    const node = await startNode(context);
    const folder = tempFolder(context);
    for (const place of unfinished) {
      const crashPoint = (name: string) => {
        if (name === place) throw new Error(`cut short at ${place}`);
      };
      const cut = startService(context, { node, folder, proofs, tokenSource, crashPoint });
      await assert.rejects(cut, /cut short/, place);
    }
    const whole = await startService(context, { node, folder, proofs, tokenSource });
    assert.deepEqual(contentsOf(whole.demo), everywhere);
    const { applications } = await whole.issuer.client.listApplications({});
    assert.equal(applications.length, 3);
    const again = await whole.restart();
    assert.deepEqual(again.demo, { ...whole.demo, service: again.url });
  });

  test('can be downloaded and presented', async (context) => {
    const { demo, holder, verifier, ledger } = await startService(context, { proofs, tokenSource });
    const [degree] = demo.credentials as [DemoDocument['credentials'][number]];
    const { signer } = holder;
    const vc = await downloadCredential(holder.client, { signer, vcId: degree.vcId, ledger });
    assert.equal(at(vc, 'credentialSubject', 'degree'), 'BSc Mathematics');
    const challenge = 'asked by a test';
    const order = { signer, vc, challenge, revealAttributes: ['degree'] };
    const presentation = await presentCredential(holder.client, order);
    const verdict = await askVerdict(verifier.client, { presentation, challenge });
    assert.ok(verdict.verified);
    assert.deepEqual(verdict.vcDetails, { degree: 'BSc Mathematics' });
  });

  test('that are sold are paid for in the token, and come at once', async (context) => {
    const service = await startService(context, { proofs, tokenSource });
    const { demo, url } = service;
    const mira = peopleOf(demo).holder;
    const sold = demo.templates.find(({ price }) => price !== undefined);
    const values = { name: 'Mira Example', studentNumber: 'EX-20417', credits: '180' };
    const body = paidBody(mira, sold?.templateId as string, values);
    const demand = await askPrice({ url }, body);
    assert.deepEqual([demand.asset, demand.maxAmountRequired], [demo.token?.address, '250']);
    const answer = await pay({ url }, body, await paymentFor({ service }, mira, demand));
    assert.equal(answer.status, 200, answer.text);
    const { paymentLedger: ledger } = service.served.parts;
    const left = await ledger.tokenBalance(everywhere.token.address, mira.address);
    assert.equal(left, 100_000n - 250n);
  });

  test('are not made by an issuer who has given up its key', async (context) => {
    const first = await startService(context, { proofs });
    const { signer } = first.issuer;
    await deactivateDid(first.ledger, { signer });
    await first.close();
    const { node, folder } = first;
    const second = await startService(context, { node, folder, proofs, tokenSource });
    assert.deepEqual([second.demo.templates, second.demo.credentials], [[], []]);
    assert.deepEqual(second.demo.token, everywhere.token);
  });
});

describe('a service', () => {
  const owner = ownerOfSuite();
  const proofs = shareProofs(owner);

  test('says where things are, and knows nothing else', async (context) => {
    const { url } = await startService(context, { proofs });
    const directory = json(await send(`${url}/`));
    assert.equal(directory.openapi, '/openapi.json');
    const openapi = json(await send(`${url}/openapi.json`));
    assert.equal(openapi.openapi, '3.1.0');
    assert.equal((await send(`${url}/livez`)).text, 'ok');
    assert.match((await send(`${url}/metrics`)).text, /symbolon_service_ready 1\n/);
    for (const place of ['/nothing', '/constructor', '/__proto__', '/readyz/', '/cred'])
      assert.equal((await send(url + place)).status, 404, place);
  });

  test('keeps its audit log chained across starts, and anchors it', async (context) => {
    const first = await startService(context, { proofs });
    await first.served.runChore('anchor');
    const head = await first.admin.getAuditHead();
    assert.equal(head.anchor?.sequence, head.sequence);
    const again = await first.restart();
    const { entries } = await again.admin.listAuditEntries();
    assert.equal(entries.filter(({ action }) => action === 'service.start').length, 2);
    assert.deepEqual(await again.served.parts.audit.verify().then(({ isIntact }) => isIntact), true);
  });

  test('opens sealed requests after a restart with the keys it gave out before', async (context) => {
    const first = await startService(context, { proofs });
    const keys = await first.stranger.getSealKeys();
    const again = await first.restart();
    assert.deepEqual(await again.stranger.getSealKeys(), keys);
  });

  test('logs no secret of its people', async (context) => {
    const { demo, logged, issuer } = await startService(context, { proofs });
    await signHello(issuer.client, demo.issuer.bbsPublicKeyMultibase);
    for (const role of roles)
      for (const secret of [demo[role].apiKey, demo[role].privateKey]) assert.ok(!logged().includes(secret));
    assert.ok(!logged().includes(richest.privateKey));
  });
});
