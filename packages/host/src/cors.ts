/**
 * Which web pages may read this server's answers. Nothing is allowed unless configured; credentials are never
 * allowed, since no route knows any.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface CorsOptions {
  /** Exact origins, or `*` for every page. */
  readonly origins: readonly string[] | '*';
  /** What pages may send and read, beside what every server has. */
  readonly methods?: readonly string[];
  readonly exposedHeaders?: readonly string[];
}

const preflightSeconds = 600;

/** Serves preflight requests and answers a function that marks every other answer. */
export function allowOrigins(
  app: FastifyInstance,
  { origins, methods = [], exposedHeaders = [] }: CorsOptions,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const allowedMethods = ['GET', 'POST', ...methods].join(', ');
  const exposed = ['x-request-id', ...exposedHeaders].join(', ');
  app.options('*', (request, reply) => {
    if (reply.hasHeader('access-control-allow-origin')) {
      const wanted = request.headers['access-control-request-headers'];
      reply.header('access-control-allow-methods', allowedMethods);
      reply.header('access-control-allow-headers', wanted === undefined ? 'content-type' : wanted);
      reply.header('access-control-max-age', String(preflightSeconds));
    }
    reply.code(204).send();
  });

  return (request, reply) => {
    if (origins === '*') {
      reply.header('access-control-allow-origin', '*');
    } else {
      const { origin } = request.headers;
      // The answer depends on who asks, so a cache must not give one page's answer to another.
      reply.header('vary', 'origin');
      if (origin !== undefined && origins.includes(origin))
        reply.header('access-control-allow-origin', origin);
    }
    reply.header('access-control-expose-headers', exposed);
  };
}
