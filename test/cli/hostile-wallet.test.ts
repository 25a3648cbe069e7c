/**
 * The agents' wallet before a node, a service and paid sites whose every text tries to be more than a text. What an
 * agent reads is printable, and stands under the notice that it is data; what its owner reads on standard error is
 * printable.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import { keyFormat } from '@symbolon/cli/profile/key-format';
import { othersNotice } from '@symbolon/cli/wallet/tool-results';
import { demoPerson } from '@symbolon/demo/people';
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  forgedWord,
  type HostileServer,
  hostileText,
  printedProblems,
  startHostileServer,
  type Temper,
} from '../support/hostile-server.ts';
import { type AgentWallet, startAgentWallet, writeProfile } from '../support/mcp-world.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { tempFolder } from '../support/temp-folder.ts';

const owner = ownerOfSuite();
let server: HostileServer;
let wallet: AgentWallet;
let siteUrl: string;

before(async () => {
  server = await startHostileServer(owner);
  const site = createServer((request, answer) => {
    const isPaid = request.url === '/paid';
    const body = JSON.stringify({ x402Version: 1, error: hostileText, accepts: [{ scheme: hostileText }] });
    const type = 'text/plain; charset=utf-8';
    answer.writeHead(isPaid ? 402 : 200, { 'content-type': type }).end(isPaid ? body : hostileText);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  owner.after(() => {
    site.closeAllConnections();
    site.close();
  });
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const folder = tempFolder(owner);
  const { privateKey } = await demoPerson('holder', keyFormat);
  writeProfile(folder, { url: server.url, node: { url: server.url } } as never, privateKey);
  const caps = ['--spend-per-payment', '1000000', '--spend-per-day', '1000000'];
  wallet = await startAgentWallet(owner, folder, [...caps, '--may-call', siteUrl]);
});

const templateId = `did:zid:${'ab'.repeat(32)}`;
const calls = (): readonly [string, JsonObject][] => [
  ['wallet_status', {}],
  ['list_credentials', { refresh: true }],
  ['request_info', { request: 'p1' }],
  ['present', { request: 'p1' }],
  ['find_templates', {}],
  ['payment_status', { paymentId: 'ab'.repeat(16) }],
  ['payment_status', { transactionHash: 'ab'.repeat(32) }],
  ['obtain_credential', { templateId, attributes: { name: 'Mira' } }],
  ['pay', { url: `${siteUrl}/free` }],
  ['pay', { url: `${siteUrl}/paid` }],
];

/** Every text inside of a value. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
};

describe('what an agent reads', () => {
  let told = 0;
  for (const temper of ['reply', 'refusal', 'known refusal', 'nonsense'] satisfies Temper[])
    test(`is data where a server answers with a ${temper}`, async () => {
      server.temper = temper;
      for (const [name, given] of calls()) {
        const { text, isError, value } = await wallet.call(name, given);
        const what = `${name} ${JSON.stringify(given)}: ${text}`;
        assert.deepEqual(printedProblems(text), [], what);
        // Of what was fetched, which is one member, breaks of lines stay.
        const { body: _fetched, ...others } = value;
        for (const one of textsIn(others)) assert.deepEqual(printedProblems(one), [], what);
        if (!text.includes(forgedWord)) continue;
        told += 1;
        const notice = isError ? text.split('\n').at(-1) : value.notice;
        assert.equal(notice, othersNotice, what);
      }
    });

  test('is something, so that this says anything', () => {
    assert.ok(told >= 8, `only ${told} answers repeat others`);
  });

  test('and resources too', async () => {
    server.temper = 'reply';
    for (const uri of ['wallet://status', 'wallet://credentials']) {
      const { contents } = await wallet.client.readResource({ uri });
      const [first] = contents;
      assert.ok(first && 'text' in first);
      assert.deepEqual(printedProblems(first.text), [], uri);
      assert.equal(JSON.parse(first.text).notice, othersNotice);
    }
    server.temper = 'refusal';
    await wallet.client.readResource({ uri: 'wallet://status' }).then(
      ({ contents }) => assert.deepEqual(printedProblems(JSON.stringify(contents)), []),
      (error: Error) => assert.deepEqual(printedProblems(error.message), []),
    );
  });

  test('and what its owner reads is printable', () => {
    assert.deepEqual(printedProblems(wallet.err()), []);
  });
});
