import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { createSealedLayer, generateSealKeys, type SealKeys } from '@symbolon/host/service/sealed-layer';
import { createServiceServer } from '@symbolon/host/service/service-server';
import { type CredentialHandlers, credentialRoutes } from '@symbolon/wire/credentials/routes';
import { apiScopes } from '@symbolon/wire/http/service-route';
import { SdkError } from '../errors/errors.ts';
import { ServiceError } from '../errors/service-error.ts';
import { httpServiceTransport, type ServiceTransport } from '../transport/service-transport.ts';
import { createCredentialClient } from './credential-client.ts';

const vcId = `did:zid:${'ab'.repeat(32)}`;
const signature = 'ff'.repeat(64);
const application = { templateId: vcId, metadata: [{ key: 'name', value: 'Åsa' }], signData: signature };

interface Seen {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Names = keyof typeof credentialRoutes;

/** The real table, shell and sealed layer; the handlers say what a test wants. */
class TinyService {
  readonly seen: Seen[] = [];
  replies: Partial<Record<Names, () => object>> = {};
  keys: SealKeys[] = [];
  base = '';
  readonly layer = createSealedLayer({ keys: async () => this.keys });
  readonly #logger = { debug() {}, info() {}, warn() {}, error() {} };
  readonly #shell = createServiceServer({
    routes: credentialRoutes,
    handlers: this.#handlers(),
    authenticate: async () => ({ keyId: 'k', scopes: new Set(apiScopes) }),
    rates: { light: { perMinute: 6_000 }, heavy: { perMinute: 6_000 } },
    logger: this.#logger,
    seal: this.layer,
  });

  #handlers(): CredentialHandlers {
    const entries = Object.keys(credentialRoutes).map((name) => [
      name,
      async () => (name === 'getSealKeys' ? this.layer.publicKeys() : this.replies[name as Names]?.()),
    ]);
    return Object.fromEntries(entries);
  }

  /** The platform's, with an eye on what is sent. */
  readonly fetch: typeof globalThis.fetch = (address, init) => {
    const url = String(address).slice(this.base.length);
    const headers = Object.fromEntries(new Headers(init?.headers));
    this.seen.push({ url, headers, body: String(init?.body ?? '') });
    return globalThis.fetch(address, init);
  };

  async start(): Promise<void> {
    this.base = (await this.#shell.listen({ host: '127.0.0.1', port: 0 })).url;
  }
  stop = () => this.#shell.close();
}

describe('the client of the credential service', () => {
  const service = new TinyService();
  const watched = { fetch: service.fetch };
  let first: SealKeys;
  let second: SealKeys;

  before(async () => {
    first = await generateSealKeys({ kid: 'first', rsaBits: 2048 });
    second = await generateSealKeys({ kid: 'second', rsaBits: 2048 });
    service.keys = [first];
    service.replies = {
      applyForCredential: () => ({ vcId, status: 'Pending' }),
      downloadCredential: () => ({ id: vcId, name: 'Åsa' }),
      getTemplate: () => ({
        templateId: vcId,
        templateName: 'T',
        issuerDid: 'did:zid:1',
        credentialFormat: [],
        version: '1',
        txHash: '00',
      }),
      listTemplates: () => ({ templates: [] }),
    };
    await service.start();
  });
  after(() => service.stop());
  const last = (): Seen => service.seen.at(-1)!;

  it('calls routes with a body, a key and an idempotency key', async () => {
    const client = createCredentialClient(service.base, { ...watched, apiKey: 'sym_x_y' });
    const reply = await client.applyForCredential(application, { idempotencyKey: 'once' });
    assert.deepEqual(reply, { vcId, status: 'Pending' });
    assert.equal(last().url, '/cred/v1/vc/apply');
    assert.equal(last().headers.authorization, 'Bearer sym_x_y');
    assert.equal(last().headers['idempotency-key'], 'once');
    assert.deepEqual(JSON.parse(last().body), application);
  });

  it('puts parameters into path and query', async () => {
    const client = createCredentialClient(service.base, watched);
    await client.getTemplate({ templateId: vcId, version: '1 0' });
    assert.equal(last().url, `/cred/tds/templates/${encodeURIComponent(vcId)}?version=1%200`);
    await client.listTemplates();
    assert.equal(last().url, '/cred/tds/templates');
    assert.equal(last().headers.authorization, undefined);
    for (const templateId of ['', '.', '..', '\ud800']) {
      await assert.rejects(client.getTemplate({ templateId }), { code: 'invalidArgument' });
    }
  });

  it('throws what the service says', async () => {
    const client = createCredentialClient(service.base, watched);
    const bad = { ...application, signData: 'ff' };
    await assert.rejects(client.applyForCredential(bad), (error: ServiceError) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual(
        [error.code, error.status, error.requestId],
        ['signatureMalformed', 400, error.requestId],
      );
      assert.equal(error.errors[0].pointer, '/signData');
      assert.ok(error.requestId !== '' && error.hint !== '' && error.detail.includes('/signData'));
      return true;
    });
    service.replies.listTemplates = () => {
      throw new Fault('tooManyRequests', { retryAfterSeconds: 7 });
    };
    const isLimited = (error: ServiceError) => error.status === 429 && error.retryAfterSeconds === 7;
    await assert.rejects(client.listTemplates(), isLimited);
  });

  it('does not take anything else for a reply', async () => {
    const answering =
      (status: number, text: string): ServiceTransport =>
      async () => ({
        status,
        contentType: 'application/json',
        retryAfter: undefined,
        text,
      });
    const cases: [number, string, string][] = [
      [200, '<html>', 'unexpectedReply'],
      [200, '{"vcId":7,"status":"Pending"}', 'unexpectedReply'],
      [200, '{"vcId":"x","status":"Fine"}', 'unexpectedReply'],
      [502, '<html>', 'httpStatus'],
      [400, '{"error":"x"}', 'httpStatus'],
      [302, '{}', 'httpStatus'],
    ];
    for (const [status, text, code] of cases) {
      const client = createCredentialClient(answering(status, text));
      const isSdkError = (error: SdkError) => error instanceof SdkError && error.code === code;
      await assert.rejects(client.applyForCredential(application), isSdkError);
    }
    const dead = createCredentialClient('http://127.0.0.1:1');
    await assert.rejects(dead.applyForCredential(application), { code: 'unreachable' });
  });

  it('refuses keys that would break a header', async () => {
    assert.throws(() => createCredentialClient(service.base, { apiKey: 'a\r\nb' }), {
      code: 'invalidArgument',
    });
    assert.throws(() => createCredentialClient('ftp://x'), { code: 'invalidArgument' });
    const client = createCredentialClient(service.base, watched);
    for (const idempotencyKey of ['', 'a b', 'k'.repeat(300)]) {
      await assert.rejects(client.applyForCredential(application, { idempotencyKey }), {
        code: 'invalidArgument',
      });
    }
  });

  it('stops when its signal says so', async () => {
    const client = createCredentialClient(service.base, watched);
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(client.applyForCredential(application, { signal }), { message: 'enough' });
  });

  describe('sealed', () => {
    it('sends nothing in clear and reads the sealed answer', async () => {
      const client = createCredentialClient(service.base, { ...watched, sealed: true });
      assert.deepEqual(await client.applyForCredential(application), { vcId, status: 'Pending' });
      assert.equal(last().url, '/cred/v1/vc/enc/apply');
      assert.match(last().body, /^[A-Za-z0-9_-]+$/);
      assert.equal(last().headers.kid, 'first');
      const point = last().headers.x25519pubkey;
      const credential = await client.downloadCredential({ vcId, signVcId: signature });
      assert.deepEqual(credential, { id: vcId, name: 'Åsa' });
      assert.notEqual(last().headers.x25519pubkey, point, 'every request has a pair of its own');
      const asked = service.seen.filter(({ url }) => url === '/cred/v1/keys').length;
      assert.equal(asked, 1);
    });

    it('throws what the service says under the seal', async () => {
      const client = createCredentialClient(service.base, { ...watched, sealed: true });
      const bad = { ...application, signData: 'ff' };
      await assert.rejects(client.applyForCredential(bad), {
        name: 'ServiceError',
        code: 'signatureMalformed',
      });
    });

    it('fetches the keys again when they were replaced, and not when they were given', async () => {
      const client = createCredentialClient(service.base, { ...watched, sealed: true });
      const { kid, rsaPublicKeyPem, x25519PublicKey } = await service.layer.publicKeys();
      const keys = { kid, rsaPublicKeyPem, x25519PublicKey };
      const pinned = createCredentialClient(service.base, { sealed: { keys } });
      await client.applyForCredential(application);
      service.keys = [second, first];
      await client.applyForCredential(application);
      await pinned.applyForCredential(application);
      service.keys = [second];
      await client.applyForCredential(application);
      assert.equal(last().headers.kid, 'second');
      await assert.rejects(pinned.applyForCredential(application), { code: 'sealMalformed' });
    });

    it('trusts no answer that is not sealed for its request', async () => {
      const honest = httpServiceTransport(service.base);
      const other = await captureAnswer(honest);
      const changes: Record<string, (text: string) => string> = {
        'changed ciphertext': (text) =>
          `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`,
        'cut short': (text) => text.slice(0, -4),
        'clear text': () => JSON.stringify({ vcId, status: 'Pending' }),
        'answer to another request': () => other,
        empty: () => '',
      };
      for (const [what, change] of Object.entries(changes)) {
        const client = createCredentialClient(
          meddling(honest, (answer) => ({ ...answer, text: change(answer.text) })),
          {
            sealed: true,
          },
        );
        await assert.rejects(client.applyForCredential(application), { code: 'unexpectedReply' }, what);
      }
      const plain = meddling(honest, (answer) => ({
        ...answer,
        contentType: 'application/json',
        text: '{}',
      }));
      const client = createCredentialClient(plain, { sealed: true });
      await assert.rejects(client.applyForCredential(application), { code: 'unexpectedReply' });
    });

    it('says so when the keys cannot be used', async () => {
      const good = await service.layer.publicKeys();
      for (const bad of [
        { x25519PublicKey: 'z' },
        { rsaPublicKeyPem: 'no key' },
        { rsaPublicKeyPem: '-----BEGIN X-----AAAA' },
      ]) {
        const client = createCredentialClient(service.base, { sealed: { keys: { ...good, ...bad } } });
        await assert.rejects(client.applyForCredential(application), { code: 'unexpectedReply' });
      }
      const keyless: ServiceTransport = async () => ({
        status: 200,
        contentType: '',
        retryAfter: undefined,
        text: '{}',
      });
      const client = createCredentialClient(keyless, { sealed: true });
      await assert.rejects(client.applyForCredential(application), { code: 'unexpectedReply' });
    });
  });

  type Answer = Awaited<ReturnType<ServiceTransport>>;

  /** Changes answers to sealed requests on their way. */
  const meddling =
    (inner: ServiceTransport, change: (answer: Answer) => Answer): ServiceTransport =>
    async (request) => {
      const answer = await inner(request);
      return request.path.includes('/enc/') ? change(answer) : answer;
    };

  async function captureAnswer(inner: ServiceTransport): Promise<string> {
    let captured = '';
    const client = createCredentialClient(
      meddling(inner, (answer) => {
        captured = answer.text;
        return answer;
      }),
      { sealed: true },
    );
    await client.applyForCredential(application);
    return captured;
  }
});
