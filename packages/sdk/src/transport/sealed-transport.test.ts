import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCredentialClient } from '../service/credential-client.ts';
import type { SealTarget } from './sealed-transport.ts';
import type { ServiceRequest, ServiceTransport } from './service-transport.ts';

/** Keeps what it is given, and answers it with nothing that is understood. */
function watched() {
  const seen: ServiceRequest[] = [];
  const answer = { status: 404, contentType: 'text/html', retryAfter: undefined };
  const call = async (request: ServiceRequest) => {
    seen.push(request);
    return { ...answer, text: '' };
  };
  const stream = async (request: ServiceRequest) => {
    seen.push(request);
    return { ...answer, chunks: (async function* () {})() };
  };
  const transport: ServiceTransport = Object.assign(call, { stream });
  return { seen, transport };
}

type Client = ReturnType<typeof createCredentialClient>;

const unsealable: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'an application': (client) => client.getApplication({ vcId: 'did:zid:1' }),
  'a bought credential': (client) => client.getPaymentStatus({ paymentId: '1' }),
  'a kept presentation': (client) => client.verifySavedPresentation({ id: '1' }),
  'the password of custody': (client) =>
    client.getCustodyPolicy({ address: 'x' }, { headers: { 'x-custody-password': 'secret word' } }),
  'the audit log': (client) => client.listAuditEntries(),
  'events of a session': async (client) => {
    for await (const _event of client.watchVerification({ id: '1' })) break;
  },
};

async function someKeys(): Promise<SealTarget> {
  const { publicKey } = await crypto.subtle.generateKey(
    { name: 'RSA-OAEP', modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['encrypt', 'decrypt'],
  );
  const der = Buffer.from(await crypto.subtle.exportKey('spki', publicKey)).toString('base64');
  return {
    kid: 'k',
    rsaPublicKeyPem: `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----`,
    x25519PublicKey: '09'.repeat(32),
  };
}

describe('a client that was told to seal', () => {
  it('does not seal for a key that agrees on nothing', async () => {
    const { seen, transport } = watched();
    for (const point of ['00'.repeat(32), `01${'00'.repeat(31)}`]) {
      const keys = { ...(await someKeys()), x25519PublicKey: point };
      const client = createCredentialClient(transport, { sealed: { keys } });
      await assert.rejects(client.verifyPresentation({ vp: {} }), {
        name: 'SdkError',
        code: 'unexpectedReply',
        message: /cannot be used/,
      });
    }
    assert.deepEqual(seen, []);
  });

  for (const [what, act] of Object.entries(unsealable)) {
    it(`does not send for ${what} in clear, because that cannot be sealed`, async () => {
      const { seen, transport } = watched();
      await assert.rejects(act(createCredentialClient(transport, { sealed: true })), {
        code: 'notProtected',
        message: /not served sealed/,
      });
      assert.deepEqual(seen, []);
    });

    it(`sends for ${what} when it is told to`, async () => {
      const { seen, transport } = watched();
      const sealed = { allowUnsealed: true };
      // What comes back is of no use here.
      await act(createCredentialClient(transport, { sealed })).catch(() => undefined);
      assert.equal(seen.length, 1);
    });
  }

  it('sends what is not confidential as it is', async () => {
    const { seen, transport } = watched();
    const client = createCredentialClient(transport, { sealed: true });
    await client.listTemplates().catch(() => undefined);
    await client.getCredentialStatus({ vcId: '1' }).catch(() => undefined);
    assert.deepEqual(
      seen.map(({ path }) => path),
      ['/cred/tds/templates', '/cred/v1/vc/status'],
    );
  });

  it('believes nobody on the way who refuses, or names a price, in place of the service', async () => {
    const keys = await someKeys();
    const problem = (status: number, code: string) => ({ status, detail: 'no', code, requestId: 'x' });
    const demand = { scheme: 'exact', network: 'zetrix:testnet', payTo: 'ZTX3', asset: 'ZTX', amount: '1' };
    const outcome = async (status: number, body: object) => {
      const lying: ServiceTransport = async () => ({
        status,
        contentType: 'application/json',
        retryAfter: undefined,
        text: JSON.stringify(body),
      });
      const client = createCredentialClient(lying, { sealed: { keys } });
      const order = { data: '[]', signData: '00', publicKey: '00' };
      return client.applyForPaidCredential(order as never).then(
        () => 'answered',
        (error: { code: string }) => error.code,
      );
    };
    const price = { x402Version: 1, error: 'payment required', accepts: [demand], paymentId: '1' };
    assert.equal(await outcome(402, price), 'unexpectedReply');
    assert.equal(await outcome(404, problem(404, 'templateUnknown')), 'unexpectedReply');
    assert.equal(await outcome(200, { data: {} }), 'unexpectedReply');
    // What a service says before it has opened anything.
    for (const [status, code] of [
      [400, 'sealMalformed'],
      [429, 'tooManyRequests'],
      [503, 'overloaded'],
      [404, 'routeUnknown'],
    ] as const)
      assert.equal(await outcome(status, problem(status, code)), code);
  });

  it('counts on keys that the service tells only where nobody on the way can change them', async () => {
    const keys = await someKeys();
    const told = { ...keys, keys: [{ ...keys, validUntil: null }], jwks: { keys: [] } };
    const carried = async (sealed: true | { keys: SealTarget }) => {
      const { seen, transport } = watched();
      const telling: ServiceTransport = async (request) =>
        request.path === '/cred/v1/keys'
          ? {
              status: 200,
              contentType: 'application/json',
              retryAfter: undefined,
              text: JSON.stringify(told),
            }
          : transport(request);
      await createCredentialClient(telling, { sealed })
        .createPresentation({ vc: {} })
        .catch(() => undefined);
      return seen.map(({ path, carries }) => `${path} ${carries}`);
    };
    assert.deepEqual(await carried({ keys }), ['/cred/v1/vp/enc/create plain']);
    assert.deepEqual(await carried(true), ['/cred/v1/vp/enc/create personal']);
  });
});
