/**
 * Browsers as far as a service sees them: a browser keeps cookies for all of its tabs, a tab knows the id of its session,
 * and every request says where its page is from. Nothing here draws anything.
 */
import { isBrowserSessionId } from '@symbolon/wire/console/browser-session';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { type Answer, send } from './http.ts';

export interface TabRequest {
  readonly method?: string;
  readonly body?: JsonObject;
  readonly headers?: Record<string, string>;
}

export interface TabAnswer extends Answer {
  readonly body: JsonObject;
}

export interface Tab {
  /** What `sessionStorage` has. */
  session: string | undefined;
  call(path: string, request?: TabRequest): Promise<TabAnswer>;
  /** Signs in, and keeps the id. */
  signIn(body: JsonObject): Promise<TabAnswer>;
}

export interface Browser {
  /** By name. */
  readonly cookies: Map<string, string>;
  /** As they were last set, attributes and all. */
  readonly setCookies: string[];
  tab(): Tab;
}

const jsonOf = (answer: Answer): JsonObject =>
  /json/.test(answer.headers['content-type'] ?? '') ? (parseJson(answer.text) as JsonObject) : {};

export function openBrowser(url: string): Browser {
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];

  const keep = (given: readonly string[] = []): void => {
    setCookies.push(...given);
    for (const line of given) {
      const [pair = '', ...attributes] = line.split('; ');
      const mark = pair.indexOf('=');
      if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, mark));
      else cookies.set(pair.slice(0, mark), pair.slice(mark + 1));
    }
  };

  const tab = (): Tab => {
    const own: Tab = {
      session: undefined,
      async call(path, { method = 'GET', body, headers = {} } = {}) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await send(`${url}${path}`, {
          method,
          ...(body && { body: stringifyJson(body) }),
          headers: {
            host: new URL(url).host,
            'sec-fetch-site': 'same-origin',
            ...(method !== 'GET' && { origin: url }),
            ...(cookie !== '' && { cookie }),
            ...(own.session !== undefined && { 'x-symbolon-session': own.session }),
            ...headers,
          },
        });
        keep(answer.headers['set-cookie']);
        return { ...answer, body: jsonOf(answer) };
      },
      async signIn(body) {
        own.session = undefined;
        const answer = await own.call('/console/session', { method: 'POST', body });
        const { session } = answer.body;
        if (typeof session === 'string' && isBrowserSessionId(session)) own.session = session;
        return answer;
      },
    };
    return own;
  };
  return { cookies, setCookies, tab };
}
