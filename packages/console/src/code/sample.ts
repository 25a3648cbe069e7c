/**
 * A request as code: curl, TypeScript on the SDK, and a command. All of it comes from the route tables, so a sample
 * cannot drift from what is served. Nothing secret is ever put in: an API key is `$SYMBOLON_API_KEY`, and what a member
 * of a body would carry in secret is named as a variable, too.
 */
import type { ServiceRoute } from '@symbolon/wire/http/service-route';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import type { CodeRequest } from './code-request.ts';
import { commandOf } from './commands.ts';

export interface CodeSample {
  readonly curl: string;
  readonly typescript: string;
  /** Undefined where the command line has none for it. */
  readonly cli: string | undefined;
}

/** `origin`: where the service is; the ledger is asked through it. */
export function sampleOf(request: CodeRequest, origin: string): CodeSample {
  const call = request.server === 'service' ? serviceCall(request) : ledgerCall(request);
  return {
    curl: curlText(call, origin),
    typescript: typescriptText(call, origin),
    cli: commandOf(request),
  };
}

interface Call {
  readonly server: CodeRequest['server'];
  readonly name: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly needsKey: boolean;
  readonly isStream: boolean;
  readonly given: JsonObject | undefined;
  readonly body: JsonObject | undefined;
}

function serviceCall({ route: name, given = {} }: Extract<CodeRequest, { server: 'service' }>): Call {
  const route: ServiceRoute = allRoutes[name];
  const { path, rest } = route.body ? { path: route.path, rest: {} } : fillPath(route.path, given);
  return {
    server: 'service',
    name,
    method: route.method,
    path: `${path}${queryOf(rest)}`,
    needsKey: route.access === 'key',
    isStream: route.lastEvent !== undefined,
    given: Object.keys(given).length === 0 ? undefined : given,
    body: route.body ? given : undefined,
  };
}

function ledgerCall({ route: name, given = {} }: Extract<CodeRequest, { server: 'ledger' }>): Call {
  const hasBody = 'body' in ledgerRoutes[name] && ledgerRoutes[name].body !== undefined;
  return {
    server: 'ledger',
    name,
    method: hasBody ? 'POST' : 'GET',
    path: `/ledger/${name}${hasBody ? '' : queryOf(given)}`,
    needsKey: false,
    isStream: false,
    given: Object.keys(given).length === 0 ? undefined : given,
    body: hasBody ? given : undefined,
  };
}

function fillPath(path: string, given: JsonObject): { readonly path: string; readonly rest: JsonObject } {
  const rest: Record<string, JsonValue> = { ...given };
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return value === undefined ? `{${name}}` : encodeURIComponent(String(value));
  });
  return { path: filled, rest };
}

function queryOf(given: JsonObject): string {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

/** Members whose values no sample shows, whatever they are called in which document. */
const secretMember = /^(private_?keys?|api_?key|.*password|secret.*|seed|pin|mnemonic|bbsPrivateKey)$/i;

/** `privateKey` as a variable of a shell: `SYMBOLON_PRIVATE_KEY`. */
const variableOf = (member: string): string =>
  `SYMBOLON_${member.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()}`;

/** A value as text, with another way to write down what is secret. */
function written(
  value: JsonValue,
  style: { readonly secret: (name: string) => string; readonly member: (name: string) => string },
  indent: string,
): string {
  if (value === null || typeof value !== 'object') return literal(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => written(item, style, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => {
          const text = secretMember.test(name)
            ? style.secret(variableOf(name))
            : written(item as JsonValue, style, inner);
          return `${style.member(name)}: ${text}`;
        });
  const [open, close] = isList ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  const gap = isList ? '' : ' ';
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`;
  return line.length + indent.length <= lineMax && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`;
}

const lineMax = 58;

const literal = (value: Exclude<JsonValue, object>): string =>
  typeof value === 'bigint' ? `${value}` : JSON.stringify(value);

/** In single quotes, in which a shell changes nothing. */
const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A mark that no value can hold, for the place where a shell puts in a variable. */
const gapMark = '\u0000';

function curlText({ method, path, needsKey, isStream, body }: Call, origin: string): string {
  const words = [`curl${isStream ? ' --no-buffer' : ''} ${shellText(`${origin}${path}`)}`];
  if (method !== 'GET' && body === undefined) words.push(`-X ${method}`);
  if (needsKey) words.push(`-H "authorization: Bearer $SYMBOLON_API_KEY"`);
  if (body !== undefined) {
    const style = { secret: (name: string) => `"${gapMark}${name}${gapMark}"`, member: JSON.stringify };
    const text = shellText(written(body, style, ''));
    words.push(`-H 'content-type: application/json'`);
    words.push(`-d ${text.replaceAll(new RegExp(`${gapMark}(\\w+)${gapMark}`, 'g'), `'"$$$1"'`)}`);
  }
  return words.join(' \\\n  ');
}

function typescriptText({ server, name, needsKey, isStream, given }: Call, origin: string): string {
  const style = {
    secret: (variable: string) => `process.env.${variable}`,
    member: (member: string) => (/^[A-Za-z_$][\w$]*$/.test(member) ? member : quoted(member)),
  };
  const argument = given === undefined ? '' : singleQuoted(written(given, style, ''));
  const address = quoted(server === 'service' ? origin : `${origin}/ledger`);
  const head =
    server === 'service'
      ? [
          `import { createCredentialClient } from '@symbolon/sdk';`,
          '',
          needsKey
            ? `const client = createCredentialClient(${address}, {\n  apiKey: process.env.SYMBOLON_API_KEY,\n});`
            : `const client = createCredentialClient(${address});`,
        ]
      : [
          `import { createLedgerClient, httpTransport } from '@symbolon/sdk';`,
          '',
          `const client = createLedgerClient(\n  httpTransport(${address}),\n);`,
        ];
  const call = isStream
    ? `for await (const event of client.${name}(${argument}))\n  console.log(event);`
    : `const reply = await client.${name}(${argument});`;
  return [...head, call].join('\n');
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Texts in JSON's quotes, in the house's own where nothing in them minds. */
const singleQuoted = (text: string): string =>
  text.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (whole, inside: string) =>
    /['\\]/.test(inside) ? whole : `'${inside}'`,
  );
