/**
 * `/docs`: the interface as a page to read and try, made by Scalar from `/openapi.json`. The page asks nobody but this
 * server: all that it could fetch elsewhere is switched off, and its policy forbids the browser the rest. The viewer is
 * large, so it is loaded when somebody looks for the first time. `/docs/errors` is the catalogue of errors as one plain
 * page: the link `help` of every refusal leads to an anchor of it.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type ErrorEntry,
  faultEntries,
  ledgerEntries,
  paymentReasons,
} from '@symbolon/wire/openapi/error-catalogue';
import { type FastifyInstance, fastify } from 'fastify';
import {
  contentPolicy,
  escaped,
  type HtmlPage,
  hashSource,
  plainPage,
  prose,
  sendPage,
} from './html-page.ts';
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

interface Viewer extends HtmlPage {
  readonly script: string;
  readonly packedScript: Buffer;
}

export function serveDocs(app: FastifyInstance): void {
  let viewer: Promise<Viewer> | undefined;
  const load = () => {
    viewer ??= loadViewer();
    return viewer;
  };

  let errors: HtmlPage | undefined;
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

const section = ({ anchor, name, marks, what, why, remedy }: ErrorEntry): string =>
  `<section id="${escaped(anchor)}">
<h3>${escaped(name)}</h3>
<p><small>${marks.map(escaped).join(' · ')}</small></p>
<p><strong>${prose(what)}</strong> ${prose(why)}</p>
<p>What to do: ${prose(remedy)}</p>
</section>`;

const paymentRow = ([word, number]: readonly [string, string]): string =>
  `<tr><td><code>${escaped(word)}</code></td><td>${escaped(number)}</td></tr>`;

/** The catalogue of errors. */
const errorPage = (): HtmlPage =>
  plainPage(
    'Errors',
    `<p>What happened, why, and what to do. <a href="./">The interface</a></p>
<h2>The credential service</h2>
${faultEntries().map(section).join('\n')}
<h2>Reasons of payments</h2>
<table>
<tr><th>Word</th><th>Family number</th></tr>
${paymentReasons().map(paymentRow).join('\n')}
</table>
<h2>The ledger</h2>
${ledgerEntries().map(section).join('\n')}`,
  );
