/**
 * The service as its own client, before it listens to anybody else: the SDK's flows over the handlers themselves, with
 * requests read and replies written as they are for everybody. Access is not checked: whoever has the handlers decides
 * who calls.
 */
import { assert } from '@symbolon/core/basics/assert';
import { createIssuanceHandlers } from '@symbolon/credential-service/issuance/issuance-handlers';
import { createPaymentHandlers } from '@symbolon/credential-service/payments/payment-handlers';
import { findSalePrice } from '@symbolon/credential-service/payments/price-rows';
import { createStatusHandlers } from '@symbolon/credential-service/status/status-handlers';
import { createTemplateHandlers } from '@symbolon/credential-service/templates/template-handlers';
import type { AllParts } from '@symbolon/credential-service/wiring/all-parts';
import type { CredentialClient } from '@symbolon/sdk/index';
import { createCredentialClient } from '@symbolon/sdk/service/credential-client';
import type { ServiceTransport } from '@symbolon/sdk/transport/service-transport';
import {
  type ApiScope,
  type Call,
  readServiceRequest,
  type ServiceRoute,
} from '@symbolon/wire/http/service-route';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';

type Handler = (request: unknown, call: Call) => Promise<JsonObject>;

/** Sends a body to the route at a path, as somebody. */
export type CallService = (path: string, body: JsonObject) => Promise<JsonObject>;

export interface OwnClient {
  /** For the flows of the SDK. */
  readonly client: CredentialClient;
  /** For routes that the SDK's client does not have. */
  readonly post: CallService;
}

/** Whoever has this DID calls; faults come out as they are. */
export function callServiceAs(
  parts: AllParts,
  { did, scopes }: { readonly did: string; readonly scopes: readonly ApiScope[] },
): OwnClient {
  const handlers = {
    ...createTemplateHandlers(parts, findSalePrice),
    ...createIssuanceHandlers(parts),
    ...createStatusHandlers(parts),
    ...createPaymentHandlers(parts),
  } as unknown as Readonly<Record<string, Handler>>;
  const routes = Object.entries<ServiceRoute>(allRoutes);
  const caller = { did, scopes: new Set(scopes), address: '127.0.0.1' };

  const call = async (path: string, rawBody: string, idempotencyKey?: string): Promise<JsonObject> => {
    const [name, route] = routes.find(([, { method, path: own }]) => method === 'POST' && own === path) ?? [];
    const handler = name === undefined ? undefined : handlers[name];
    assert(route && handler, 'what the service asks of itself it can do');
    const header = () => undefined;
    const key = idempotencyKey === undefined ? {} : { idempotencyKey };
    const request = readServiceRequest(route, { body: parseJson(rawBody) });
    return handler(request, { caller, requestId: 'demo', header, headerNames: [], rawBody, ...key });
  };
  const transport: ServiceTransport = async ({ path, bodyText = '{}', headers }) => {
    const reply = await call(path, bodyText, headers['idempotency-key']);
    const text = stringifyJson(reply);
    return { status: 200, contentType: 'application/json', retryAfter: undefined, text };
  };
  const client = createCredentialClient(transport, { audience: parts.settings.publicUrl });
  return { client, post: (path, body) => call(path, stringifyJson(body)) };
}
