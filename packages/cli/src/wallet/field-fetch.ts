/**
 * How the wallet reaches issuers and verifiers of the field, whose addresses strangers name in links: public ones alone,
 * each at the very address that was checked; beside these the service that its owner chose, wherever it is.
 */
import type { Fetch } from '@symbolon/sdk/transport/http-exchange';
import { callOut } from './calling-policy.ts';

export const fieldFetch =
  (serviceUrl: string): Fetch =>
  async (url, { method, headers, body }) => {
    const { origin } = new URL(url);
    const origins = new Map([[origin, { allowPrivate: origin === new URL(serviceUrl).origin }]]);
    const call = { url, method: method === 'GET' ? 'GET' : 'POST', headers } as const;
    const answer = await callOut(origins, { ...call, ...(body !== undefined && { body }) });
    const hasNone = answer.status === 204 || answer.status === 304;
    return new Response(hasNone ? null : answer.text, { status: answer.status, headers: answer.headers });
  };
