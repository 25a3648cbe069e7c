/**
 * What a route of the credential service is. A row knows its paths, who may call it, what its request looks like on the
 * wire and how that becomes a request of the inside. HTTP itself is the host's business.
 */

import { unknownName } from '@symbolon/core/basics/known-names';
import { Fault, type FaultDetail, type FaultName } from '@symbolon/core/faults/faults';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import type { z } from 'zod';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { areTextsStorable, isStorable, unstorableText } from '../json/storable-text.ts';
import type { Route } from './route.ts';
import { complaintsMax } from './schema-parts.ts';
import type { ServiceEnvelope } from './service-envelopes.ts';

/** What an API key may be good for. */
export const apiScopes = ['templates', 'issue', 'revoke', 'bbs', 'present', 'verify', 'admin'] as const;
export type ApiScope = (typeof apiScopes)[number];

/**
 * What request and answer hold beside what everybody may know: `personal` data of somebody, a `secret` such as a
 * password or a private key, or nothing of either kind. API keys stand in headers and count for themselves.
 */
export type Carried = 'plain' | 'personal' | 'secret';

/**
 * How the text of a body is read, before its schema sees it: `json` is strict JSON whose texts a database can keep;
 * `unstoredJson` is the same where nothing of it is kept, so that a zero byte in a text harms nobody. `form` is
 * `application/x-www-form-urlencoded`: an object of texts, without those that are empty, and none given twice.
 * `jsonOrJwt` is JSON, or in its place one compact JWT or JWE as a text.
 */
export type BodyKind = 'json' | 'unstoredJson' | 'form' | 'jsonOrJwt';

/** Parameters in a path or a query travel as text; one that is not given is absent. */
export type TextShape = z.ZodObject<Record<string, z.ZodType<unknown, string | undefined>>>;

export interface HeaderShape {
  readonly name: string;
  readonly description: string;
}

export interface OtherStatus {
  readonly when: string;
  /** Not in the envelope of the route. */
  readonly reply?: z.ZodType;
}

export interface ServiceRoute extends Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Parameters are segments that begin with a colon: `/1.0/identifiers/:did`. */
  readonly path: string;
  /** The same handler behind the sealed layer. */
  readonly sealedPath?: string;
  readonly carries: Carried;
  /**
   * `optionalKey`: whoever gives a key must give a good one; without any the caller is nobody in particular. `grant`: the
   * header Authorization holds an access token, which the handler is given (`Call.grant`) and has to verify.
   */
  readonly access: 'open' | 'optionalKey' | 'key' | 'grant';
  /** Whatever web page may read it: it needs no key, changes nothing, and is about nobody in particular. */
  readonly isPublic?: true;
  /**
   * Wallets call it, also those that are pages: whatever page may, as nothing that a browser has of its own counts here.
   */
  readonly isForWallets?: true;
  /**
   * Parameters of the address and a body that are unknown are passed over, as protocols with extensions have it; empty
   * ones are not there. Members of a body are its schema's business: `z.object`, not `strict`.
   */
  readonly ignoresUnknown?: true;
  /** That it is read does something, which whoever asks for the headers alone does not expect: HEAD is not answered. */
  readonly notesReading?: true;
  /** Given where access is `key`, unless several will do: then the handler decides. */
  readonly scope?: ApiScope;
  /** The key may also stand in the body, as member `authorization`. */
  readonly isKeyInBody?: true;
  /** Heavy routes compute proofs and have a rate limit of their own. */
  readonly cost: 'light' | 'heavy';
  readonly bodyBytesMax?: number;
  /** JSON that is kept, if left out. A route without `body` is refused to whoever sends one that says something. */
  readonly bodyKind?: BodyKind;
  /** Honours the header `Idempotency-Key`. */
  readonly isIdempotent?: true;
  /** Every call makes something new and none is remembered, so the header `Idempotency-Key` is refused. */
  readonly refusesIdempotencyKey?: true;
  readonly params?: TextShape | undefined;
  /** Every parameter that may stand in the address; none of them is empty. */
  readonly query?: TextShape | undefined;
  /** Headers of its own, for the document; those of keys, seals and idempotency are known. */
  readonly headers?: readonly HeaderShape[];
  /**
   * Of what the handler answers as JSON; 200, if left out. 204 has no body: its reply is null. 303 sends a browser on, and
   * its body is empty.
   */
  readonly status?: 201 | 202 | 204 | 303;
  /** Further statuses that are no faults, and when they come; with a reply of their own, where it is another. */
  readonly otherStatuses?: Readonly<Record<number, OtherStatus>>;
  /** Headers of its answers by status, for the document. */
  readonly replyHeaders?: Readonly<Record<number, readonly HeaderShape[]>>;
  /**
   * Media types of replies and of refusals by the handler, the usual one first, where it is not `application/json`
   * alone.
   */
  readonly replyTypes?: readonly string[];
  /**
   * The answer is server-sent events, each of which is what `reply` says; one of this name is the last, and none where it
   * is false.
   */
  readonly lastEvent?: string | false | undefined;
  /** How answers are wrapped; bare replies and problem details, if left out. */
  readonly envelope?: ServiceEnvelope;
  /** Beside those that its shape, its access and its idempotency bring along: `faultsOf` has all of them. */
  readonly faults: readonly FaultName[];
  readonly read: (input: never) => unknown;
}

export type ServiceRouteTable = Readonly<Record<string, ServiceRoute>>;

/** What any route may answer, whatever it does. */
export const commonFaults: readonly FaultName[] = [
  'pageRefused',
  'hostUnknown',
  'bodyTooLarge',
  'tooManyRequests',
  'internalError',
  'overloaded',
  'databaseFailed',
];
/** What the shape of any request may be refused with, be it for a parameter in the address alone. */
const shapeFaults: readonly FaultName[] = ['requestMalformed'];
/** Whoever may show a key or a token may show a wrong one. */
const keyFaults: Readonly<Record<ServiceRoute['access'], readonly FaultName[]>> = {
  open: [],
  optionalKey: ['notAuthenticated'],
  key: ['notAuthenticated', 'notAllowed'],
  grant: ['accessTokenMissing', 'accessTokenInvalid', 'dpopProofInvalid'],
};
const idempotencyFaults: readonly FaultName[] = ['requestInProgress', 'idempotencyMismatch'];
export const sealedFaults: readonly FaultName[] = ['sealMalformed'];
/** Of requests that carry a signature with its key. */
export const signatureFaults = ['signatureMalformed', 'publicKeyMalformed'] as const;
/** Of routes that ask the ledger. */
export const ledgerFaults = ['ledgerUnreachable', 'ledgerChanged', 'ledgerFailed'] as const;
/** Of routes that hand a transaction to it. */
export const submitFaults = [...ledgerFaults, 'ledgerUnconfirmed'] as const;

/** Everything that a route may be refused with. */
export const faultsOf = (route: ServiceRoute): FaultName[] => [
  ...shapeFaults,
  ...keyFaults[route.access],
  ...route.faults,
  ...(route.isIdempotent ? idempotencyFaults : []),
  ...commonFaults,
];

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What `read` is given: every part as its schema put it out, or undefined where the row names no schema. */
export interface ServiceInput<Params, Query, Body> {
  readonly params: Output<Params>;
  readonly query: Output<Query>;
  readonly body: Output<Body>;
}

/** Checks one row, types what `read` is given, and keeps the schemas' own types for typed clients. */
export function defineServiceRoute<
  Read,
  Reply extends z.ZodType,
  Params extends TextShape | undefined = undefined,
  Query extends TextShape | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  LastEvent extends string | false | undefined = undefined,
>(
  route: Omit<ServiceRoute, 'params' | 'query' | 'body' | 'reply' | 'read' | 'lastEvent'> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    readonly reply: Reply;
    readonly lastEvent?: LastEvent;
    readonly read: (input: ServiceInput<Params, Query, Body>) => Read;
  },
) {
  return route;
}

/** What a row has that only reads what everybody may know. */
export const publicReading = {
  method: 'GET',
  carries: 'plain',
  access: 'open',
  isPublic: true,
  cost: 'light',
} as const;

export type ServiceRequestOf<Row extends ServiceRoute> = ReturnType<Row['read']>;

/** Who calls, as far as the service knows. */
export interface Caller {
  readonly keyId?: string;
  /** The DID that the caller's key acts for. */
  readonly did?: string;
  readonly scopes: ReadonlySet<ApiScope>;
  /** The session of a browser that shows it, by the name under which the service keeps it. */
  readonly session?: string;
  /** The network address. */
  readonly address: string;
}

/** An access token as it was shown, not believed yet. */
export interface ShownGrant {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
  /** The header DPoP, which one of the scheme DPoP always has: three parts of base64url. */
  readonly dpopProof?: string;
}

export interface Call {
  readonly caller: Caller;
  /** On routes whose access is `grant`. */
  readonly grant?: ShownGrant;
  readonly requestId: string;
  /** What the caller marks repetitions of this request with, on routes that honour it. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /**
   * Has something done once the answer has been sent whole, and something else where the caller is gone before;
   * neither, if the process ends before.
   */
  readonly whenAnswered?: (work: () => Promise<void>, ifLost?: () => Promise<void>) => void;
  readonly rawBody?: string;
  /** A header of the request, by its name in lower case; undefined where there is none or more than one. */
  readonly header: (name: string) => string | undefined;
  /** Of all headers that came, in lower case. */
  readonly headerNames: readonly string[];
  /** Of the request as it was sent; absent where none was. */
  readonly httpVersion?: string;
}

/** An answer that is not plain JSON with status 200. */
export interface TextReply {
  readonly status?: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers?: ReplyHeaders;
}

/** By name; one that may stand several times, as cookies do, has a list. */
export type ReplyHeaders = Readonly<Record<string, string | string[]>>;

/** An answer that goes on while things happen, such as server-sent events; it ends when the chunks do. */
export interface StreamReply {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
}
export type ServiceReply = JsonObject | TextReply | StreamReply;

/** No JSON reply of the table has both members. */
export function isTextReply(reply: ServiceReply): reply is TextReply {
  return typeof reply.contentType === 'string' && 'text' in reply && typeof reply.text === 'string';
}

/** JSON has no iterables. */
export function isStreamReply(reply: ServiceReply): reply is StreamReply {
  const { chunks } = reply as Partial<StreamReply>;
  return typeof chunks === 'object' && chunks !== null && Symbol.asyncIterator in chunks;
}

/** What a handler of a row may answer: the row's own reply, or a text or stream of another form. */
export type ServiceReplyOf<Row extends ServiceRoute> = z.input<Row['reply']> | TextReply | StreamReply;

export type ServiceHandlers<Routes extends ServiceRouteTable> = {
  readonly [Name in keyof Routes]: (
    request: ServiceRequestOf<Routes[Name]>,
    call: Call,
  ) => Promise<ServiceReplyOf<Routes[Name]>>;
};

/** A request as it arrived: texts of path and query, and the body's value. */
export interface ArrivedRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: JsonValue;
}

/**
 * Checks a request against its row and turns it into the inside's request; throws `Fault`, `requestMalformed` mostly.
 */
export function readServiceRequest<Row extends ServiceRoute>(
  route: Row,
  request: ArrivedRequest,
): ServiceRequestOf<Row> {
  const arrived = route.ignoresUnknown ? knownPart(route.query, request) : request;
  const complaints = [
    ...unstorable(arrived.params, '/params'),
    ...unstorable(arrived.query, '/query'),
    ...blankParameters(route.query, arrived.query),
  ];
  if (complaints.length > 0) throw malformed(complaints);
  const check = (schema: z.ZodType | undefined, value: unknown, root: string): unknown => {
    if (!schema) return undefined;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    complaints.push(...complaintsOf(result.error.issues, root));
    return undefined;
  };
  const params = check(route.params, arrived.params ?? {}, '/params');
  complaints.push(...unknownParameters(route.query, arrived.query));
  const query = check(route.query, arrived.query ?? {}, '/query');
  const body = check(route.body, arrived.body, '');
  if (complaints.length > 0) throw malformed(complaints);
  const read = route.read as (input: unknown) => ServiceRequestOf<Row>;
  const understood = read({ params, query, body });
  // Texts of the body were looked at when it was parsed; those that are JSON themselves are parsed only here.
  if (!areTextsStorable(understood)) throw malformedAt('', unstorableText);
  return understood;
}

/** Without the parameters that the row does not name, and those that say nothing. */
function knownPart(shape: TextShape | undefined, { query = {}, ...arrived }: ArrivedRequest): ArrivedRequest {
  const known = Object.entries(query).filter(
    ([name, text]) => shape && Object.hasOwn(shape.shape, name) && text?.trim() !== '',
  );
  return { ...arrived, query: Object.fromEntries(known) };
}

/** An unknown parameter is refused: an answer that passes it over would answer another question. */
function unknownParameters(shape: TextShape | undefined, given: ArrivedRequest['query'] = {}): FaultDetail[] {
  const known = Object.keys(shape?.shape ?? {});
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .slice(0, complaintsMax)
    .map((name) => ({
      pointer: `/query${jsonPointer([name.slice(0, credentialRequestLimits.nameCharsMax)])}`,
      detail: unknownName(name, known),
    }));
}

/** A parameter without a value is refused: its sender may have lost the value, and does not want all there is. */
const blankParameters = (shape: TextShape | undefined, given: ArrivedRequest['query'] = {}): FaultDetail[] =>
  Object.keys(shape?.shape ?? {})
    .filter((name) => given[name]?.trim() === '')
    .map((name) => ({ pointer: `/query${jsonPointer([name])}`, detail: 'must not be empty' }));

const unstorable = (texts: ArrivedRequest['query'], root: string): FaultDetail[] =>
  Object.entries(texts ?? {})
    .filter(([name, text]) => !isStorable(`${name}${text}`))
    .map(([name]) => ({ pointer: root + jsonPointer([name]), detail: unstorableText }));

/**
 * What is wrong, each with its place. Of a choice between forms that none fits, the complaints are those of the form
 * that was most likely meant: of the right kind, with the fewest mistakes.
 */
function complaintsOf(issues: readonly z.core.$ZodIssue[], root: string): readonly FaultDetail[] {
  return issues.slice(0, complaintsMax).flatMap((issue): readonly FaultDetail[] => {
    const pointer = root + jsonPointer(issue.path);
    if (issue.code === 'unrecognized_keys') {
      const lines = issue.message.split('\n');
      const pointerOf = (index: number): string =>
        pointer + jsonPointer([issue.keys[index].slice(0, credentialRequestLimits.nameCharsMax)]);
      return lines.map((detail, index) => ({ pointer: pointerOf(index), detail }));
    }
    const forms = issue.code === 'invalid_union' ? issue.errors.filter(isOfTheKind) : [];
    const [meant] = forms
      .map((errors) => complaintsOf(errors, pointer))
      .toSorted((left, right) => left.length - right.length);
    return meant ?? [{ pointer, detail: issue.message }];
  });
}

const isOfTheKind = (issues: readonly z.core.$ZodIssue[]): boolean =>
  issues.every(({ code, path }) => !otherKind.includes(code) || path.length > 0);

/** One of a few values that is another one is as far off as a value of another type. */
const otherKind: readonly string[] = ['invalid_type', 'invalid_value'];

/** The first complaint is also the detail, so that a person who sees nothing else sees that. */
export function malformed(complaints: readonly FaultDetail[]): Fault {
  const [first] = complaints;
  const detail = first && `${first.pointer === '' ? 'body' : first.pointer}: ${first.detail}`;
  return new Fault('requestMalformed', { detail, errors: complaints.slice(0, complaintsMax) });
}

/** One complaint. */
export const malformedAt = (pointer: string, detail = 'is missing'): Fault =>
  malformed([{ pointer, detail }]);

/** RFC 6901. */
export const jsonPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
