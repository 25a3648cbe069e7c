/**
 * Payments whose fee the service pays, as the protocol's own packages make them, unchanged: a shop that asks for money
 * and has its facilitator verify and settle, and customers whose scheme has the facilitator prepare what they sign.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import {
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
  HTTPFacilitatorClient,
} from '@x402/core/http';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { Owner } from './owner.ts';
import { familyPayment, fundAddress, type PaymentWorld, payPaths } from './payment-world.ts';
import type { Person } from './people.ts';
import { getService, postService, type ServiceAnswer } from './service-http.ts';
import { signBlob } from './service-steps.ts';

const network = 'zetrix:testnet' as const;

/** What a shop asks for. */
export const sponsoredDemand = (payTo: string, amount = '1000') => ({
  scheme: 'exact',
  network,
  asset: 'ZTX',
  amount,
  payTo,
  maxTimeoutSeconds: 120,
  extra: { gasModel: 'facilitator' },
});

type Site = Pick<PaymentWorld, 'url'>;

export const facilitate = (site: Site, route: string, body: JsonObject): Promise<ServiceAnswer> =>
  postService(site.url, `${payPaths.facilitator}/${route}`, body);

export const prepareFor = (
  site: Site,
  payer: Person,
  { payTo, amount = '1000', ...more }: { readonly payTo: string; readonly amount?: string } & JsonObject,
): Promise<ServiceAnswer> =>
  facilitate(site, 'prepare', {
    clientAddress: payer.address,
    payTo,
    amount,
    asset: 'ZTX',
    network,
    ...more,
  });

/** What the client signs of what was prepared, as the payload of a payment. */
export const sponsoredPayload = (payer: Person, prepared: JsonValue | undefined): JsonObject => {
  const { blob, hash, blobId, validBefore } = prepared as Record<string, JsonValue>;
  return {
    type: 'facilitator_prepared',
    ...{ blobId, blob, hash, validBefore },
    clientSignature: { signBlob: signBlob(payer, blob), publicKey: payer.publicKey },
  };
};

/** Prepared and signed. */
export async function sponsoredPayment(site: Site, payer: Person, payTo: string): Promise<JsonObject> {
  const answer = await prepareFor(site, payer, { payTo });
  assert.equal(answer.status, 200, answer.text);
  return familyPayment(sponsoredPayload(payer, answer.body.object));
}

export async function supportedKinds(site: Site): Promise<readonly JsonObject[]> {
  const { body } = await getService(site.url, `${payPaths.facilitator}/supported`);
  return body.kinds as JsonObject[];
}

/** The address that an operator is told to fund. */
export async function paymasterOf(site: Site, payer: Person): Promise<string> {
  const answer = await prepareFor(site, payer, { payTo: payer.address });
  assert.equal(answer.status, 503, answer.text);
  const [address] = /ZTX3[A-Za-z0-9]+/.exec(answer.text) ?? [];
  assert.ok(address, answer.text);
  return address;
}

export async function fundPaymaster(world: PaymentWorld, payer: Person): Promise<string> {
  const address = await paymasterOf(world, payer);
  await fundAddress(world.client, address);
  return address;
}

/** A shop: 402 without a payment; with one verified, settled, 200 and the receipt. */
export async function openShop(owner: Owner, facilitator: Site, payTo: string): Promise<string> {
  const client = new HTTPFacilitatorClient({ url: `${facilitator.url}${payPaths.facilitator}` });
  const demand = sponsoredDemand(payTo);
  const server = createServer(async (request, response) => {
    const header = request.headers['payment-signature'];
    try {
      if (typeof header !== 'string') {
        const resource = { url: 'http://shop.example/' };
        const required = encodePaymentRequiredHeader({ x402Version: 2, resource, accepts: [demand] });
        response.writeHead(402, { 'payment-required': required }).end('{}');
        return;
      }
      const payment = decodePaymentSignatureHeader(header);
      const verified = await client.verify(payment, demand);
      if (!verified.isValid) throw new Error(`verify: ${verified.invalidReason}`);
      const settled = await client.settle(payment, demand);
      if (!settled.success) throw new Error(`settle: ${settled.errorReason}`);
      response.writeHead(200, { 'payment-response': encodePaymentResponseHeader(settled) }).end('sold');
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The protocol's fetch, for somebody who has the facilitator prepare what is signed. */
export function sponsoredFetch(facilitator: Site, payer: Person): typeof fetch {
  const scheme = {
    scheme: 'exact',
    async createPaymentPayload(x402Version: number, { payTo, amount }: { payTo: string; amount: string }) {
      const answer = await prepareFor(facilitator, payer, { payTo, amount });
      assert.equal(answer.status, 200, answer.text);
      return { x402Version, payload: sponsoredPayload(payer, answer.body.object) };
    },
  };
  const client = new x402Client().setSpendControls({ allowedAssets: true });
  return wrapFetchWithPayment(fetch, client.register(network, scheme)) as typeof fetch;
}
