/**
 * The protocol's own client, unchanged, with nothing but this ledger's scheme registered, buys a credential: it asks,
 * reads what it costs, signs and asks again.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { createExactScheme } from '@symbolon/sdk/flows/payment-scheme';
import { signerFromSeed } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import {
  customer,
  deployToken,
  giveTokens,
  type PaymentWorld,
  paidBody,
  payPaths,
  sell,
  sellerOf,
  statusOf,
} from '../support/payment-world.ts';
import type { Person } from '../support/people.ts';
import type { AskedNode } from '../support/running-node.ts';

const postInit = (body: JsonObject) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** What the client does with a service, in a world that is made when the tests begin. */
export function registerX402(open: () => Promise<PaymentWorld<AskedNode>>): void {
  let world: PaymentWorld<AskedNode>;
  before(async () => {
    world = await open();
  });

  async function payingFetch(payer: Person, amountsMax: Record<string, bigint>) {
    const scheme = createExactScheme({
      client: world.client,
      signer: await signerFromSeed(payer.seed),
      amountsMax,
    });
    const client = new x402Client().setSpendControls({ allowedAssets: true });
    return wrapFetchWithPayment(fetch, client.register('zetrix:testnet', scheme));
  }

  /** The lines that the page on payments has for whoever pays, as they stand there. */
  async function fetchOfThePage(payer: Person, leaveOut = ''): Promise<typeof fetch> {
    const page = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8');
    const [, lines = ''] = /```ts\n(const client = new x402Client[\s\S]*?)```/.exec(page) ?? [];
    assert.ok(lines.includes(leaveOut), 'the page has these lines');
    const given = {
      ...{ x402Client, createExactScheme, wrapFetchWithPayment },
      ...{ ledger: world.client, signer: await signerFromSeed(payer.seed) },
    };
    const source = `${lines.replace(leaveOut, '')}\nreturn pay;`;
    return runInThisContext(`(function (${Object.keys(given).join(', ')}, fetch) { ${source} })`)(
      ...Object.values(given),
      fetch,
    );
  }

  describe('an x402 client', () => {
    test('pays with Gas and gets the credential', async () => {
      const holder = await customer(world.client, 'x402 buyer');
      const buy = await payingFetch(holder, { ZTX: 250_000n });
      const answer = await buy(`${world.url}${payPaths.apply}`, postInit(paidBody(holder, world.templateId)));
      assert.equal(answer.status, 200);
      const { data } = (await answer.json()) as { data: JsonObject };
      const receipt = decodePaymentResponseHeader(answer.headers.get('PAYMENT-RESPONSE') ?? '');
      assert.equal(receipt.success, true);
      assert.equal(receipt.transaction, data.txHash);
      assert.equal((data.verifiableCredential as JsonObject).id, data.vcId);
      assert.equal((await statusOf(world, data.paymentId as string)).status, 'ISSUED');
    });

    test('pays by the lines of the page, and nothing without the assets that they allow', async () => {
      const holder = await customer(world.client, 'x402 reader');
      const url = `${world.url}${payPaths.apply}`;
      const init = postInit(paidBody(holder, world.templateId));
      const allowed = /\.setSpendControls\([\s\S]*?\}\)/.exec(
        readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8'),
      );
      const without = await fetchOfThePage(holder, allowed?.[0]);
      await assert.rejects(without(url, init), /rejected by spendControls/);
      const answer = await (await fetchOfThePage(holder))(url, init);
      assert.equal(answer.status, 200, await answer.clone().text());
    });

    test('pays with a token', async () => {
      const token = await deployToken(world.client);
      const holder = await customer(world.client, 'x402 token buyer');
      await giveTokens(world.client, token, { to: holder.address, value: '700' });
      const price = { amount: '700', asset: token.address };
      const templateId = await sell(sellerOf(world), { templateName: 'Token pass', price });
      const buy = await payingFetch(holder, { [token.address]: 700n });
      const answer = await buy(`${world.url}${payPaths.apply}`, postInit(paidBody(holder, templateId)));
      assert.equal(answer.status, 200, await answer.clone().text());
    });

    test('pays no more than it was allowed to, and what is free not at all', async () => {
      const holder = await customer(world.client, 'x402 careful');
      const buy = await payingFetch(holder, { ZTX: 249_999n });
      const url = `${world.url}${payPaths.apply}`;
      await assert.rejects(buy(url, postInit(paidBody(holder, world.templateId))), /more than the 249999/);
      const templateId = await sell(sellerOf(world), { templateName: 'Free pass', price: { amount: '0' } });
      const answer = await buy(url, postInit(paidBody(holder, templateId)));
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('PAYMENT-RESPONSE'), null);
    });
  });
}
