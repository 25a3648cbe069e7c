/**
 * Custody over HTTP, as wallets use it: what they send, what they read, and transactions of an account whose key they
 * do not have. Signatures are checked with the platform's own cryptography and by the ledger.
 */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import {
  buildTransaction,
  type LedgerClient,
  type OperationOrder,
  waitForReceipt,
} from '@symbolon/sdk/index';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { keyFormat } from './people.ts';
import { getService, postService, type ServiceAnswer } from './service-http.ts';

export interface HeldAccount {
  readonly address: string;
  readonly password: string;
  readonly publicKey: string;
  readonly created: JsonObject;
}

export const custodyPaths = {
  create: '/wallet/hsm/account/create',
  signBlob: '/wallet/hsm/sign-blob',
  signBlobListed: '/api/hsm/sign-blob',
  signMessage: '/wallet/hsm/sign-message',
  status: '/wallet/hsm/account/activate/status',
  password: '/wallet/hsm/account/password',
  policy: '/wallet/hsm/account/policy',
} as const;

/** The data of an answer that must have succeeded. */
export function custodyData({ status, body }: ServiceAnswer): JsonObject {
  assert.equal(status, 200);
  assert.equal(body.errorCode, 0, JSON.stringify(body));
  assert.equal(typeof body.message, 'string');
  return body.data as JsonObject;
}

/** The number and the name of a refusal, which has status 200 like everything here. */
export function custodyRefusal({ status, body }: ServiceAnswer): string {
  assert.equal(status, 200);
  return `${body.errorCode} ${body.code}`;
}

/** Whether the key has signed exactly these bytes. */
export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  const raw = keyFormat.parsePublicKey(publicKey);
  assert.ok(raw, 'an encoded public key');
  const x = Buffer.from(raw).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, bytes, key, Buffer.from(signature, 'hex'));
}

export function custodySteps(url: string, ledger: LedgerClient) {
  const post = (path: string, body: JsonValue, approval?: string): Promise<ServiceAnswer> =>
    postService(url, path, body, {
      ...(approval !== undefined && { headers: { 'x-custody-approval': approval } }),
    });
  const steps = {
    post,

    async create(password: string, more: JsonObject = {}): Promise<HeldAccount> {
      const created = custodyData(await post(custodyPaths.create, { password, ...more }));
      const [address, publicKey] = [created.zetrixAddress as string, created.publicKeyHex as string];
      return { address, password, publicKey, created };
    },

    signBlob: ({ address, password }: HeldAccount, blob: string, approval?: string) =>
      post(custodyPaths.signBlob, { blob, address, password }, approval),

    signMessage: ({ address, password }: HeldAccount, message: string) =>
      post(custodyPaths.signMessage, { message, address, password }),

    changePolicy: ({ address, password }: HeldAccount, change: JsonObject, approval?: string) =>
      post(custodyPaths.policy, { address, password, ...change }, approval),

    readPolicy: ({ address, password }: HeldAccount) =>
      getService(url, `${custodyPaths.policy}?address=${address}`, {
        headers: { 'x-custody-password': encodeURIComponent(password) },
      }),

    status: (address: string) => getService(url, `${custodyPaths.status}?address=${address}`),

    /** The unsigned bytes of a transaction, in hex. */
    async blobOf(
      source: string,
      operations: readonly OperationOrder[],
      feeLimit = 100_000n,
    ): Promise<string> {
      const transaction = await buildTransaction(ledger, { source, operations, feeLimit, gasPrice: 1n });
      return Buffer.from(encodeTransaction(transaction)).toString('hex');
    },

    /** Hands in what was signed elsewhere; the code of its receipt. */
    async submit(blob: string, { signBlob, publicKey }: JsonObject): Promise<number> {
      const signatures = [{ public_key: publicKey as string, sign_data: signBlob as string }];
      const { result } = await ledger.submitTransaction({ items: [{ transaction_blob: blob, signatures }] });
      assert.ok(result);
      return (await waitForReceipt(ledger, result.hash, { pollIntervalMs: 20 })).code;
    },

    async balanceOf(address: string): Promise<bigint> {
      const { result } = await ledger.getAccountBase({ address });
      return BigInt(result?.balance ?? 0);
    },
  };
  return steps;
}
export type CustodySteps = ReturnType<typeof custodySteps>;
