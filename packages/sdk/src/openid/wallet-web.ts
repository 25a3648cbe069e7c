/**
 * How a wallet calls issuers and verifiers that it learns of from a link: bounded in time and size, without redirects,
 * nothing secret over plain http to another machine. Which addresses may be called at all is for whoever gives `fetch`.
 */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { SdkError } from '../errors/errors.ts';
import { openidWalletLimits as limits } from '../limits/client-limits.ts';
import { createHttpExchange, type HttpTransportOptions } from '../transport/http-exchange.ts';

export interface WebCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Names the call in errors. */
  readonly place: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether somebody on the way may read it. */
  readonly isPublic?: boolean;
}

export interface WebAnswer {
  readonly status: number;
  /** Without parameters, in lower case. */
  readonly type: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface WalletWeb {
  readonly call: (call: WebCall) => Promise<WebAnswer>;
  /** A document that anybody may read. */
  readonly fetchText: (url: string, accept: string) => Promise<string | Complaint>;
}

export function createWalletWeb(options: HttpTransportOptions): WalletWeb {
  const bounded = { responseBytesMax: limits.answerBytesMax, ...options };
  const call = async ({ method, url, place, headers = {}, body, isPublic }: WebCall): Promise<WebAnswer> => {
    const { origin, pathname, search } = requireAddress(url, place);
    const answer = await createHttpExchange(origin, 'service', bounded).send({
      ...{ method, place, headers, pathWithQuery: `${pathname}${search}` },
      ...(body !== undefined && { bodyText: body }),
      carries: isPublic ? 'plain' : 'secret',
    });
    const type = answer.contentType.split(';', 1)[0].trim().toLowerCase();
    return { status: answer.status, type, headers: answer.headers, text: textOf(answer.bytes, place) };
  };
  const fetchText = async (url: string, accept: string): Promise<string | Complaint> => {
    try {
      const order = { method: 'GET', url, place: 'a document', headers: { accept }, isPublic: true } as const;
      const { status, text } = await call(order);
      return status === 200 ? text : { complaint: `its host answered ${status}` };
    } catch (error) {
      if (error instanceof SdkError) return { complaint: error.message };
      throw error;
    }
  };
  return { call, fetchText };
}

/** Without a name or password in it, which would be sent. */
function requireAddress(text: string, place: string): URL {
  const url = text.length <= limits.addressCharsMax ? URL.parse(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '')
    return url;
  throw new SdkError('unexpectedReply', `${place} has no http address`, {
    hint: 'Nothing was sent. Take the whole link as it was sent, or ask for a new one.',
  });
}

function textOf(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SdkError('notJson', `the answer of ${place} is no text`, {
      hint: 'Something else than an issuer or verifier of OpenID answers there.',
      cause,
    });
  }
}
