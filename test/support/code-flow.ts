/**
 * The authorization code flow of OpenID4VCI over HTTP alone: a wallet that pushes its request, a browser that keeps cookies
 * and follows where it is sent, and an issuer's login page on a server of its own. Every step is a function, so that a test
 * can spoil it.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { JsonObject } from '@symbolon/wire/json/json';
import { send } from './http.ts';
import type { Owner } from './owner.ts';
import {
  dpopProof,
  makeWalletKey,
  postForm,
  type Reach,
  type WalletAnswer,
  type WalletKey,
  walletFor,
} from './raw-wallet.ts';
import { getService, postService, type ServiceAnswer } from './service-http.ts';
import { fewValues, type Issuer, signBlob } from './service-steps.ts';

export const codeFlowPaths = {
  login: '/cred/v1/oid4vci/login',
  read: '/cred/v1/oid4vci/authorizations/read',
  confirm: '/cred/v1/oid4vci/authorizations/confirm',
  sign: '/cred/v1/oid4vci/offers/sign',
} as const;

const random = (): string => randomBytes(32).toString('base64url');

export interface Landing {
  readonly status: number;
  /** Where it was sent to last; empty where it was sent nowhere. */
  readonly location: string;
  readonly body: JsonObject;
}

/** Cookies go to every port of a machine, as those of browsers do. */
export function openBrowser() {
  const cookies = new Map<string, string>();
  const browser = {
    cookies,
    /** One step, wherever it leads. */
    async visit(url: string): Promise<Landing> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const { status, headers, text } = await send(url, { headers: cookie === '' ? {} : { cookie } });
      for (const given of headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(given) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const isJson = (headers['content-type'] ?? '').includes('json');
      return {
        status,
        location: headers.location ?? '',
        body: isJson ? (JSON.parse(text) as JsonObject) : {},
      };
    },
    /** On and on, until it is sent to the wallet or nowhere. */
    async follow(url: string): Promise<Landing> {
      let landing = await browser.visit(url);
      while (landing.status === 303 && landing.location.startsWith('http://127.0.0.1'))
        landing = await browser.visit(landing.location);
      return landing;
    },
  };
  return browser;
}

export type Browser = ReturnType<typeof openBrowser>;

/** What stands behind an issuer's login page. */
function loginDesk(url: string, issuer: Issuer) {
  const page = {
    loginUrl: '',
    /** What is said of whoever comes; changed by a test. */
    decision: {} as object,
    /** References that browsers came with. */
    references: [] as string[],
  };
  return Object.assign(page, {
    confirm: (reference: string, more: object = {}): Promise<ServiceAnswer> => {
      const granted = { decision: 'grant', metadata: fewValues, validUntil: '2099-12-31' };
      const order = { reference, ...granted, ...page.decision, ...more };
      return postService(url, codeFlowPaths.confirm, order as JsonObject, issuer);
    },
    read: (reference: string): Promise<ServiceAnswer> =>
      postService(url, codeFlowPaths.read, { reference }, issuer),
    sign: ({ offerId, ed25519Blob }: JsonObject): Promise<ServiceAnswer> =>
      postService(url, codeFlowPaths.sign, { offerId, signData: signBlob(issuer, ed25519Blob) }, issuer),
    set: (templateIds: readonly string[], loginUrl: string = page.loginUrl): Promise<ServiceAnswer> =>
      postService(url, codeFlowPaths.login, { loginUrl, templateIds: [...templateIds] }, issuer),
    remove: (): Promise<ServiceAnswer> =>
      getService(url, codeFlowPaths.login, { ...issuer, method: 'DELETE' }),
  });
}

/** An issuer's own place: a page where whoever comes is logged in at once. */
export async function openLogin(owner: Owner, url: string, issuer: Issuer) {
  const place = loginDesk(url, issuer);
  const server = createServer((request, response) => {
    const reference = new URL(request.url ?? '', place.loginUrl).searchParams.get('reference') ?? '';
    place.references.push(reference);
    void place.confirm(reference).then(async ({ body }) => {
      if (body.ed25519Blob !== undefined) await place.sign(body);
      response.writeHead(303, { location: String(body.continueUrl) }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.after(() => void server.close());
  place.loginUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}/login?tenant=1`;
  return place;
}

export interface CodeWalletOrder {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly configuration: string;
  readonly dpop?: WalletKey;
  /** How the client shows who it is, anew for each request. */
  readonly authenticate?: () => Readonly<Record<string, string>>;
  readonly reach?: Reach;
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Without those that a test has taken out. */
const given = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

export function codeWallet(issuer: string, order: CodeWalletOrder) {
  const { clientId, redirectUri, configuration, dpop = makeWalletKey(), authenticate = () => ({}) } = order;
  const { reach = (address: string) => address } = order;
  const verifier = random();
  const state = random();
  const base = walletFor(
    { issuer, configurations: [configuration], code: '', txCode: undefined },
    { dpop, reach },
  );
  const wallet = {
    ...base,
    ...{ verifier, state, redirectUri },
    push: (more: Fields = {}, headers: Record<string, string> = {}): Promise<WalletAnswer> =>
      postForm(
        reach(base.at('par')),
        given({
          ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state },
          ...{ scope: configuration, code_challenge_method: 'S256' },
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          ...authenticate(),
          ...more,
        }),
        headers,
      ),
    address: (requestUri: unknown, client = clientId): string =>
      `${reach(base.at('authorize'))}?${new URLSearchParams({ client_id: client, request_uri: String(requestUri) })}`,
    /** Where the browser goes first, for a request that was pushed. */
    async pushed(more: Fields = {}): Promise<string> {
      const { status, body } = await wallet.push(more);
      assert.equal(status, 201, JSON.stringify(body));
      return wallet.address(body.request_uri);
    },
    /** What the browser brings back. */
    answer({ location }: Landing): Readonly<Record<string, string>> {
      assert.ok(location.startsWith(redirectUri + (redirectUri.includes('?') ? '&' : '?')), location);
      return Object.fromEntries(new URL(location).searchParams);
    },
    /** The whole way to a code. */
    async code(more: Fields = {}, browser: Browser = openBrowser()): Promise<string> {
      const { code, state: returned, iss } = wallet.answer(await browser.follow(await wallet.pushed(more)));
      assert.deepEqual([returned, iss], [state, issuer]);
      return code;
    },
    redeem: (code: string, more: Fields = {}, key: WalletKey | undefined = dpop): Promise<WalletAnswer> =>
      postForm(
        reach(base.at('token')),
        given({
          ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
          ...{ redirect_uri: redirectUri, client_id: clientId },
          ...authenticate(),
          ...more,
        }),
        key ? { dpop: dpopProof(key, { url: base.at('token') }) } : {},
      ),
    /** Keys proved as a client that has said who it is must prove them. */
    named: (keys: readonly WalletKey[]) => base.proofs(keys, { claims: { iss: clientId } }),
  };
  return wallet;
}
