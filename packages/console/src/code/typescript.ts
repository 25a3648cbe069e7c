/** Requests and acts as programs on the SDK. A key comes from a file, what is secret from the environment. */
import type { JsonValue } from '@symbolon/wire/json/json';
import { openPlace } from './fill-ins.ts';
import type { SampleCall } from './sample-call.ts';
import { type Style, written } from './written.ts';

/** A program: whom it asks, what it takes of the SDK, and what it does with `client`, `ledger` and `signer`. */
export interface SampleProgram {
  readonly asks: readonly ('service' | 'ledger')[];
  readonly needsKey?: boolean;
  readonly signs?: boolean;
  readonly uses?: readonly string[];
  readonly lines: string;
}

const quoted = (text: string): string =>
  /[\n\r\u2028\u2029]/.test(text)
    ? JSON.stringify(text)
    : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const environment = (variable: string): string => `process.env.${variable} ?? ''`;

export const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

const styleOf = (isOpen: Style['isOpen'], kindOf: (name: string) => string | undefined): Style => ({
  member: memberName,
  text: quoted,
  secret: environment,
  open: (name) => `'${openPlace(name)}'${kindOf(name) === 'other' ? ' as never' : ''}`,
  isOpen,
});

/** A value of an act, in which nothing is left open. */
export const literalOf = (value: JsonValue, indent = ''): string =>
  written(
    value,
    styleOf(
      () => false,
      () => undefined,
    ),
    indent,
  );

export function programOfCall(call: SampleCall): SampleProgram {
  const { server, name, needsKey, isStream, given, open, isOpen } = call;
  const style = styleOf(isOpen, (one) => open.missing.get(one));
  const headers = Object.fromEntries(open.headers.map((one) => [one, '']));
  const withHeaders = open.headers.length > 0;
  const parts = [
    ...(given !== undefined || withHeaders ? [written(given ?? {}, style)] : []),
    ...(withHeaders ? [written({ headers }, { ...style, isOpen: (one) => one in headers })] : []),
  ];
  const asked = `${server === 'service' ? 'client' : 'ledger'}.${name}(${parts.join(', ')})`;
  return {
    asks: [server],
    needsKey,
    lines: isStream
      ? `for await (const event of ${asked})\n  console.log(event);`
      : `const reply = await ${asked};\nconsole.log(reply);`,
  };
}

const signerLines = [
  'const signer = await signerFromKeyFile(',
  `  readFileSync('key.json', 'utf8'),`,
  `  ${environment('SYMBOLON_KEY_PASSWORD')},`,
  ');',
];

export function typescriptText(program: SampleProgram, origin: string): string {
  const { asks, needsKey = false, signs = false, uses = [], lines } = program;
  const names = [
    ...uses,
    ...(asks.includes('service') ? ['createCredentialClient'] : []),
    ...(asks.includes('ledger') ? ['createLedgerClient', 'httpTransport'] : []),
    ...(signs ? ['signerFromKeyFile'] : []),
  ].toSorted();
  const key = needsKey ? `, {\n  apiKey: ${environment('SYMBOLON_API_KEY')},\n}` : '';
  return [
    ...(/\breadFileSync\b/.test(lines) || signs ? [`import { readFileSync } from 'node:fs';`] : []),
    importLine(names),
    '',
    ...(asks.includes('service') ? [`const client = createCredentialClient(${quoted(origin)}${key});`] : []),
    ...(asks.includes('ledger')
      ? [`const ledger = createLedgerClient(\n  httpTransport(${quoted(`${origin}/ledger`)}),\n);`]
      : []),
    ...(signs ? signerLines : []),
    lines,
  ].join('\n');
}

const importMax = 72;

function importLine(names: readonly string[]): string {
  const line = `import { ${names.join(', ')} } from '@symbolon/sdk';`;
  return line.length <= importMax ? line : `import {\n  ${names.join(',\n  ')},\n} from '@symbolon/sdk';`;
}
