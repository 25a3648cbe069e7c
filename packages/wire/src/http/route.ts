/**
 * What a route is, whichever server has it: one row of a table from which the server, the OpenAPI document and the typed
 * client are made. How a request is read and how an answer is wrapped differs: `ledger-route.ts`, `service-route.ts`.
 */
import type { z } from 'zod';

export interface Route {
  /** Routes of one group stand together in the document. */
  readonly group: string;
  readonly summary: string;
  /** Further spellings of its name or path. */
  readonly aliases?: readonly string[];
  /**
   * The body of a request, where it has one of its own. `undefined` is said, here and below, because tables of routes say it and
   * a project with `exactOptionalPropertyTypes` would refuse them otherwise.
   */
  readonly body?: z.ZodType | undefined;
  /** Documents the reply and types the client; a server checks nothing against it. */
  readonly reply: z.ZodType;
  /** Turns what has arrived into the handler's request. */
  readonly read: (...arrived: never[]) => unknown;
}

/** What a schema of a reply puts out. */
export type OutputOf<Schema extends Route['reply']> = Schema['_zod']['output'];
/** What a caller gives for a schema; whatever, where there is none. */
export type InputOf<Schema> = Schema extends Route['reply'] ? Schema['_zod']['input'] : unknown;
