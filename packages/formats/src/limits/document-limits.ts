/** Bounds of JSON-LD documents and of what is done with them: a document of anybody costs no more than these. */
export const jsonLdLimits = {
  /** Characters of all texts and names in a document, and of one that is fetched for it. */
  documentCharsMax: 4 * 1024 * 1024,
  /** Members and elements at all levels: every statement of the graph is one of these. */
  membersMax: 5_000,
  depthMax: 32,
  /** Contexts that one document names, its own or those inside: as many as the library takes. */
  contextsMax: 10,
  /**
   * How often nodes without a name are compared in depth, as a power of how many look alike: 1 is linear. Graphs that need
   * more are made to cost.
   */
  canonicalWorkFactor: 1,
  canonicalMs: 5_000,
  /** Of anything that a loader fetches. */
  fetchMs: 10_000,
} as const;

/** Bounds of proofs in the forms of the field. */
export const dataIntegrityLimits = {
  proofsMax: 16,
  /** JSON pointers to what is always shown, or shown this time. */
  pointersMax: 200,
  pointerCharsMax: 512,
  proofValueCharsMax: 32 * 1024,
  /** How far the clock of a signer may be ahead. */
  clockAheadMs: 5 * 60_000,
} as const;

/** Bounds of what a credential names beside itself. */
export const relatedResourceLimits = {
  resourcesMax: 16,
  resourceBytesMax: 4 * 1024 * 1024,
} as const;
