/**
 * How answers of the interface document's further endpoints are wrapped: three envelopes that clients of the family
 * read, each one renderer over the same reply and the same fault, and its reader. The routes of the interface document
 * itself have none: their replies are bare and their failures problem details.
 */
import type { Fault } from '@symbolon/core/faults/faults';
import type { JsonObject, JsonValue } from '../json/json.ts';
import {
  custodyCodes,
  custodySystemError,
  familyCodeOf,
  familyMessage,
  reasonNumber,
} from './family-words.ts';

export interface ServiceEnvelope {
  success(reply: JsonObject): JsonObject;
  /** `headers` stand beside those that a fault has in every envelope. */
  failure(
    fault: Fault,
    requestId: string,
  ): {
    readonly status: number;
    readonly body: JsonObject;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** The member of the body that holds the reply. */
  readonly holder: string;
  /** What `success` was given, for clients; undefined where the body holds no reply. */
  open(body: JsonObject): JsonValue | undefined;
  /** What its refusals are called in the documentation. */
  readonly refusalName: string;
  /** Both bodies as JSON Schema, for the documentation of a route with this reply. */
  describe(reply: JsonObject): { readonly success: JsonObject; readonly failure: JsonObject };
}

/** An object all of whose members are always there. */
const shape = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const [text, whole, factsOrNull] = [{ type: 'string' }, { type: 'integer' }, { type: ['object', 'null'] }];

/** `{object, messages}`: verification, facilitator. A success says `messages: []`, because clients parse every one. */
export const objectEnvelope: ServiceEnvelope = {
  success: (reply) => ({ object: reply, messages: [], success: true, httpStatus: 200 }),
  failure: (fault, requestId) => ({
    status: fault.status,
    body: {
      object: fault.facts ?? null,
      messages: [{ type: 'ERROR', errorCode: familyCodeOf(fault), message: familyMessage(fault) }],
      success: false,
      httpStatus: fault.status,
      code: fault.code,
      traceId: requestId,
    },
  }),
  holder: 'object',
  open: ({ object }) => object,
  refusalName: 'SessionRefusal',
  describe: (reply) => ({
    success: shape({
      object: reply,
      messages: { type: 'array', maxItems: 0 },
      success: { const: true },
      httpStatus: { const: 200 },
    }),
    failure: shape({
      object: factsOrNull,
      messages: {
        type: 'array',
        items: shape({ type: { const: 'ERROR' }, errorCode: whole, message: text }),
      },
      success: { const: false },
      httpStatus: whole,
      code: text,
      traceId: text,
    }),
  }),
};

/** `{status, message, data}`: paid issuance, extended presentations. */
export const dataEnvelope: ServiceEnvelope = {
  success: (reply) => ({ status: 200, message: 'success', data: reply }),
  failure: (fault, requestId) => ({
    status: fault.status,
    body: {
      status: familyCodeOf(fault),
      message: familyMessage(fault),
      data: fault.facts ?? null,
      code: fault.code,
      requestId,
    },
  }),
  holder: 'data',
  open: ({ data }) => data,
  refusalName: 'ExtendedRefusal',
  describe: (reply) => ({
    success: shape({ status: { const: 200 }, message: text, data: reply }),
    failure: shape({ status: whole, message: text, data: factsOrNull, code: text, requestId: text }),
  }),
};

/** `{errorCode, message, data}` with status 200 whatever happened, because wallets read nothing of any other. */
export const custodyEnvelope: ServiceEnvelope = {
  success: (reply) => ({ errorCode: 0, message: 'success', data: reply }),
  failure: (fault, requestId) => ({
    status: 200,
    body: {
      errorCode: reasonNumber(fault) ?? custodyCodes[fault.code] ?? custodySystemError,
      message: fault.message,
      // A full-width colon stands between field and text.
      data:
        fault.errors.length === 0
          ? null
          : { errorList: fault.errors.map(({ pointer, detail }) => `${pointer.slice(1)}\uFF1A${detail}`) },
      code: fault.code,
      requestId,
    },
  }),
  holder: 'data',
  open: ({ data }) => data,
  refusalName: 'CustodyRefusal',
  describe: (reply) => ({
    success: shape({ errorCode: { const: 0 }, message: text, data: reply }),
    failure: shape({ errorCode: whole, message: text, data: factsOrNull, code: text, requestId: text }),
  }),
};
