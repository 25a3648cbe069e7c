/**
 * `/docs`: the interface as a page to read and try, made by Scalar from `/openapi.json`. The page asks nobody but this
 * server: all that it could fetch elsewhere is switched off, and its policy forbids the browser the rest. The viewer is
 * large, so it is loaded when somebody looks for the first time. `/docs/errors` is the catalogue of errors.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { errorPage } from './error-page.ts';
import { publicPlace } from './plain-hooks.ts';

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

interface Viewer {
  readonly page: string;
  readonly policy: string;
  readonly script: string;
  readonly packedScript: Buffer;
}

export function serveDocs(app: FastifyInstance): void {
  let viewer: Promise<Viewer> | undefined;
  const load = () => {
    viewer ??= loadViewer();
    return viewer;
  };

  let errors: ReturnType<typeof errorPage> | undefined;
  app.get('/docs/errors', publicPlace, (_request, reply) => {
    errors ??= errorPage();
    const { page, policy } = errors;
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
  });
  app.get('/docs', publicPlace, (_request, reply) => reply.code(308).header('location', 'docs/').send());
  app.get('/docs/', publicPlace, async (_request, reply) => {
    const { page, policy } = await load();
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
  });
  app.get('/docs/js/scalar.js', publicPlace, async (request, reply) => {
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
  return { page, script, packedScript, policy: policyOf(page) };
}

/** Scripts run when they come from this server or are the page's own, known by their hashes. */
function policyOf(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(
    ([, text]) =>
      `'sha256-${createHash('sha256')
        .update(text as string)
        .digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    // The viewer sets the styles of its own elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
