/**
 * `/`: what this server is and where things are. A browser gets a page, whoever asks for text a text, and everybody
 * else the same as JSON, which programs read.
 */
import type { FastifyReply } from 'fastify';
import { escaped, plainPage, prose, sendPage } from './html-page.ts';

/** Where things are: a path of this server or an address elsewhere, by name. */
export interface Directory {
  readonly name: string;
  readonly version: string;
  readonly [place: string]: string;
}

/** What people find at each place. */
const places: Readonly<Record<string, string>> = {
  docs: 'The interface: every operation with its members and an example, to read and try',
  errors: 'Errors: what happened, why, and what to do',
  openapi: 'The interface as OpenAPI 3.1, for programs',
  guide: 'The interface in short, for language models and people in a hurry',
  hello: 'Versions of the node, and its clock',
  health: 'Whether it is ready, and why not; `?verbose` says more',
  metrics: 'Measurements for Prometheus',
  ledger: 'The ledger node that this service records to',
  ledgerOpenapi: 'The interface of the ledger node as OpenAPI 3.1',
  webSocket: 'The WebSocket interface of the ledger node',
  service: 'The credential service that records to this node',
};

type Place = readonly [address: string, what: string];

const placesOf = ({ name: _, version: __, ...listed }: Directory): Place[] =>
  Object.entries(listed).map(([name, address]) => [address, places[name] ?? name]);

/** Relative, so that they lead to the same server behind whatever prefix; only what a browser can open is a link. */
function linkOf(address: string): string {
  const shown = `<code>${escaped(address)}</code>`;
  if (address.startsWith('/')) return `<a href=".${escaped(address)}">${shown}</a>`;
  return /^https?:\/\//.test(address) ? `<a href="${escaped(address)}">${shown}</a>` : shown;
}

const pageOf = (directory: Directory, about: string) =>
  plainPage(
    directory.name,
    `<p>${prose(about)}</p>
<dl>
${placesOf(directory)
  .map(([address, what]) => `<dt>${linkOf(address)}</dt><dd>${prose(what)}</dd>`)
  .join('\n')}
</dl>
<p><small>Version ${escaped(directory.version)}</small></p>`,
  );

function textOf(directory: Directory, about: string): string {
  const listed = placesOf(directory);
  const width = Math.max(...listed.map(([address]) => address.length));
  return [
    `${directory.name} ${directory.version}`,
    '',
    about.replaceAll('`', ''),
    '',
    ...listed.map(([address, what]) => `  ${address.padEnd(width)}  ${what.replaceAll('`', '')}`),
    '',
  ].join('\n');
}

const forms = ['application/json', 'text/html', 'text/plain'] as const;
type Form = (typeof forms)[number];

/** How much a form is wanted (RFC 9110): by its own name, by its kind, or as anything. */
function wish(accept: string, form: Form): number {
  const ranges = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  });
  const named = [form, `${form.split('/', 1)[0]}/*`, '*/*'].map((name) =>
    ranges.find((range) => range.name === name),
  );
  return named.find((range) => range !== undefined)?.quality ?? 0;
}

/** The one that is wanted most; JSON, unless something else is wanted more. */
const formFor = (accept: string): Form =>
  forms.reduce((best, form) => (wish(accept, form) > wish(accept, best) ? form : best));

/** Whether somebody who looks asks, rather than a program. */
export const wantsPage = (accept: string | undefined): boolean => formFor(accept ?? '*/*') === 'text/html';

export function sendDirectory(
  reply: FastifyReply,
  accept: string | undefined,
  { directory, about }: { readonly directory: Directory; readonly about: string },
): FastifyReply {
  reply.header('vary', 'accept');
  const form = formFor(accept ?? '*/*');
  if (form === 'text/html') return sendPage(reply, pageOf(directory, about));
  if (form === 'text/plain') return reply.type('text/plain; charset=utf-8').send(textOf(directory, about));
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(directory));
}
