/** Bounds of any JSON text that comes from outside, checked before or while it becomes a value. */
export const jsonLimits = {
  depthMax: 64,
  /** Digits of one number: room for a 256-bit integer and more, far from anything slow to convert. */
  digitsMax: 128,
  /** Elements of all repeated fields of one message together: no body may cost more objects than this. */
  elementsMax: 100_000,
  /** Members of one object of a request to the ledger, and of all its objects together. */
  objectMembersMax: 1_000,
  membersMax: 100_000,
} as const;
