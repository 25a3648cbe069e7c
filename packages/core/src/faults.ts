/**
 * Every way a request to the credential service can be refused, in one table (`spec/credential-service.md`,
 * "Errors"): name, status and a short title. A handler throws a `Fault`; one renderer for each envelope turns it into
 * an answer. Ledger rules do not use these: they return codes (`ledger/codes.ts`).
 */

/** Status and title by name. The name is also the `code` that clients read, so it never changes. */
export const faults = {
  requestMalformed: [400, 'The request is not valid'],
  sealMalformed: [400, 'The sealed request cannot be opened'],
  signatureMalformed: [400, 'The signature is missing or malformed'],
  publicKeyMalformed: [400, 'The public key is missing or malformed'],
  signatureInvalid: [400, 'The signature does not fit what was to be signed'],
  templateInvalid: [400, 'The template is not valid'],
  attributesInvalid: [400, 'The attributes do not fit the template'],
  validityInvalid: [400, 'The dates of validity are not valid'],
  seedInvalid: [400, 'The seed is not valid'],
  credentialMalformed: [400, 'This is not a credential'],
  attributeUnknown: [400, 'The credential has no such attribute'],
  rangeInvalid: [400, 'The range is not valid'],
  presentationMalformed: [400, 'This is not a presentation'],
  didMalformed: [400, 'This is not a DID'],
  queryInvalid: [400, 'The credential query is not valid'],
  callbackRefused: [400, 'The callback address is not accepted'],
  issuerAccountMissing: [400, "The issuer's ledger account cannot pay for this transaction"],
  notAuthenticated: [401, 'Authentication is needed'],
  notAllowed: [401, 'The caller is not allowed to do this'],
  walletNotAuthenticated: [401, 'The wallet has not shown who it is'],
  passwordWrong: [401, 'There is no such account, or the password is wrong'],
  signerMismatch: [401, 'The signature is not by the expected key'],
  paymentRefused: [402, 'The payment is not accepted'],
  issuerMismatch: [403, 'The caller is not the issuer'],
  holderMismatch: [403, 'The caller is not the holder'],
  keyNotPublished: [403, "The key is not a valid key of the issuer's DID document"],
  policyForbids: [403, 'The policy of the account forbids this'],
  autoIssueRefused: [403, 'The issuer does not issue this credential at once'],
  sponsorRefused: [403, 'The fee of this payment is not paid by the service'],
  routeUnknown: [404, 'There is nothing here'],
  blobUnknown: [404, 'The blob is unknown, used or expired'],
  templateUnknown: [404, 'The template is unknown'],
  applicationUnknown: [404, 'There is no such application'],
  credentialUnknown: [404, 'There is no such credential'],
  didUnknown: [404, 'The DID is unknown'],
  keyUnknown: [404, 'The key is unknown'],
  sessionUnknown: [404, 'There is no such verification session'],
  presentationUnknown: [404, 'There is no such presentation'],
  paymentUnknown: [404, 'There is no such payment'],
  mediaTypeUnsupported: [406, 'None of the accepted media types is served'],
  templateExists: [409, 'A template of this name exists'],
  applicationExists: [409, 'An application is pending already'],
  credentialExists: [409, 'The holder has such a credential already'],
  paymentSettled: [409, 'The payment was settled already'],
  stateForbids: [409, 'The state of the application forbids this'],
  statusForbids: [409, 'The status of the credential forbids this'],
  sessionClosed: [409, 'The verification session has ended or is being decided'],
  requestInProgress: [409, 'A request with this idempotency key is under way'],
  sessionExpired: [410, 'The verification session has expired'],
  downloadLapsed: [410, 'The credential is no longer stored'],
  didDeactivated: [410, 'The DID is deactivated'],
  bodyTooLarge: [413, 'The body is too large'],
  idempotencyMismatch: [422, 'The idempotency key was used for another request'],
  custodyKeyLocked: [423, 'The account is locked after too many wrong passwords'],
  dailyCapReached: [429, 'What the account may sign in a day is used up'],
  tooManyRequests: [429, 'Too many requests'],
  internalError: [500, 'The service failed'],
  ledgerUnreachable: [500, 'The ledger cannot be reached'],
  ledgerFailed: [500, 'The ledger did not take the transaction'],
  credentialProofInvalid: [500, "The credential's own proof is not valid"],
  proofFailed: [500, 'The proof cannot be made'],
  methodUnsupported: [501, 'The DID method is not supported'],
  settlementUnknown: [502, 'It is not known yet what became of the payment'],
  overloaded: [503, 'The service has too much to do'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

export type FaultName = keyof typeof faults;

/** One thing that is wrong with a request, and where: a JSON pointer into its body. */
export interface FaultDetail {
  readonly pointer: string;
  readonly detail: string;
}

export interface FaultOptions {
  /** What every caller may read about this one case; the title, if left out. */
  readonly detail?: string;
  readonly errors?: readonly FaultDetail[];
  /** For the log, never for the caller. */
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  /** The number that clients of the family know this case by, where the fault alone does not say it. */
  readonly familyCode?: number;
  /** What the caller needs to go on from here, such as the id of a payment. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
}

export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultName;
  readonly status: number;
  readonly title: string;
  readonly errors: readonly FaultDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly familyCode: number | undefined;
  readonly facts: FaultOptions['facts'];

  constructor(code: FaultName, options: FaultOptions = {}) {
    const { detail, errors = [], cause, retryAfterSeconds, familyCode, facts } = options;
    const [status, title] = faults[code];
    super(detail ?? title, { cause });
    this.code = code;
    this.status = status;
    this.title = title;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
    this.familyCode = familyCode;
    this.facts = facts;
  }
}
