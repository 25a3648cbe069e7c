/**
 * What the credential service answers when it refuses (RFC 9457 problem details, or one of the family's envelopes), as
 * an error to catch: the code never changes and is what to branch on; the hint says what the caller can do about it.
 * Failures without an answer of the service are `SdkError`.
 */
import { type FaultDetail, type FaultName, faultHint, faults } from '@symbolon/core/faults/faults';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { faultOfOauth } from '@symbolon/wire/oauth/oauth-words';

/** Not a fault but a demand: the table of faults has no row for it. */
const paymentHint = 'Sign a payment for the demand and repeat the call with it, or look for another price.';

/** What a refusal says, whatever it was wrapped in. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string;
  readonly errors?: readonly FaultDetail[];
  /** What the caller needs to go on from here, such as the id of a payment. */
  readonly facts?: JsonObject;
  /** What the service was asked, where it is known. */
  readonly route?: string;
}

/** The service refused. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  /** A name from the service's table of faults; a newer service may know more of them. */
  readonly code: FaultName | (string & {});
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FaultDetail[];
  readonly requestId: string;
  readonly hint: string;
  readonly retryAfterSeconds: number | undefined;
  readonly facts: JsonObject;
  /** What the service was asked, where it is known. */
  readonly route: string | undefined;

  constructor(refusal: Refusal, retryAfterSeconds?: number) {
    super(refusal.detail);
    this.code = refusal.code;
    this.status = refusal.status;
    this.title = refusal.title;
    this.detail = refusal.detail;
    this.errors = refusal.errors ?? [];
    this.requestId = refusal.requestId;
    this.hint = refusal.code === 'paymentRequired' ? paymentHint : (faultHint(refusal.code) ?? refusal.title);
    this.retryAfterSeconds = retryAfterSeconds;
    this.facts = refusal.facts ?? {};
    this.route = refusal.route;
  }
}

interface RefusalContext {
  readonly status: number;
  /** From the answer's header; the body's own comes first. */
  readonly requestId?: string | undefined;
}

/**
 * The refusal in a body, or undefined where it is none: every one has the fault's name in `code`, and some words; on
 * routes of OAuth an error of its own.
 */
export function readRefusal(body: JsonObject, context: RefusalContext): Refusal | undefined {
  const { status, requestId } = context;
  if (body.code === undefined && status >= 400) return readOauthRefusal(body, context);
  const { code } = body;
  const detail = wordsOf(body);
  if (typeof code !== 'string' || code === '' || detail === undefined) return undefined;
  const known = Object.hasOwn(faults, code) ? faults[code as FaultName] : undefined;
  const inside = [body.object, body.data].find(isJsonObject);
  const errors = errorsOf(body.errors, inside?.errorList);
  const facts = inside && inside.errorList === undefined ? { facts: inside } : furtherFacts(body);
  return {
    code,
    // Wallets of the family read nothing but 200; what it is about says the table.
    status: status >= 400 ? status : (known?.[0] ?? status),
    title: textOf(body.title) ?? known?.[1] ?? detail,
    detail,
    requestId: textOf(body.requestId) ?? textOf(body.traceId) ?? requestId ?? '',
    ...(errors.length > 0 && { errors }),
    ...facts,
  };
}

function readOauthRefusal(
  { error, error_description: words }: JsonObject,
  { status, requestId = '' }: RefusalContext,
): Refusal | undefined {
  const code = typeof error === 'string' ? faultOfOauth(error) : undefined;
  if (code === undefined) return undefined;
  const title = faults[code][1];
  return { code, status, title, detail: textOf(words) ?? title, requestId };
}

/** Problem details have what a caller needs to go on as members of their own. */
function furtherFacts(body: JsonObject): Pick<Refusal, 'facts'> {
  const facts = Object.entries(body).filter(([name]) => factNames.includes(name));
  return facts.length === 0 ? {} : { facts: Object.fromEntries(facts) };
}
const factNames = ['blobId', 'blob', 'vcId', 'offerId', 'state', 'triesLeft'];

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Problem details, envelopes with a message, with a list of messages, and the facilitator's. */
function wordsOf({ detail, message, messages, object }: JsonObject): string | undefined {
  const first = Array.isArray(messages) && isJsonObject(messages[0]) ? messages[0].message : undefined;
  const inside = isJsonObject(object) ? object.errorMsg : undefined;
  return [detail, message, inside, first].find((words) => typeof words === 'string');
}

/** A list of complaints, or the lines that custody makes of them: a full-width colon stands between field and text. */
function errorsOf(given: JsonValue | undefined, lines: JsonValue | undefined): FaultDetail[] {
  const complaints = Array.isArray(given) ? given : [];
  const written = Array.isArray(lines) ? lines : [];
  return [
    ...complaints.flatMap((item) =>
      isJsonObject(item) && typeof item.pointer === 'string' && typeof item.detail === 'string'
        ? [{ pointer: item.pointer, detail: item.detail }]
        : [],
    ),
    ...written.flatMap((line) => {
      const [field, ...words] = typeof line === 'string' ? line.split('\uFF1A') : [];
      return field === undefined || words.length === 0
        ? []
        : [{ pointer: `/${field}`, detail: words.join('\uFF1A') }];
    }),
  ];
}
