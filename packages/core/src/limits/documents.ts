/** Bounds of what is signed, presented and asked for: what a verifier anywhere takes, and no more. */

/**
 * Bounds of templates, credentials and presentations (`core/src/credential`): what a verifier anywhere takes and no
 * more.
 */
export const credentialLimits = {
  attributesMax: 60,
  attributeKeyCharsMax: 64,
  labelCharsMax: 128,
  /** Of the value that tells a row of a list from another. */
  tellingLabelCharsMax: 80,
  nameCharsMax: 128,
  remarkCharsMax: 1_024,
  versionPartsMax: 4,
  versionPartDigitsMax: 9,
  textBytesMax: 8_192,
  imageBytesMax: 256 * 1024,
  decimalDigitsMax: 9,
  /** Of the canonical text of a credential: several images fit, a flood of them does not. */
  credentialBytesMax: 2 * 1024 * 1024,
  presentationBytesMax: 4 * 1024 * 1024,
  presentedCredentialsMax: 8,
  rangesMax: 16,
  /** Of all credentials together: each takes a verifier a third of a second. */
  presentationRangesMax: 16,
  /** As many ranges as there may be, each proved by set membership in 6.3 KB. */
  derivedProofBytesMax: 128 * 1024,
  challengeCharsMax: 512,
  domainCharsMax: 512,
  ageYearsMax: 200,
  /** A range that leaves no more values than these tells the value: numbers, last places, days, seconds of a day. */
  tellingRangeValues: { integer: 3n, decimal: 10n, date: 7n, dateTime: 86_400n },
  /** How many wrong attributes a refusal names in its one sentence; `errors` has all. */
  attributesTold: 5,
  /** Complaints about one document: enough to mend it, not an answer larger than the question. */
  complaintsMax: 100,
} as const;

/** Bounds of credential queries (DCQL) and of the patterns in them. */
export const credentialQueryLimits = {
  /** Of the query as JSON text. */
  queryBytesMax: 64 * 1024,
  credentialsMax: 8,
  claimsMax: 60,
  pathPartsMax: 8,
  valuesMax: 100,
  issuersMax: 100,
  setsMax: 16,
  setOptionsMax: 16,
  /** A pattern's text, the groups inside each other, and the steps that it becomes with its repetitions written out. */
  patternCharsMax: 256,
  patternDepthMax: 16,
  patternStepsMax: 1_000,
} as const;

/** Bounds of BBS signatures and of proofs about them. Time and memory of every operation grow with these. */
export const bbsLimits = {
  messagesMax: 100,
  messageBytesMax: 1024 * 1024,
  /** Header and all messages of one signature together. */
  signedBytesMax: 4 * 1024 * 1024,
  contextBytesMax: 256 * 1024,
  nonceBytesMax: 1_024,
  /** Of a proof by the draft's own `ProofGen`. */
  presentationHeaderBytesMax: 4_096,
  /** Bounds are inclusive here and exclusive in the engine, which counts as far as JavaScript does without gaps. */
  integerMax: 2n ** 53n - 2n,
  /** A bound may be one more, and says nothing then. */
  boundMax: 2n ** 53n - 1n,
  rangesMax: 60,
  keyMaterialBytesMin: 32,
  keyMaterialBytesMax: 4_096,
  keyInfoBytesMax: 65_535,
} as const;

/** Bounds of decentralized identifiers and their documents; those of the log are the chain's (`didLogLimits`). */
export const didLimits = {
  didCharsMax: 256,
  didUrlCharsMax: 2_048,
  multibaseCharsMax: 160,
  keyNumberMax: 9_999,
  /** Keys and services of one document. */
  documentKeysMax: 64,
  documentServicesMax: 32,
  serviceIdCharsMax: 64,
  serviceTypeCharsMax: 128,
  serviceEndpointCharsMax: 1_024,
} as const;

/** Bounds of texts that are signed to show that somebody is there (`core/src/presentation/presence-text.ts`). */
export const presenceLimits = {
  textCharsMax: 1_024,
  /** In base64url, as headers carry it. */
  headerCharsMax: 1_400,
  /** How far the clocks of signer and service may be apart, either way. */
  ageMsMax: 5 * 60_000,
  /** How long it is remembered which text a signature by the old rule came with. */
  oldRuleMemoryMs: 365 * 86_400_000,
} as const;

/** Bounds of what a verifier says about whom it trusts, and of the lists that the service keeps of it. */
export const trustLimits = {
  /** Issuers in one request or one list. */
  issuersMax: 100,
  templatesMax: 100,
  listsPerOwnerMax: 100,
  listNameCharsMax: 64,
  /** Of a request's parameter that names several. */
  parameterCharsMax: 8_192,
} as const;

/** Bounds of key files, of which anybody may have written one. */
export const keyFileLimits = {
  fileCharsMax: 65_536,
  saltBytesMax: 1_024,
  passwordCharsMax: 1_024,
  /** Work factors of scrypt, the memory that they come to, and how much of it is gone through in all. */
  costMax: 1_048_576,
  blockSizeMax: 32,
  parallelMax: 16,
  memoryBytesMax: 512 * 1024 * 1024,
  workBytesMax: 1024 * 1024 * 1024,
} as const;

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
