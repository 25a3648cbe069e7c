/**
 * `/docs`: the interface as a page to read and try, made by Scalar from `/openapi.json`. The page asks nobody but this
 * server: all that it could fetch elsewhere is switched off, and its policy forbids the browser the rest. The viewer is
 * large, so it is loaded when somebody looks for the first time. `/docs/errors` is the catalogue of errors as one plain
 * page: the link `help` of every refusal leads to an anchor of it.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type ErrorEntry,
  faultEntries,
  ledgerEntries,
  paymentReasons,
} from '@symbolon/wire/openapi/error-catalogue';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { publicPage } from './operator-pages.ts';

/** Nothing from outside: no fonts, no telemetry, no proxy, no assistant, no links to the maker's tools. */
const viewerSettings = {
  url: '../openapi.json',
  pageTitle: 'Interface',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const;

/** A page and the policy under which a browser shows it. */
interface Page {
  readonly page: string;
  readonly policy: string;
}

interface Viewer extends Page {
  readonly script: string;
  readonly packedScript: Buffer;
}

export function serveDocs(app: FastifyInstance): void {
  let viewer: Promise<Viewer> | undefined;
  const load = () => {
    viewer ??= loadViewer();
    return viewer;
  };

  let errors: Page | undefined;
  app.get('/docs/errors', publicPage, (_request, reply) => {
    errors ??= errorPage();
    return sendPage(reply, errors);
  });
  app.get('/docs', publicPage, (_request, reply) => reply.code(308).header('location', 'docs/').send());
  app.get('/docs/', publicPage, async (_request, reply) => sendPage(reply, await load()));
  app.get('/docs/js/scalar.js', publicPage, async (request, reply) => {
    const { script, packedScript } = await load();
    const isPacked = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    reply.header('cache-control', 'private, max-age=3600').header('vary', 'accept-encoding');
    if (isPacked) reply.header('content-encoding', 'gzip');
    return reply.type('text/javascript; charset=utf-8').send(isPacked ? packedScript : script);
  });
}

/** The viewer is a plugin for a server; a server of its own hands over what it would serve. */
async function loadViewer(): Promise<Viewer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const source = fastify();
  await source.register(scalar, { routePrefix: '/docs', configuration: viewerSettings });
  const [{ body: page }, { body: script }] = await Promise.all([
    source.inject('/docs/'),
    source.inject('/docs/js/scalar.js'),
  ]);
  await source.close();
  const packedScript = await promisify(gzip)(script);
  return { page, script, packedScript, policy: viewerPolicy(page) };
}

const sendPage = (reply: FastifyReply, { page, policy }: Page): FastifyReply =>
  reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);

/** Nothing from anywhere but what is named. */
const contentPolicy = (...allowed: readonly string[]): string =>
  ["default-src 'none'", ...allowed, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(
    '; ',
  );

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Scripts run when they come from this server or are the page's own, known by their hashes. */
function viewerPolicy(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, text]) => hashSource(text as string));
  return contentPolicy(
    `script-src 'self' ${hashes.join(' ')}`,
    // The viewer sets the styles of its own elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
  );
}

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h3 { margin-bottom: 0; } p { margin: 0.25rem 0; } small { color: #595959; }
:target { background: #fff3bf; } code { font-family: ui-monospace, monospace; }
@media (prefers-color-scheme: dark) {
  body { background: #16181d; color: #e6e6e6; } small { color: #a8a8a8; } a { color: #8ab4f8; }
  :target { background: #4a3f12; }
}
`;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => escapes[letter] as string);
const prose = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const section = ({ anchor, name, marks, what, why, remedy }: ErrorEntry): string =>
  `<section id="${escaped(anchor)}">
<h3>${escaped(name)}</h3>
<p><small>${marks.map(escaped).join(' · ')}</small></p>
<p><strong>${prose(what)}</strong> ${prose(why)}</p>
<p>What to do: ${prose(remedy)}</p>
</section>`;

const paymentRow = ([word, number]: readonly [string, string]): string =>
  `<tr><td><code>${escaped(word)}</code></td><td>${escaped(number)}</td></tr>`;

/** The catalogue of errors, without a script and without anything from elsewhere. */
function errorPage(): Page {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Errors</title>
<style>${style}</style>
</head>
<body>
<h1>Errors</h1>
<p>What happened, why, and what to do. <a href="../">The interface</a></p>
<h2>The credential service</h2>
${faultEntries().map(section).join('\n')}
<h2>Reasons of payments</h2>
<table>
<tr><th>Word</th><th>Family number</th></tr>
${paymentReasons().map(paymentRow).join('\n')}
</table>
<h2>The ledger</h2>
${ledgerEntries().map(section).join('\n')}
</body>
</html>
`;
  return { page, policy: contentPolicy(`style-src ${hashSource(style)}`) };
}
