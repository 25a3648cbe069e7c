/** Flows of whoever has an account: payments, transactions of every kind, changes of an own DID. */
import { createHash } from 'node:crypto';
import { encodeMultikey } from '@symbolon/core/did/did';
import {
  createExactScheme,
  deactivateDid,
  endKey,
  publishKey,
  publishName,
  publishService,
  rotateKey,
  type SendOrder,
  type Signer,
  sendTransaction,
  signerFromCustody,
  signPayment,
} from '@symbolon/sdk/index';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { Flow, OrderedStatement, RunParts } from './flow.ts';
import type { LiesWorld } from './lies-world.ts';

const transactionOf = (source: Signer, operation: JsonObject, more: JsonObject = {}): OrderedStatement => ({
  kind: 'transaction',
  says: { sourceAddress: source.address, ...more, operations: [operation] },
});

interface SendCase {
  readonly name: string;
  readonly order: Omit<SendOrder, 'signers'>;
  readonly operation: JsonObject;
  readonly more?: JsonObject;
}

function sendFlow({ payer }: LiesWorld, { name, order, operation, more }: SendCase): Flow {
  return {
    name: `sendTransaction ${name}`,
    ordered: [transactionOf(payer, operation, more)],
    run: async ({ ledger, watched, wait }) => {
      const signer = watched(payer);
      const hashes: string[] = [];
      const sign: Signer['sign'] = (bytes) => {
        hashes.push(createHash('sha256').update(bytes).digest('hex'));
        return signer.sign(bytes);
      };
      const { hash } = await sendTransaction(ledger, { ...order, signers: [{ ...signer, sign }] }, wait);
      return { isReceiptOfWhatWasSigned: hash === hashes[0] };
    },
  };
}

function sendFlows(world: LiesWorld): Flow[] {
  const { payer, token } = world;
  const to = world.service.issuer.signer.address;
  const key = { issuer: payer.address, code: 'GOLD' };
  const transfer = { method: 'transfer', params: { to, value: '3' } };
  const pay: SendCase = {
    name: 'that pays coins',
    order: { operations: [{ payCoin: { destAddress: to, amount: 1_000n } }] },
    operation: { type: 7, payCoin: { destAddress: to, amount: '1000' } },
  };
  const cases: SendCase[] = [
    pay,
    {
      ...pay,
      name: 'with terms of its own',
      order: { ...pay.order, feeLimit: 5_000n, gasPrice: 1n, metadata: Uint8Array.of(1, 2, 3) },
      more: { metadata: 'AQID' },
    },
    {
      name: 'that pays an asset',
      order: { operations: [{ payAsset: { destAddress: to, asset: { key, amount: 5n } } }] },
      operation: { type: 3, payAsset: { destAddress: to, asset: { key, amount: '5' } } },
    },
    {
      name: 'that sets metadata',
      order: { operations: [{ setMetadata: { key: 'colour', value: 'green' } }] },
      operation: { type: 4, setMetadata: { key: 'colour', value: 'green' } },
    },
    {
      name: 'that calls a contract',
      order: { operations: [{ payCoin: { destAddress: token, input: JSON.stringify(transfer) } }] },
      operation: { type: 7, payCoin: { destAddress: token, input: transfer } },
    },
  ];
  return cases.map((one) => sendFlow(world, one));
}

function paymentFlow(world: LiesWorld, asset: 'native' | 'token'): Flow {
  const { payer, token } = world;
  const payTo = world.service.issuer.signer.address;
  const code = asset === 'native' ? 'ZTX' : token;
  const demand = { scheme: 'exact', network: 'zetrix:testnet', payTo, asset: code, amount: '7' };
  const input = { method: 'transfer', params: { to: payTo, value: '7' } };
  const payCoin: JsonObject =
    asset === 'native' ? { destAddress: payTo, amount: '7' } : { destAddress: token, input };
  return {
    name: asset === 'native' ? 'signPayment of coins' : 'createExactScheme of a token',
    ordered: [transactionOf(payer, { type: 7, payCoin })],
    run: async ({ ledger, watched }) => {
      const options = { client: ledger, signer: watched(payer), amountsMax: { [code]: 7n } };
      if (asset === 'native') await signPayment(demand, options);
      else await createExactScheme(options).createPaymentPayload(2, demand);
      return {};
    },
  };
}

const x25519Key = encodeMultikey('x25519', new Uint8Array(32).fill(9));

interface DidCase {
  readonly name: string;
  readonly changes: readonly JsonObject[];
  readonly run: (parts: RunParts, signer: Signer) => Promise<{ readonly did: string }>;
}

/** In the order in which they can be made. */
function didFlows({ keyed, ownKeys }: LiesWorld): Flow[] {
  const { publicKeyMultibase } = ownKeys.bbsKey;
  const key = { type: 'Bls12381G2Key2020', publicKeyMultibase } as const;
  const newKey = { type: 'X25519KeyAgreementKey2020', publicKeyMultibase: x25519Key } as const;
  const site = { id: 'site', type: 'LinkedDomains', serviceEndpoint: 'https://example.org' };
  const cases: DidCase[] = [
    {
      name: 'publishKey',
      changes: [{ change: 'publishKey', ...key }],
      run: ({ ledger, wait }, signer) => publishKey(ledger, { signer, ...key }, wait),
    },
    {
      name: 'rotateKey',
      changes: [
        { change: 'endKey', number: 1 },
        { change: 'publishKey', ...newKey },
      ],
      run: ({ ledger, wait }, signer) => rotateKey(ledger, { signer, number: 1, ...newKey }, wait),
    },
    {
      name: 'endKey',
      changes: [{ change: 'endKey', number: 2 }],
      run: ({ ledger, wait }, signer) => endKey(ledger, { signer, number: 2 }, wait),
    },
    {
      name: 'publishName',
      changes: [{ change: 'publishName', name: 'Bay Library' }],
      run: ({ ledger, wait }, signer) => publishName(ledger, { signer, name: 'Bay Library' }, wait),
    },
    {
      name: 'publishService',
      changes: [{ change: 'publishService', ...site }],
      run: ({ ledger, wait }, signer) => publishService(ledger, { signer, ...site }, wait),
    },
    {
      name: 'deactivateDid',
      changes: [{ change: 'deactivate' }],
      run: ({ ledger, wait }, signer) => deactivateDid(ledger, { signer }, wait),
    },
  ];
  return cases.map(({ name, changes, run }) => ({
    name,
    ordered: [
      transactionOf(keyed, {
        type: 4,
        setMetadata: { key: 'did.log', value: { changes: [...changes], chainId: '0' } },
      }),
    ],
    run: async (parts): Promise<JsonValue> => ({ did: (await run(parts, parts.watched(keyed))).did }),
  }));
}

/** The key is the service's; whether it has signed these bytes with it is not. */
function custodyFlow({ payer }: LiesWorld, signature: Uint8Array): Flow {
  const reply = { signBlob: Buffer.from(signature).toString('hex'), publicKey: payer.publicKey };
  const { path, envelope } = allRoutes.signCustodyBlob;
  const place = { server: 'service', route: 'signCustodyBlob', question: path } as const;
  return {
    name: 'signerFromCustody',
    ordered: [],
    tape: [{ ...place, status: 200, answer: envelope?.success(reply) ?? reply }],
    run: async ({ service }) => {
      const account = { publicKey: payer.publicKey, password: 'pass word' };
      const made = await signerFromCustody(service(), account).sign(custodyBytes);
      return { signature: Buffer.from(made).toString('hex') };
    },
  };
}

const custodyBytes = new TextEncoder().encode('bytes to sign');

export const payerFlows = async (world: LiesWorld): Promise<Flow[]> => [
  ...sendFlows(world),
  paymentFlow(world, 'native'),
  paymentFlow(world, 'token'),
  ...didFlows(world),
  custodyFlow(world, await world.payer.sign(custodyBytes)),
];
