/** Bounds on what is kept of a credential before it is issued. Everybody takes them from `limits.ts`. */
export const issuanceLimits = {
  /** Drafts before the last one whose signature is recognised, so that whoever signed one learns why it is refused. */
  replacedDraftsMax: 8,
  /** How many wrong attributes a refusal names in its one sentence; `errors` has all. */
  attributesTold: 5,
} as const;
