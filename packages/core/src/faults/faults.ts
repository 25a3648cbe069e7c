/**
 * Every way a request to the credential service can be refused, in one table (`docs/errors.md`): name, status, a short
 * title, and what the caller can do about it. A handler throws a `Fault`; one renderer for each envelope turns it into
 * an answer. Why each occurs is in `error-reasons.ts`. Ledger rules do not use these: they return codes
 * (`core/src/ledger/terms/codes.ts`).
 */
import type { PaymentRefusalWord } from './payment-refusals.ts';
import { type FaultTable, standardsFaults } from './standards-faults.ts';

/** Status, title and hint by name. The name is also the `code` that clients read, so it never changes. */
export const faults = {
  requestMalformed: [
    400,
    'The request is not valid',
    'Correct the members that `errors` names; /openapi.json describes every request.',
  ],
  sealMalformed: [
    400,
    'The sealed request cannot be opened',
    'Fetch the keys of the service again; they may have been replaced.',
  ],
  signatureMalformed: [
    400,
    'The signature is missing or malformed',
    'Send the 64 bytes of the Ed25519 signature as 128 hex digits.',
  ],
  publicKeyMalformed: [
    400,
    'The public key is missing or malformed',
    'Send the public key in its encoded form, with prefix and checksum.',
  ],
  signatureInvalid: [
    400,
    'The signature does not fit what was to be signed',
    'Sign what is to be signed and nothing else: of a blob its hex-decoded bytes, with BBS+ the messages of the draft, as /cred/bbs/vc/sign with the vcId does.',
  ],
  templateInvalid: [
    400,
    'The template is not valid',
    'Correct the attributes or the version that `errors` names.',
  ],
  attributesInvalid: [
    400,
    'The attributes do not fit the template',
    "Send every mandatory attribute of the template, in the template's format, and no other.",
  ],
  validityInvalid: [
    400,
    'The dates of validity are not valid',
    'Use dates in order, with the end in the future.',
  ],
  seedInvalid: [
    400,
    'The seed is not valid',
    'Send a mnemonic of the English list, or 32 bytes or more in hex or base64.',
  ],
  credentialMalformed: [400, 'This is not a credential', 'Send the credential exactly as it was downloaded.'],
  attributeUnknown: [
    400,
    'The credential has no such attribute',
    'Name attributes that the credential has; its template lists them.',
  ],
  rangeInvalid: [
    400,
    'The range is not valid',
    'Ask for a range of a number or date that the value lies in, with the lower end first.',
  ],
  presentationMalformed: [400, 'This is not a presentation', 'Send the presentation exactly as it was made.'],
  didMalformed: [400, 'This is not a DID', 'Check the DID for its prefix and for missing letters.'],
  queryInvalid: [400, 'The credential query is not valid', 'Correct the query where `errors` points.'],
  callbackRefused: [
    400,
    'The callback address is not accepted',
    'Name an https address that the outside world can reach.',
  ],
  issuerAccountMissing: [
    400,
    "The issuer's ledger account cannot pay for this transaction",
    "Pay something into the issuer's ledger account first; then the same request is taken.",
  ],
  issuerWeightTooLow: [
    400,
    "The issuer's ledger account wants more signatures than the issuer's own",
    "Lower the account's threshold, or raise the weight of its own key; then the same request is taken.",
  ],
  notAuthenticated: [
    401,
    'Authentication is needed',
    'Give an API key of this service, in the header Authorization: Bearer or x-api-key.',
  ],
  notAllowed: [
    401,
    'The caller is not allowed to do this',
    'Use an API key with the scope of this route, acting for the right DID.',
  ],
  walletNotAuthenticated: [
    401,
    'The wallet has not shown who it is',
    'Send the headers with the public key, the signature and the signed text of the holder; the SDK has walletHeaders and holderHeaders.',
  ],
  passwordWrong: [
    401,
    'There is no such account, or the password is wrong',
    'Check address and password; after a few wrong ones the account is locked for a while.',
  ],
  txCodeWrong: [
    401,
    'The transaction code of the offer is missing or wrong',
    'Ask whoever made the offer for the code; after a few wrong ones the offer is locked.',
  ],
  signerMismatch: [
    401,
    'The signature is not by the expected key',
    'Sign with the key that the template, application or credential names: of a blob the hex-decoded bytes, else the UTF-8 bytes of the text.',
  ],
  presenceRefused: [
    401,
    'The signed text is not good here and now',
    'Sign a new text for this purpose, this service and the present moment; the SDK does so.',
  ],
  paymentRefused: [
    402,
    'The payment is not accepted',
    'Nothing was taken. Ask for the price again and sign a new payment.',
  ],
  issuerMismatch: [403, 'The caller is not the issuer', "Use the API key of the issuer's DID."],
  holderMismatch: [
    403,
    'The caller is not the holder',
    'Use the wallet of the holder for headers and signature alike.',
  ],
  keyNotPublished: [
    403,
    "The key is not a valid key of the issuer's DID document",
    "Publish the BBS+ key in the issuer's DID document first.",
  ],
  policyForbids: [
    403,
    'The policy of the account forbids this',
    "Change the account's policy, or sign something that it allows.",
  ],
  proofTooCostly: [
    403,
    'The proofs cost more than the caller may ever spend at once',
    'Ask for fewer ranges at once, prove them by set membership where the verifier takes that, or show an API key.',
  ],
  autoIssueRefused: [
    403,
    'The issuer does not issue this credential at once',
    'Apply in the usual way, or ask the issuer to allow it and to set a price.',
  ],
  sponsorRefused: [
    403,
    'The fee of this payment is not paid by the service',
    'Pay the fee yourself, or try again tomorrow.',
  ],
  sponsorUnfunded: [
    503,
    'The account that pays fees for others has too little',
    'Pay the fee yourself, or try again when the operator of the service has funded the account.',
  ],
  pageRefused: [
    403,
    'Pages of this origin may not do this',
    'Call from a program or from a page of the service itself, or let its operator name the origin in allowOrigin.',
  ],
  hostUnknown: [
    421,
    'The service does not go by this name',
    'Call it by its address or as localhost; its operator names another host in publicUrl.',
  ],
  routeUnknown: [404, 'There is nothing here', 'Check path and method; /openapi.json lists them all.'],
  methodNotAllowed: [405, 'This path takes another method', 'Use a method that the header Allow names.'],
  blobUnknown: [
    404,
    'The blob is unknown, used or expired',
    'Ask for a new blob: each is good for one submission and a short time.',
  ],
  blobReplaced: [
    404,
    "Another transaction of the issuer's account came first",
    'Sign the `blob` of this answer and submit it under its `blobId`, or ask for a new blob.',
  ],
  templateUnknown: [
    404,
    'The template is unknown',
    'Check the id, and that the template is registered on this network: `symbolon template list`.',
  ],
  applicationUnknown: [
    404,
    'There is no such application',
    'Check the id of the application, and the API key that asks for it.',
  ],
  offerUnknown: [
    404,
    'There is no such offer',
    'Take the whole link as it was sent, or ask whoever made the offer for a new one.',
  ],
  credentialUnknown: [
    404,
    'There is no such credential',
    'Check the id, and that the credential was issued on this network.',
  ],
  didUnknown: [404, 'The DID is unknown', 'Create the account of the DID on the ledger by paying to it.'],
  keyUnknown: [404, 'The key is unknown', 'Import or make the key here first, with the same API key.'],
  statusListUnknown: [404, 'There is no such status list', 'Use the address that stands in the credential.'],
  sessionUnknown: [404, 'There is no such verification session', 'Begin a new verification.'],
  trustListUnknown: [
    404,
    'There is no such trust list of the caller',
    'See which lists the API key has: GET /v1/trust/lists, or symbolon trust list show.',
  ],
  webhookUnknown: [
    404,
    'There is no such webhook of the caller',
    'See which webhooks the API key has: GET /v1/webhooks.',
  ],
  deliveryUnknown: [
    404,
    'There is no such delivery of this webhook',
    'See which are remembered: GET /v1/webhooks/NAME/deliveries.',
  ],
  profileUnknown: [
    404,
    'Nobody has said what this DID is called',
    'Show the DID itself; its owner says a name with POST /v1/profile.',
  ],
  apiKeyUnknown: [
    404,
    "There is no such API key of the caller's party",
    'See which keys there are: GET /v1/keys.',
  ],
  auditEntryUnknown: [
    404,
    'The audit log has no entry of this number',
    'See how far it goes: GET /cred/v1/audit/head.',
  ],
  presentationUnknown: [404, 'There is no such presentation', 'Submit the presentation again.'],
  paymentUnknown: [404, 'There is no such payment', 'Check the id or hash of the payment.'],
  mediaTypeUnsupported: [
    406,
    'None of the accepted media types is served',
    'Accept application/json, or leave the header Accept out.',
  ],
  templateExists: [
    409,
    'A template of this name exists',
    'Choose another name, or a higher version of your own template.',
  ],
  nameTaken: [
    409,
    "The name looks like another issuer's",
    'Choose a name that nobody reads as the other one; docs/credentials.md, "Names", says what looks alike.',
  ],
  trustListFull: [
    409,
    'There is no room for more trust lists, or for more issuers in this one',
    'Take issuers off a list that are no longer trusted.',
  ],
  webhooksFull: [
    409,
    'There is no room for more webhooks',
    'Take one away that nobody needs, or give its name another address.',
  ],
  apiKeysFull: [
    409,
    'There is no room for more API keys',
    'Wait until keys that have ended are forgotten, or ask the operator of the service.',
  ],
  lastAdminKey: [
    409,
    'This is the last API key of the operator',
    'Make another key with scope admin first, then end this one with it.',
  ],
  applicationExists: [
    409,
    'An application is pending already',
    'Wait until the issuer has decided about it.',
  ],
  offerExists: [
    409,
    'An offer has this reference already',
    'Repeat with `renew: true` for a new code, which ends the one before, or withdraw the offer; issue or reject one that was accepted.',
  ],
  offerClosed: [409, 'The offer is not open', 'Ask whoever made the offer for a new one.'],
  templatePriced: [
    409,
    'The template has a price',
    'Say `waivePrice: true` to give the credential away, or have the holder buy it.',
  ],
  signatureUsed: [
    409,
    'The signature was used before',
    'Sign anew: a text with its own moment (`signedText`), as the SDK does, is never the same twice.',
  ],
  credentialExists: [
    409,
    'The holder has such a credential already',
    'Use the credential that the holder has, or have it revoked first.',
  ],
  paymentSettled: [409, 'The payment was settled already', 'Do not pay again; ask for its status.'],
  stateForbids: [
    409,
    'The state of the application forbids this',
    'Ask for the state of the application and go on from there.',
  ],
  statusForbids: [
    409,
    'The status of the credential forbids this',
    'Ask for the status of the credential and go on from there.',
  ],
  sessionClosed: [409, 'The verification session has ended or is being decided', 'Begin a new verification.'],
  requestInProgress: [
    409,
    'A request with this idempotency key is under way',
    'Wait for the first request, then repeat with the same idempotency key.',
  ],
  sessionExpired: [410, 'The verification session has expired', 'Begin a new verification.'],
  downloadLapsed: [410, 'The credential is no longer stored', "Use the holder's own copy, or apply again."],
  didDeactivated: [410, 'The DID is deactivated', 'Use another DID.'],
  bodyTooLarge: [413, 'The body is too large', 'Send less at once.'],
  idempotencyMismatch: [
    422,
    'The idempotency key was used for another request',
    'Use a new idempotency key for a new request.',
  ],
  custodyKeyLocked: [
    423,
    'The account is locked after too many wrong passwords',
    'Wait as long as the answer says, then use the right password.',
  ],
  dailyCapReached: [
    429,
    'What the account may sign in a day is used up',
    "Wait until tomorrow, or raise the cap in the account's policy.",
  ],
  tooManyRequests: [429, 'Too many requests', 'Wait as long as the answer says, then try again.'],
  internalError: [500, 'The service failed', 'Tell whoever runs the service the requestId.'],
  ledgerUnreachable: [
    500,
    'The ledger cannot be reached',
    'Try again; if it stays, whoever runs the service checks its ledger node.',
  ],
  ledgerFailed: [
    500,
    'The ledger did not take the transaction',
    'Repeat the same request; nothing is recorded twice. If it stays, the detail says what the ledger objects to.',
  ],
  ledgerUnconfirmed: [
    500,
    'The ledger has not said yet what became of the transaction',
    'Repeat the same request: it is asked for, handed in again where needed, and never done twice.',
  ],
  credentialProofInvalid: [
    500,
    "The credential's own proof is not valid",
    'Download the credential again, and send it unchanged.',
  ],
  proofFailed: [
    500,
    'The proof cannot be made or verified',
    'Check that credential and request belong together, and try again.',
  ],
  methodUnsupported: [
    501,
    'The DID method is not supported',
    'Use a DID of the method that this service serves.',
  ],
  statusListPast: [
    501,
    'Status lists of the past are not kept',
    'Ask without the parameter `time`: the answer is the newest list.',
  ],
  settlementUnknown: [
    502,
    'It is not known yet what became of the payment',
    'Do not pay again. Ask for the status of the payment until it is known.',
  ],
  ledgerSilent: [
    502,
    'The ledger node gives no answer',
    'Try again; whether a transaction was taken is not known, so ask for it by its hash before it is signed anew.',
  ],
  databaseFailed: [
    503,
    'The database of the service does not work',
    'Try again with the same request; if it stays, whoever runs the service looks at /readyz and its log.',
  ],
  overloaded: [503, 'The service has too much to do', 'Try again in a moment.'],
  statusListStale: [
    503,
    'The status list is too old to be given, and the ledger gives no newer facts',
    'Try again in a moment; nothing is known of the statuses until then.',
  ],
  ledgerChanged: [
    503,
    'The ledger is not the one that the service has recorded to',
    'Whoever runs the service brings the ledger back, or runs symbolon service reconcile --data <folder>; repeat the request then.',
  ],
  ...standardsFaults,
} as const satisfies FaultTable;

/** Names of the service's table of faults (docs/errors.md). */
export type FaultName = keyof typeof faults;

/** What to do about a fault, by the code that a service answered; a newer service may know more of them. */
export const faultHint = (code: string): string | undefined =>
  Object.hasOwn(faults, code) ? faults[code as FaultName][2] : undefined;

/** One thing that is wrong with a request, and where: a JSON pointer into its body. */
export interface FaultDetail {
  readonly pointer: string;
  readonly detail: string;
}

/** Cases that envelopes have words or numbers of their own for. */
export type FaultReason =
  | PaymentRefusalWord
  | 'walletKeyMissing'
  | 'walletSignatureMissing'
  | 'walletHeadersMalformed'
  | 'walletSignatureWrong'
  | 'walletNotHolder'
  | 'stateWrong'
  | 'hardwareFailed';

export interface FaultOptions {
  /** What every caller may read about this one case; the title, if left out. */
  readonly detail?: string;
  readonly errors?: readonly FaultDetail[];
  /** For the log, never for the caller. */
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  /** Which case of the fault it is, where the fault alone does not say it and clients tell them apart. */
  readonly reason?: FaultReason;
  /** What the caller needs to go on from here, such as the id of a payment. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
}

/** A request or a document is refused, under a name of the service's table of faults. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultName;
  readonly status: number;
  readonly title: string;
  readonly hint: string;
  readonly errors: readonly FaultDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly reason: FaultReason | undefined;
  readonly facts: FaultOptions['facts'];

  constructor(code: FaultName, options: FaultOptions = {}) {
    const { detail, errors = [], cause, retryAfterSeconds, reason, facts } = options;
    const [status, title, hint] = faults[code];
    super(detail ?? title, { cause });
    this.code = code;
    this.status = status;
    this.title = title;
    this.hint = hint;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
    this.reason = reason;
    this.facts = facts;
  }
}
