/**
 * Which methods a path takes, learned from the routes as they are mounted: a request with another one is told so,
 * instead of that there is nothing. Patterns are few and fixed, so looking through all of them is cheap.
 */
import type { FastifyInstance } from 'fastify';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Must be called before any route is mounted. Answers the methods of a path, in the order of the alphabet. */
export function learnPaths(app: FastifyInstance): (path: string) => readonly string[] {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    // What is answered on every path says nothing about one, nor does what browsers ask of themselves.
    if (url === '*' || method === 'OPTIONS') return;
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const one of [method].flat()) path.methods.add(one);
    known.set(url, path);
  });
  return (path) => {
    const fitting = [...known.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].toSorted();
  };
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.+?^$(){}|[\]\\]/g, String.raw`\$&`).replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`);
