/**
 * A node and service that answer every route as its schema says, with a text in every field that tries to move the
 * reader's cursor, hide, reorder, or write lines of its own. Made from the route tables, so that a new field is hostile
 * from its first day on.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceRoute } from '@symbolon/wire/http/service-route';
import { type JsonObject, type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { z } from 'zod';
import { serveHostileSocket } from './hostile-socket.ts';
import type { Owner } from './owner.ts';

/** Begins every line that a server would forge. */
export const forgedWord = 'FORGED';

/** One of each kind: CSI, OSC, DCS, C1, direction, invisible, half and private characters, and line ends. */
export const hostileText = [
  'nice\r\n',
  `${forgedWord} VERIFIED\n`,
  `${forgedWord}\u2028${forgedWord}\u0085${forgedWord}`,
  `\u001b[32m${forgedWord}\u001b[39m`,
  '\u001b[2J\u001b]0;title\u0007\u001bP+q\u001b\\\u009b31m\u0008\u007f',
  '\u202egnp\u2066\u200b\ufeff\u00ad\u3164\u{e0041}\u{f0000}',
  String.fromCharCode(0xd800),
].join('');

/** Everything but what people can see, and our own line ends. */
const unprintable = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The colours that the product uses, and the beginning of a bar that is drawn again. */
const escapeCode = '\u001b';
const ownSequences = new RegExp(`${escapeCode}\\[(?:1|2|22|31|32|39)m|^\\r`, 'gm');
const forgedColour = new RegExp(`${escapeCode}\\[[0-9;]*m\\s*${forgedWord}`);

/** What is wrong with a text that was printed: nothing of a server's moves anything, or begins a line or a colour. */
export function printedProblems(text: string, { isTerminal = false } = {}): readonly string[] {
  const plain = isTerminal ? text.replace(ownSequences, '') : text;
  const found = unprintable.exec(plain)?.[0].codePointAt(0)?.toString(16);
  const isForged = plain.split('\n').some((line) => line.trimStart().startsWith(forgedWord));
  const isColoured = forgedColour.test(text);
  return [
    ...(found === undefined ? [] : [`U+${found}`]),
    ...(isForged ? ['a forged line'] : []),
    ...(isColoured ? ['a forged colour'] : []),
  ];
}

/** What fields of a fixed form hold: the first that fits is taken. */
const plainTexts = [
  hostileText,
  'ab'.repeat(32),
  `did:zid:${'ab'.repeat(32)}`,
  '2030-01-31T12:00:00Z',
  '2030-01-31',
  'https://verifier.example',
  '1.0.0',
  '1',
  'a',
];

type Schema = { readonly [Name in string]?: unknown } & {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly $ref?: string;
};

function sampleOf(schema: Schema, root: Schema, depth = 0): JsonValue {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) as string;
    const found = (root.$defs as Record<string, Schema> | undefined)?.[name];
    return found && depth < 12 ? sampleOf(found, root, depth + 1) : {};
  }
  if ('const' in schema) return schema.const as JsonValue;
  if (Array.isArray(schema.enum)) return schema.enum[0] as JsonValue;
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return sampleOf(choice, root, depth);
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, root, depth) as JsonObject));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'string') {
    const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern, 'u') : /^/;
    return plainTexts.find((text) => pattern.test(text)) ?? hostileText;
  }
  if (type === 'integer' || type === 'number')
    return Number(schema.minimum ?? 1) > 1 ? Number(schema.minimum) : 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'array')
    return schema.prefixItems
      ? schema.prefixItems.map((item) => sampleOf(item, root, depth + 1))
      : schema.items?.not === undefined
        ? [sampleOf(schema.items ?? {}, root, depth + 1)]
        : [];
  if (type !== 'object') return { [hostileText]: hostileText, type: ['a', hostileText] };
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [
    name,
    sampleOf(member, root, depth + 1),
  ]);
  const more =
    typeof schema.additionalProperties === 'object'
      ? [[hostileText, sampleOf(schema.additionalProperties, root, depth + 1)]]
      : [];
  return Object.fromEntries([...members, ...more]) as JsonObject;
}

export function hostileReply(reply: z.ZodType): JsonObject {
  const schema = z.toJSONSchema(reply, { io: 'input', unrepresentable: 'any' }) as Schema;
  return sampleOf(schema, schema) as JsonObject;
}

const problem = {
  type: hostileText,
  title: hostileText,
  status: 400,
  code: hostileText,
  detail: hostileText,
  errors: [{ pointer: hostileText, detail: hostileText }],
  hint: hostileText,
  requestId: hostileText,
};

const knownProblem = { ...problem, code: 'requestMalformed' };
const refusal = { error_code: 151, error_desc: hostileText, result: hostileText };

/** How it answers: as the schemas say, with refusals, or with no JSON at all. */
export type Temper = 'reply' | 'refusal' | 'known refusal' | 'nonsense';

export interface HostileServer {
  readonly url: string;
  /** Of its WebSocket. */
  readonly socketUrl: string;
  temper: Temper;
  /** Paths that were asked for. */
  readonly asked: Set<string>;
}

export async function startHostileServer(owner: Owner): Promise<HostileServer> {
  const state: { url: string; socketUrl: string; temper: Temper; asked: Set<string> } = {
    url: '',
    socketUrl: '',
    temper: 'reply',
    asked: new Set(),
  };
  const server = createServer((request, answer) => {
    request.resume();
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    state.asked.add(pathname);
    const service = serviceRoute(request, pathname);
    const node = ledgerRoutes[pathname.split('/').at(-1) as keyof typeof ledgerRoutes];
    if (state.temper === 'nonsense') return void answer.writeHead(200).end(hostileText);
    if (state.temper !== 'reply') {
      const body = node ? refusal : state.temper === 'refusal' ? problem : knownProblem;
      const type = node ? 'application/json' : 'application/problem+json';
      return void answer.writeHead(node ? 200 : 400, { 'content-type': type }).end(stringifyJson(body));
    }
    if (service?.lastEvent !== undefined) {
      const event = `event: ${service.lastEvent || 'message'}\ndata: ${stringifyJson(hostileReply(service.reply))}\n\n`;
      return void answer.writeHead(200, { 'content-type': 'text/event-stream' }).end(event);
    }
    const route = service ?? node;
    if (!route) return void answer.writeHead(503).end(hostileText);
    const reply = hostileReply(route.reply);
    const body = service?.envelope ? service.envelope.success(reply) : withoutCode(reply);
    answer.writeHead(200, { 'content-type': 'application/json' }).end(stringifyJson(body));
  });
  serveHostileSocket(server, { text: hostileText.toWellFormed(), refuses: () => state.temper !== 'reply' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  state.url = `http://127.0.0.1:${port}`;
  state.socketUrl = `ws://127.0.0.1:${port}/`;
  return state;
}

/** A node that says it did what it was asked for. */
const withoutCode = (reply: JsonObject): JsonObject =>
  'error_code' in reply ? { ...reply, error_code: 0 } : reply;

function serviceRoute({ method }: IncomingMessage, pathname: string): ServiceRoute | undefined {
  return Object.values(allRoutes as Readonly<Record<string, ServiceRoute>>).find(
    (route) =>
      route.method === method &&
      [route.path, ...(route.aliases ?? [])].some((path) =>
        new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`).test(pathname),
      ),
  );
}
