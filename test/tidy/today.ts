/**
 * What the house rules find today and let pass. Both tables only ever get shorter: an entry that is no longer needed is
 * complained about.
 */

/** Steps from one room into another that close a circle. */
export const circlesToday: readonly (readonly [from: string, to: string])[] = [];

/** Names that are exported for two different things. */
export const doubledToday: ReadonlySet<string> = new Set();
