/**
 * The addresses that operators and tools ask, outside every route table: is it alive, is it ready, what does it
 * measure, what does it offer. Each exists only when its owner gives the answer.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type ConsoleOptions, sendConsolePage, serveConsole } from '../console/console-pages.ts';
import { findingsText, firstProblem, type HealthFinding } from '../telemetry/readiness.ts';
import { type Directory, sendDirectory, wantsPage } from './landing-page.ts';
import { takeNoBody } from './unread-body.ts';

/** What the framework is told of a route. */
export interface PageRouteConfig {
  /** Whether every page may read it, where the operator has not forbidden that. */
  readonly isPublic?: boolean;
}

const page = { preHandler: takeNoBody };
export const publicPage = { ...page, config: { isPublic: true } satisfies PageRouteConfig };

export interface PlainHooks {
  /** `/`: where things are. */
  readonly directory?: () => Directory;
  /** The web console: what browsers get at `/` and below, instead of a page that says where things are. */
  readonly console?: ConsoleOptions | undefined;
  /** What the server is, in a sentence or two for people. */
  readonly about?: string;
  /** `/livez`: whether the process is worth keeping. */
  readonly live?: () => boolean;
  /** `/readyz`: whether requests are welcome, else the reason why not; `/readyz?verbose`: every finding. */
  readonly readiness?: () => Promise<readonly HealthFinding[]>;
  /** `/metrics`, in the format its content type names. */
  readonly metrics?: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** `/openapi.json`; asked when somebody asks for the first time. */
  readonly openapi?: () => object | Promise<object>;
  /** `/llms.txt`: what there is, for language models. */
  readonly guide?: () => string;
}

export function servePlainHooks(
  app: FastifyInstance,
  { directory, console, about = '', live, readiness, metrics, openapi, guide }: PlainHooks,
): void {
  if (directory)
    app.get('/', publicPage, (request, reply) => {
      const { accept } = request.headers;
      if (console && wantsPage(accept)) return sendConsolePage(request, reply, console.files);
      return sendDirectory(reply, accept, { directory: directory(), about });
    });
  if (console) serveConsole(app, { ...console, page: publicPage, wantsPage });
  if (live)
    app.get('/livez', publicPage, (_request, reply) => sendState(reply, live() ? undefined : 'not alive'));
  if (readiness)
    app.get('/readyz', publicPage, async (request, reply) => {
      const findings = await readiness();
      const { text } = request.query as { text?: string };
      return sendState(
        reply,
        firstProblem(findings),
        text === 'verbose' ? findingsText(findings) : undefined,
      );
    });
  if (metrics)
    app.get('/metrics', page, async (_request, reply) => {
      const { contentType, text } = await metrics();
      return reply.header('content-type', contentType).send(text);
    });
  if (guide)
    app.get('/llms.txt', publicPage, (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(guide()),
    );
  if (openapi) {
    let document: string | undefined;
    app.get('/openapi.json', publicPage, async (_request, reply) => {
      document ??= JSON.stringify(await openapi());
      return reply.type('application/json; charset=utf-8').send(document);
    });
  }
}

const sendState = (reply: FastifyReply, problem: string | undefined, text?: string): FastifyReply =>
  reply
    .code(problem === undefined ? 200 : 503)
    .type('text/plain; charset=utf-8')
    .send(text ?? problem ?? 'ok');
