/**
 * An example of every operation: a request that was sent to the demo and what it was answered. A test plays them all
 * (`test/examples`), writes down what went over the wire and holds it against the documents; the records stand in
 * `ledger-examples.json` and `service-examples.json`.
 */

export interface Example {
  /** Those of path, address and headers, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  /** What was answered: JSON, or the text of another type. */
  readonly reply: unknown;
  /** Where a browser is sent on, the headers that do it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** By the name of the route. */
export type Examples = Readonly<Record<string, Example>>;
