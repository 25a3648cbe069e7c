/**
 * A running service with a template that is sold: the issuer's keys left with the service, a policy, a price, and a
 * token of the project's own on the ledger. And what paying clients do, written from the documents and not from the
 * service's code.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { grantFunds } from '@symbolon/demo/funds';
import { demoLimits } from '@symbolon/demo/limits';
import { type LedgerClient, type Signer, sendTransaction, signerFromSeed } from '@symbolon/sdk/index';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { type Owner, ownerOfSuite } from './owner.ts';
import { type Person, person, richest } from './people.ts';
import type { AskedNode, RunningNode } from './running-node.ts';
import { type ServiceOn, type ServiceOrder, shareProofs, startService } from './running-service.ts';
import { getService, postService, type ServiceAnswer } from './service-http.ts';
import { fewValues, ok, type Steps, signText } from './service-steps.ts';
import { fund, type World, worldOf } from './service-world.ts';

export const payPaths = {
  apply: '/v1/vc/pay/apply',
  quote: '/v1/vc/pay/quote',
  status: '/v1/vc/pay/status',
  prices: '/v1/issuer/prices',
  autoIssue: '/v1/issuer/auto-issue',
  withdraw: '/v1/issuer/key/withdraw',
  facilitator: '/ztx/facilitator',
} as const;

export interface PaymentWorld<Node extends AskedNode = RunningNode> extends World {
  readonly service: ServiceOn<Node>;
  readonly templateId: string;
}

export interface SaleOrder {
  readonly templateName: string;
  readonly price: JsonObject;
  readonly policy?: JsonObject;
}

type Seller = Pick<World, 'url' | 'issuer'> & { readonly steps: Steps; readonly privateKey: string };

/** A template, the issuer's keys, a policy and a price. */
export async function sell(seller: Seller, { templateName, price, policy }: SaleOrder): Promise<string> {
  const { url, issuer, steps, privateKey } = seller;
  const { templateId } = await steps.registerTemplate(issuer, { templateName });
  const rules = { perDayMax: 1_000, until: '2099-01-01', privateKey, ...policy, templateId };
  ok(await postService(url, payPaths.autoIssue, rules as JsonObject, issuer));
  ok(await postService(url, payPaths.prices, { templateId, ...price } as JsonObject, issuer));
  return templateId as string;
}

export const startPaymentWorld = async (owner: Owner, order: ServiceOrder = {}): Promise<PaymentWorld> =>
  paymentWorldOf(await startService(owner, order));

export async function paymentWorldOf<Node extends AskedNode>(
  service: ServiceOn<Node>,
): Promise<PaymentWorld<Node>> {
  const world = worldOf(service);
  const seller = { ...world, privateKey: service.demo.issuer.privateKey };
  const templateId = await sell(seller, { templateName: 'Club card', price: { amount: '250000' } });
  return { ...world, service, templateId };
}

/** What all tests of a file share: a world that ends after them, and its proof threads. */
export async function paymentSuite(order: ServiceOrder = {}) {
  const owner = ownerOfSuite();
  const proofs = shareProofs(owner);
  return { proofs, world: await startPaymentWorld(owner, { proofs, ...order }) };
}

export const sellerOf = ({ service, ...world }: PaymentWorld<AskedNode>) => ({
  ...world,
  privateKey: service.demo.issuer.privateKey,
});

/** What a holder applies with: the text, and the signature over exactly that text. */
export function paidBody(holder: Person, templateId: string, values: object = fewValues): JsonObject {
  const data = JSON.stringify([{ templateId, metadata: values }]);
  return { data, signData: signText(holder, data), publicKey: holder.publicKey };
}

/** Somebody new with money. */
export async function customer(client: LedgerClient, name: string): Promise<Person> {
  const who = person(name);
  await fund(client, [who], 1_000_000_000n);
  return who;
}

export interface PayOrder {
  readonly payTo: string;
  readonly amount: bigint;
  readonly asset?: string;
  readonly validBefore?: number;
  readonly network?: string;
  readonly operations?: readonly JsonObject[];
}

/** `payload` of a payment, made with the node's own documents: blob and signature. */
export async function signedPayload(
  { service }: Pick<PaymentWorld, 'service'>,
  payer: Person,
  { payTo, amount, asset, validBefore, operations }: PayOrder,
): Promise<JsonObject> {
  const input = JSON.stringify({ method: 'transfer', params: { to: payTo, value: amount.toString() } });
  const payCoin: JsonObject = asset
    ? { dest_address: asset, amount: 0, input }
    : { dest_address: payTo, amount };
  const usual: JsonObject[] = [{ type: 7, pay_coin: payCoin }];
  const item = await service.node.sign({
    source: payer,
    operations: (operations ?? usual) as JsonValue,
    fields: { fee_limit: 1_000_000n },
  });
  return {
    type: 'signed_transaction',
    transactionBlob: item.transaction_blob,
    signatures: item.signatures,
    validBefore: validBefore ?? Math.floor(Date.now() / 1_000) + 300,
  };
}

/** The family's payment object. */
export const familyPayment = (payload: JsonObject, network = 'zetrix:testnet'): JsonObject => ({
  x402Version: 2,
  scheme: 'exact',
  network,
  payload,
});

export const headerOf = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64');
export const readHeader = (text: string | string[] | undefined): JsonObject => {
  assert.ok(typeof text === 'string', 'the header is there');
  return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
};

/** The first phase, which must ask for money: what is asked for. */
export async function askPrice(world: Pick<PaymentWorld, 'url'>, body: JsonObject): Promise<JsonObject> {
  const answer = await postService(world.url, payPaths.apply, body);
  assert.equal(answer.status, 402, answer.text);
  const [first] = answer.body.accepts as [JsonObject];
  return first;
}

export const pay = (
  world: Pick<PaymentWorld, 'url'>,
  body: JsonObject,
  payment: JsonObject,
): Promise<ServiceAnswer> =>
  postService(world.url, payPaths.apply, body, { headers: { 'x-payment': headerOf(payment) } });

/** The payment that a demand asks for. */
export async function paymentFor(
  world: Pick<PaymentWorld, 'service'>,
  payer: Person,
  demand: JsonObject,
): Promise<JsonObject> {
  const asset = demand.asset === 'ZTX' ? {} : { asset: demand.asset as string };
  const order = {
    payTo: demand.payTo as string,
    amount: BigInt(demand.maxAmountRequired as string),
    ...asset,
  };
  return familyPayment(await signedPayload(world, payer, order));
}

export const statusOf = async (
  { url }: Pick<PaymentWorld, 'url'>,
  paymentId: JsonValue,
): Promise<JsonObject> => ok(await getService(url, `${payPaths.status}/${paymentId}`)).data as JsonObject;

/** What the facilitator says of a settlement. */
export const settlementOf = ({ url }: Pick<PaymentWorld, 'url'>, blobId: unknown): Promise<ServiceAnswer> =>
  getService(url, `${payPaths.facilitator}/settle/status?blobId=${blobId}`);

/** What a resource server asks for, in its canonical form. */
export const requirementsOf = (payTo: string) => ({
  scheme: 'exact',
  network: 'zetrix:testnet' as const,
  asset: 'ZTX',
  amount: '1000',
  payTo,
  maxTimeoutSeconds: 300,
  extra: {},
});

/** A token of the project's own, owned by the richest. */
export async function deployToken(client: LedgerClient): Promise<{ address: string; owner: Signer }> {
  const owner = await signerFromSeed(richest.seed);
  const payload = readFileSync(new URL('../../contracts/token.js', import.meta.url), 'utf8');
  const params = { name: 'Club coin', symbol: 'CLUB', decimals: 2, supply: '1000000' };
  const createAccount = {
    contract: { payload },
    initBalance: 10_000_000n,
    priv: { masterWeight: 0n, thresholds: { txThreshold: 1n } },
    initInput: JSON.stringify({ params }),
  };
  const receipt = await sendTransaction(client, { signers: [owner], operations: [{ createAccount }] });
  const [made] = JSON.parse(receipt.description) as [{ contract_address: string }];
  return { address: made.contract_address, owner };
}

export async function giveTokens(
  client: LedgerClient,
  { address, owner }: { address: string; owner: Signer },
  grant: { to: string; value: string },
): Promise<void> {
  const input = JSON.stringify({ method: 'assign', params: grant });
  await sendTransaction(client, {
    signers: [owner],
    operations: [{ payCoin: { destAddress: address, input } }],
  });
}

export async function fundAddress(client: LedgerClient, address: string): Promise<void> {
  const funder = await signerFromSeed(richest.seed);
  await grantFunds(client, funder, [{ address, amount: demoLimits.personFunds }]);
}
