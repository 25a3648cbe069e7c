/**
 * What the credential service answers when it refuses (RFC 9457 problem details), as an error to catch: the code never
 * changes and is what to branch on; the hint says what the caller can do about it. Failures without an answer of the
 * service are `SdkError`.
 */
import type { FaultDetail, FaultName } from '@symbolon/core/faults';
import type { Problem } from '@symbolon/wire/credential-replies';

/** For codes where the detail alone does not say what to do. */
const hints: Partial<Record<FaultName, string>> = {
  notAuthenticated: 'Give the client an apiKey.',
  notAllowed: 'Use an API key with the scope of this route, acting for the right DID.',
  signerMismatch:
    'Sign the bytes of the hex-decoded blob, with the key that the template or credential names.',
  signatureInvalid: 'Sign the bytes of the hex-decoded blob, not its text.',
  sealMalformed: 'Fetch the keys of the service again; they may have been replaced.',
  blobUnknown: 'Ask for a new blob: each is good for one submission and a short time.',
  keyNotPublished: "Publish the BBS+ key in the issuer's DID document first.",
  issuerAccountMissing: "Pay something into the issuer's ledger account first.",
  templateExists: 'Choose another name, or a higher version of your own template.',
  requestInProgress: 'Wait for the first request, then repeat with the same idempotency key.',
  idempotencyMismatch: 'Use a new idempotency key for a new request.',
  tooManyRequests: 'Wait as long as retryAfterSeconds says.',
  overloaded: 'Try again in a moment.',
  internalError: 'Tell whoever runs the service the requestId.',
};

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** A name from the service's table of faults; a newer service may know more of them. */
  readonly code: FaultName | (string & {});
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FaultDetail[];
  readonly requestId: string;
  readonly hint: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail);
    this.code = problem.code;
    this.status = problem.status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
    this.hint = (Object.hasOwn(hints, problem.code) && hints[problem.code as FaultName]) || problem.title;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
