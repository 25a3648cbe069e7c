/**
 * `llms.txt`: what a language model, or anybody in a hurry, needs to work with Symbolon, in one text with links. One
 * for the root of a checkout, with commands and documents; one that a running service serves about itself. Both list
 * the routes of the tables. The commands and documents are found by whoever writes the file.
 */
import { ledgerRoutes } from '../ledger/routes.ts';
import { allRoutes } from './all-routes.ts';

export interface Named {
  readonly name: string;
  readonly about: string;
}

export interface LinkedDocument extends Named {
  /** From the root of the checkout. */
  readonly path: string;
}

const opening = [
  '# Symbolon',
  '',
  '> A ledger node and, on top of it, the verifiable-credential service that records to it. Credentials are signed with',
  '> BBS: a holder shows only what a verifier asks for. The ledger says who issued what and whether it still holds.',
  '',
];

const rules = [
  '## Rules that save time',
  '',
  '- Whole numbers are exact and may need 64 bits: read them as big integers, never as floating point.',
  '- Writing takes two steps: ask for a blob, sign its hex-decoded bytes with Ed25519, submit blob and signature.',
  '- An API key goes into `Authorization: Bearer` or `x-api-key`. It acts for one DID and has scopes.',
  '- `Idempotency-Key` makes a repeated POST harmless.',
  '- The service refuses with problem details: branch on `code`; `hint` says what to do, `help` leads to more.',
  '- The ledger answers status 200 with `error_code`; 0 is success.',
  '- Keys and seeds are never sent: sign where they are. The demo keys are public and worth nothing.',
  '',
];

const routeLines = (): string[] => [
  '## Routes of the credential service',
  '',
  ...Object.values(allRoutes).map(
    ({ method, path, summary }) => `- \`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\`: ${summary}`,
  ),
  '',
  '## Routes of the ledger node',
  '',
  'All under `/v1/…` by their last part, such as `/v1/account/getAccountBase?address=…`.',
  '',
  ...Object.entries(ledgerRoutes).map(([name, { summary }]) => `- \`${name}\`: ${summary}`),
];

const joined = (lines: readonly string[]): string => `${lines.join('\n').trimEnd()}\n`;

/** What a running service says about itself at `/llms.txt`; links are on the same host. */
export const serviceGuide = (): string =>
  joined([
    ...opening,
    'This is a running credential service. Paths are on this host.',
    '',
    '## Interface',
    '',
    '- [OpenAPI 3.1](/openapi.json): every route, request, reply and refusal',
    '- [The same as a page](/docs/)',
    '- [Errors](/docs/errors): what happened, why, what to do',
    '- [Ready or not](/readyz)',
    '',
    ...rules,
    ...routeLines(),
  ]);

/** The file at the root of a checkout. */
export function checkoutGuide({ commands, documents }: CheckoutParts): string {
  return joined([
    ...opening,
    '## Run it',
    '',
    '`npm start` starts everything with demo people; `npm test` tests everything. Needs Node 20.19 or newer.',
    '',
    '- Credential service: `http://127.0.0.1:8080`, its OpenAPI at `/openapi.json`, a page at `/docs`, this text about a',
    '  running service at `/llms.txt`',
    '- Ledger node: `http://127.0.0.1:36002`, its OpenAPI at `/openapi.json`, a page at `/docs`; WebSocket `ws://127.0.0.1:36003`',
    '- A busy port gives way to a free one, which is printed. Demo people with keys: `.symbolon/dev/demo.json`',
    '',
    '## Commands',
    '',
    'Each as `npm run symbolon -- COMMAND`, with `--help`, most with `--json`.',
    '',
    ...commands.map(({ name, about }) => `- \`${name}\`: ${about}`),
    '',
    '## Documents',
    '',
    ...documents.map(({ name, path, about }) => `- [${name}](${path}): ${about}`),
    '',
    ...rules,
    ...routeLines(),
  ]);
}

export interface CheckoutParts {
  readonly commands: readonly Named[];
  readonly documents: readonly LinkedDocument[];
}
