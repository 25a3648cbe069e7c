/**
 * The web console over HTTP: one page under every path of its navigation, its files, and a place where browsers report
 * what the page's policy has kept them from. The page asks nobody but this server, runs nothing but what it serves, and
 * no other page can frame it or hold on to its window.
 */
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { consoleFileLimits } from '../limits/server-limits.ts';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';

const reportsPath = '/console/policy-reports';

const contentPolicyText = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  // At once and in every browser; what is to replace it gathers reports first.
  `report-uri ${reportsPath}`,
].join('; ');

/**
 * Everything that a page could ask a device for, and that the console has no use for, is off. Features that browsers have
 * under no such name, Bluetooth among them, only make them complain.
 */
const permissions = [
  'camera=(self)',
  'clipboard-write=(self)',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
  ...[
    'accelerometer',
    'autoplay',
    'browsing-topics',
    'clipboard-read',
    'display-capture',
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'screen-wake-lock',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ].map((feature) => `${feature}=()`),
].join(', ');

/** Of every file: a worker is held to the policy of its own script. */
const fileHeaders = {
  'content-security-policy': contentPolicyText,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;

/** Paths of the console beside `/`; what is served under one of them otherwise stays what it is. */
const pagePaths = [
  '/issue',
  '/issue/*',
  '/wallet',
  '/wallet/*',
  '/verify',
  '/verify/*',
  '/ledger',
  '/ledger/*',
  '/lab',
  '/lab/*',
  '/dev',
  '/dev/*',
  '/parts',
] as const;

export interface ConsoleOptions {
  readonly files: ConsoleFiles;
  /** Told of every report of a browser, by what was kept from happening. */
  readonly onReport: (count: number) => void;
}

interface ConsoleMount extends ConsoleOptions {
  /** What the framework is told of pages that everybody may open. */
  readonly page: RouteShorthandOptions;
  /** Whether a request wants a page, rather than what programs read. */
  readonly wantsPage: (accept: string | undefined) => boolean;
}

export function serveConsole(app: FastifyInstance, { files, onReport, page, wantsPage }: ConsoleMount): void {
  const answerPage = (request: FastifyRequest, reply: FastifyReply): void => {
    if (wantsPage(request.headers.accept)) sendConsolePage(request, reply, files);
    else reply.header('vary', 'accept, origin').callNotFound();
  };
  for (const path of pagePaths) app.get(path, page, answerPage);
  for (const [path, file] of files.files)
    app.get(path, page, (request, reply) => sendFile(request, reply, file));
  app.post(reportsPath, { bodyLimit: consoleFileLimits.reportBytesMax }, ({ body }, reply) => {
    onReport(reportsIn(body));
    return reply.code(204).send();
  });
}

export function sendConsolePage(
  request: FastifyRequest,
  reply: FastifyReply,
  { index }: ConsoleFiles,
): FastifyReply {
  return sendFile(request, reply, index);
}

const yearSeconds = 31_536_000;

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const { contentType, bytes, packed, tag, isLasting } = file;
  reply
    .headers(fileHeaders)
    .header('cache-control', isLasting ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
    .header('vary', 'accept, accept-encoding, origin')
    .header('etag', tag);
  if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  reply.type(contentType);
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (packed !== undefined && takes(accepted, 'br'))
    return reply.header('content-encoding', 'br').send(packed);
  if (packed === undefined || !takes(accepted, 'gzip')) return reply.send(bytes);
  gzipOf(file).then(
    (gzipped) => reply.header('content-encoding', 'gzip').send(gzipped),
    (error) => reply.send(error),
  );
  return reply;
}

const takes = (accepted: string, wanted: 'br' | 'gzip'): boolean =>
  accepted.split(',').some((one) => {
    const [coding = '', weight = ''] = one.split(';').map((part) => part.trim().toLowerCase());
    return coding === wanted && !/^q=0(\.0*)?$/.test(weight);
  });

const compress = promisify(gzip);
const gzips = new WeakMap<ConsoleFile, Promise<Buffer>>();

/** For browsers that are not on this machine and speak no https: they take no Brotli. Made once for each file. */
function gzipOf(file: ConsoleFile): Promise<Buffer> {
  const made = gzips.get(file) ?? compress(file.bytes, { level: constants.Z_BEST_COMPRESSION });
  gzips.set(file, made);
  return made;
}

/** Browsers send one report, or a list of them; whatever else comes counts as one, because somebody sent it. */
function reportsIn(body: unknown): number {
  try {
    const told: unknown = JSON.parse(String(body));
    return Array.isArray(told) ? Math.min(told.length, consoleFileLimits.reportsMax) : 1;
  } catch {
    return 1;
  }
}
