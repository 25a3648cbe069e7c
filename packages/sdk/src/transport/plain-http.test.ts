import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signerFromSeed } from '../keys/signer.ts';
import { createLedgerClient } from '../ledger/ledger-client.ts';
import { type CredentialClientOptions, createCredentialClient } from '../service/credential-client.ts';
import { createVerifierClient } from '../service/verifier-client.ts';
import { custodyPasswordHeaders, holderHeaders } from './call-headers.ts';
import { httpTransport } from './transport.ts';

const address = 'ZTX3Xvd9CDgDi9ByAvEBz3QZ5ksRMQf3n2hFp';
const privateKey = `privb${'1'.repeat(48)}`;

/** Counts what would have left this machine, and answers nothing that is understood. */
function wire() {
  const sent: string[] = [];
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    sent.push(String(input));
    return new Response('{}', { status: 200, headers: { 'content-type': 'application/json' } });
  };
  return { sent, fetch };
}

type Act = (url: string, options: CredentialClientOptions) => Promise<unknown>;

const confidential: Readonly<Record<string, Act>> = {
  'an API key': (url, options) =>
    createCredentialClient(url, { ...options, apiKey: 'sym_key' }).listTemplates(),
  "a verifier's API key": (url, options) =>
    createVerifierClient(url, { ...options, apiKey: 'sym_key' }).getCredentialStatus({ vcId: 'x' }),
  'an API key on a stream': async (url, options) => {
    const client = createCredentialClient(url, { ...options, apiKey: 'sym_key' });
    for await (const _event of client.watchVerification({ id: 'x' })) break;
  },
  'the headers of a wallet': async (url, options) => {
    const signer = await signerFromSeed(new Uint8Array(32).fill(7));
    const client = createCredentialClient(url, options);
    const headers = await holderHeaders(signer, client, { purpose: 'download-all' });
    await client.downloadExtended({ address }, { headers });
  },
  'a password in a header': (url, options) =>
    createCredentialClient(url, options).getCustodyPolicy(
      { address },
      { headers: custodyPasswordHeaders('secret word') },
    ),
  'a cookie': (url, options) =>
    createCredentialClient(url, options).listTemplates({}, { headers: { Cookie: 'session=1' } }),
  'a password in the body': (url, options) =>
    createCredentialClient(url, options).createCustodyAccount({ password: 'secret word' }),
  'a credential': (url, options) => createCredentialClient(url, options).createPresentation({ vc: {} }),
  'a private key for a node to sign with': (url, options) =>
    createLedgerClient(httpTransport(url, options)).submitTransaction({
      items: [{ transaction_json: {}, private_keys: [privateKey] }],
    } as never),
  'a private key in the address': (url, options) =>
    createLedgerClient(httpTransport(url, options)).getAddress({ private_key: privateKey }),
  'a request for a private key': (url, options) =>
    createLedgerClient(httpTransport(url, options)).createKeyPair(),
};

describe('over plain http', () => {
  const elsewhere = ['http://service.example', 'http://10.0.0.7:8080', 'http://localhost.example:8080'];
  for (const [what, act] of Object.entries(confidential)) {
    it(`${what} goes to no other machine`, async () => {
      for (const url of elsewhere) {
        const { sent, fetch } = wire();
        await assert.rejects(act(url, { fetch }), (error: Error & { code?: string; hint?: string }) => {
          assert.equal(error.code, 'notProtected');
          assert.match(error.hint ?? '', /https/);
          assert.doesNotMatch(`${error.message} ${error.hint}`, /secret word|sym_key|privb/);
          return true;
        });
        assert.deepEqual(sent, [], url);
      }
    });

    it(`${what} goes to this machine, over https, and into a network that was named closed`, async () => {
      const places: [string, CredentialClientOptions][] = [
        ['http://127.0.0.1:8080', {}],
        ['http://127.8.9.10:8080', {}],
        ['http://[::1]:8080', {}],
        ['http://localhost:8080', {}],
        ['https://service.example', {}],
        ['http://service.example', { allowPlainHttp: true }],
      ];
      for (const [url, options] of places) {
        const { sent, fetch } = wire();
        // What comes back is of no use here.
        await act(url, { ...options, fetch }).catch(() => undefined);
        assert.equal(sent.length, 1, url);
      }
    });
  }

  it('what is public is asked of anybody', async () => {
    const { sent, fetch } = wire();
    await createCredentialClient('http://service.example', { fetch })
      .listTemplates()
      .catch(() => undefined);
    await createLedgerClient(httpTransport('http://node.example', { fetch }))
      .getAccount({ address })
      .catch(() => undefined);
    assert.equal(sent.length, 2);
  });
});

describe('the environment', () => {
  const withEnvironment = async (values: Record<string, string>, act: () => Promise<void>): Promise<void> => {
    const before = { ...process.env };
    Object.assign(process.env, values);
    try {
      await act();
    } finally {
      for (const name of Object.keys(values)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  };
  const proxied = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://between.example:3128', NO_PROXY: '' };
  const call = async (url: string) => {
    const { sent, fetch } = wire();
    const client = createCredentialClient(url, { apiKey: 'sym_key', fetch });
    const code = await client.listTemplates().then(
      () => 'answered',
      (error: { code: string }) => error.code,
    );
    return { sent: sent.length, code };
  };

  it('that switches certificates off makes https a way like any other', async () => {
    await withEnvironment({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, async () => {
      assert.deepEqual(await call('https://service.example'), { sent: 0, code: 'notProtected' });
      assert.equal((await call('http://127.0.0.1:8080')).sent, 1);
      assert.equal(
        (await call('https://localhost:8443')).sent,
        1,
        "a certificate of one's own on this machine",
      );
    });
  });

  it('gives a proxy nothing confidential of what is meant for this machine', async () => {
    await withEnvironment(proxied, async () => {
      assert.deepEqual(await call('http://127.0.0.1:8080'), { sent: 0, code: 'notProtected' });
    });
  });

  it('has a proxy that is no matter where it is not used: for names that NO_PROXY has, over https, or when it is off', async () => {
    for (const [NO_PROXY, url] of [
      ['localhost,127.0.0.1', 'http://127.0.0.1:8080'],
      ['example.org localhost:8080', 'http://localhost:8080'],
      ['*', 'http://127.0.0.1:8080'],
      ['', 'https://service.example'],
    ])
      await withEnvironment({ ...proxied, NO_PROXY }, async () => {
        assert.equal((await call(url)).sent, 1, `${url} with NO_PROXY=${NO_PROXY}`);
      });
    await withEnvironment({ ...proxied, NODE_USE_ENV_PROXY: '0' }, async () => {
      assert.equal((await call('http://127.0.0.1:8080')).sent, 1);
    });
  });
});
