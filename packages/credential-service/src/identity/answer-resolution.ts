/**
 * `GET /1.0/identifiers/{did}` (W3C DID Resolution, HTTP binding): resolves a DID, or dereferences a DID URL to a
 * service's address or a part of the document. Turns a request into an answer; the resolver does the work. Errors
 * are answered in this interface's own form, not in the service's.
 */
import { unixMsOf } from '@symbolon/core/basics/calendar';
import { splitDidUrl } from '@symbolon/core/did/did';
import type { DidDocument, DidResolution } from '@symbolon/core/did/did-document';
import { Fault } from '@symbolon/core/faults/faults';
import type { TextReply } from '@symbolon/wire/http/service-route';
import {
  type AnswerType,
  chooseAnswerType,
  dereferencingType,
  documentType,
  resultType,
} from './media-types.ts';
import type { ResolveOptions, Resolver } from './resolver.ts';

export interface ResolutionRequest {
  /** The path's last part, decoded: a DID, or a whole DID URL. */
  readonly did: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly accept?: string;
}

const errors = {
  invalidDid: [400, 'INVALID_DID', 'This is not a DID'],
  invalidDidUrl: [400, 'INVALID_DID_URL', 'This DID URL cannot be dereferenced'],
  invalidOptions: [400, 'INVALID_OPTIONS', 'The options are not valid'],
  notFound: [404, 'NOT_FOUND', 'There is no such thing'],
  representationNotSupported: [
    406,
    'REPRESENTATION_NOT_SUPPORTED',
    'None of the accepted media types is served',
  ],
  internalError: [500, 'INTERNAL_ERROR', 'The ledger cannot be reached'],
  methodNotSupported: [501, 'METHOD_NOT_SUPPORTED', 'The DID method is not supported'],
} as const;
type ErrorName = keyof typeof errors;

interface Target extends ResolveOptions {
  readonly did: string;
  readonly service?: string;
  readonly relativeRef?: string;
  readonly fragment?: string;
}

/** `onFailure` hears of a ledger that cannot be reached: the client is told no more than that. */
export async function answerResolution(
  resolver: Resolver,
  request: ResolutionRequest,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<TextReply> {
  const type = chooseAnswerType(request.accept);
  if (!type) return refusal('representationNotSupported', resultType);
  const target = readTarget(request);
  if (typeof target === 'string') return refusal(target, type.contentType);
  const { did, versionId, versionTime } = target;
  try {
    const outcome = await resolver.resolveDid(did, { versionId, versionTime });
    if (typeof outcome === 'string') return refusal(outcome, type.contentType);
    const isPart = target.service !== undefined || target.fragment !== undefined;
    if (isPart) return dereference(outcome, target, type);
    return type.form === 'dereferencing'
      ? answerContent(outcome, outcome.document, type)
      : answer(outcome, type);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'ledgerUnreachable') throw error;
    onFailure(error);
    return refusal('internalError', type.contentType);
  }
}

const parameterNames = ['versionId', 'versionTime', 'service', 'relativeRef'];

/** Parameters stand behind the path's last part, or within it when that is a whole DID URL. */
function readTarget({ did: text, query = {} }: ResolutionRequest): Target | ErrorName {
  const url = splitDidUrl(text);
  if (!url) return 'invalidDid';
  if (url.path !== '') return 'notFound';
  const inner = new URLSearchParams(url.query ?? '');
  // What is not known, or blank, may be the version that was asked for.
  if ([...inner].some(([name, value]) => !parameterNames.includes(name) || value.trim() === ''))
    return 'invalidDidUrl';
  const parameter = (name: string): string | undefined => inner.get(name) ?? query[name];
  const [versionId, versionTimeText] = [parameter('versionId'), parameter('versionTime')];
  if (versionId !== undefined && versionTimeText !== undefined) return 'invalidOptions';
  const versionTime = versionTimeText === undefined ? undefined : readTime(versionTimeText);
  if (versionTimeText !== undefined && versionTime === undefined) return 'invalidOptions';
  if (versionId !== undefined && !/^(0|[1-9][0-9]{0,18})$/.test(versionId)) return 'notFound';
  const [service, relativeRef] = [parameter('service'), parameter('relativeRef')];
  if (relativeRef !== undefined && service === undefined) return 'invalidDidUrl';
  const { did, fragment } = url;
  return { did, versionId, versionTime, service, relativeRef, fragment };
}

/** An XML date-time with a time zone; fractions of a second are cut off. A plus sign in a query stands for a space. */
function readTime(text: string): number | undefined {
  const wholeSeconds = text.replace(/\.\d{1,9}(?=[Z+ -])/, '').replace(' ', '+');
  const milliseconds = unixMsOf(wholeSeconds);
  return milliseconds !== undefined && milliseconds >= 0 ? milliseconds / 1_000 : undefined;
}

function dereference(resolution: DidResolution, target: Target, type: AnswerType): TextReply {
  const { document, metadata } = resolution;
  if (metadata.deactivated) return answer(resolution, type);
  const { did, service: name, relativeRef, fragment } = target;
  if (name === undefined) {
    const id = `${did}#${fragment}`;
    const parts = [...(document.verificationMethod ?? []), ...(document.service ?? [])];
    const part = parts.find((candidate) => candidate.id === id);
    if (!part) return refusal('notFound', type.contentType);
    return answerContent(resolution, { '@context': document['@context'], ...part }, type);
  }
  const service = document.service?.find(({ id }) => id === `${did}#${name}`);
  if (!service) return refusal('notFound', type.contentType);
  const address = addressAt(service.serviceEndpoint, relativeRef, fragment);
  if (address === undefined) return refusal('invalidDidUrl', type.contentType);
  if (type.form === 'any') return reply(303, 'text/uri-list', '', { location: address });
  return type.form === 'document'
    ? refusal('representationNotSupported', resultType)
    : answerContent(
        resolution,
        address,
        { form: 'dereferencing', contentType: dereferencingType },
        'text/uri-list',
      );
}

/** A relative reference stays with the service that its owner published: it must not lead to anybody else. */
function addressAt(endpoint: string, relativeRef = '', fragment?: string): string | undefined {
  if (!URL.canParse(endpoint) || !URL.canParse(relativeRef, endpoint)) return undefined;
  const base = new URL(endpoint);
  const address = relativeRef === '' ? base : new URL(relativeRef, base);
  if (address.origin !== base.origin || address.username !== '' || address.password !== '') return undefined;
  if (fragment !== undefined) address.hash = fragment;
  return address.href;
}

const statusOf = ({ metadata }: DidResolution): number => (metadata.deactivated ? 410 : 200);

function answer(resolution: DidResolution, { form, contentType }: AnswerType): TextReply {
  const { document, metadata } = resolution;
  const status = statusOf(resolution);
  if (form === 'document') return reply(status, contentType, JSON.stringify(document));
  const answerType = form === 'dereferencing' ? resultType : contentType;
  const didResolutionMetadata = { contentType: answerType };
  const body = { didDocument: document, didResolutionMetadata, didDocumentMetadata: metadata };
  return reply(status, answerType, JSON.stringify(body));
}

function answerContent(
  resolution: DidResolution,
  content: DidDocument | object | string,
  { form, contentType }: AnswerType,
  contentOfType: string = documentType,
): TextReply {
  const status = statusOf(resolution);
  if (form === 'document') return reply(status, contentType, JSON.stringify(content));
  const body = {
    content,
    dereferencingMetadata: { contentType: contentOfType },
    contentMetadata: resolution.metadata,
  };
  return reply(status, dereferencingType, JSON.stringify(body));
}

/** Also to a client that wants the document alone: there is none, so it gets the result that says why. */
function refusal(name: ErrorName, contentType: string): TextReply {
  const [status, urlName, title] = errors[name];
  const error = { type: `https://www.w3.org/ns/did#${urlName}`, title, status };
  const isDereferencing = contentType === dereferencingType;
  const body = isDereferencing
    ? { content: null, dereferencingMetadata: { error }, contentMetadata: {} }
    : { didDocument: null, didResolutionMetadata: { error }, didDocumentMetadata: {} };
  const answerType = isDereferencing || contentType === 'application/json' ? contentType : resultType;
  return reply(status, answerType, JSON.stringify(body));
}

/** A document is good until the next block. */
const reply = (
  status: number,
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): TextReply => ({
  status,
  contentType,
  text,
  headers: { 'cache-control': 'no-cache', vary: 'accept', ...headers },
});
