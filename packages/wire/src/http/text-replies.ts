/** Answers of handlers that are no JSON object with the usual status of their route. */
import { type JsonObject, stringifyJson } from '../json/json.ts';
import type { ReplyHeaders, TextReply } from './service-route.ts';

/** JSON with a status or a type of its own; routes say these in `otherStatuses` and `replyTypes`. */
export const jsonAnswer = (
  body: JsonObject,
  {
    status = 200,
    contentType = 'application/json',
    headers = {},
  }: { readonly status?: number; readonly contentType?: string; readonly headers?: ReplyHeaders },
): TextReply => ({ status, contentType, text: stringifyJson(body), headers });

/**
 * Sends a browser on, as an authorization endpoint does; nothing else of the service does. By 303, after which no browser
 * repeats what it has sent (RFC 9700).
 */
export const sendOn = (location: string, headers: ReplyHeaders = {}): TextReply => ({
  status: 303,
  contentType: 'text/plain; charset=utf-8',
  text: '',
  headers: { ...headers, location },
});
