import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineServiceRoute } from '@symbolon/wire/http/service-route';
import { grantRow, walletRow } from '@symbolon/wire/oauth/oauth-envelope';
import { z } from 'zod';
import { SdkError } from '../errors/errors.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createRouteClient } from './route-client.ts';
import type { ServiceAnswer, ServiceRequest } from './service-transport.ts';

const common = { group: 'wallets', carries: 'secret', faults: [] } as const;
const params = z.object({ issuer: z.string() });

const routes = {
  token: defineServiceRoute({
    ...common,
    ...walletRow,
    method: 'POST',
    path: '/oid4vci/:issuer/token',
    access: 'open',
    bodyKind: 'form',
    summary: 'A form',
    params,
    body: z.object({ grant_type: z.string(), details: z.array(z.string()).optional() }),
    reply: z.looseObject({ access_token: z.string() }),
    read: ({ body }) => body,
  }),
  notify: defineServiceRoute({
    ...common,
    ...grantRow,
    method: 'POST',
    path: '/oid4vci/:issuer/notification',
    status: 204,
    summary: 'Answers nothing',
    params,
    body: z.object({ event: z.string() }),
    reply: z.null(),
    read: ({ body }) => body,
  }),
  list: defineServiceRoute({
    ...common,
    ...walletRow,
    method: 'GET',
    path: '/status/:issuer',
    access: 'open',
    replyTypes: ['application/statuslist+jwt'],
    summary: 'A JWT',
    params,
    reply: z.string().min(1),
    read: () => ({}),
  }),
};

function clientOf(answer: Omit<ServiceAnswer, 'contentType' | 'retryAfter'>) {
  const sent: ServiceRequest[] = [];
  const transport = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    sent.push(request);
    return { contentType: 'application/json', retryAfter: undefined, ...answer };
  };
  return { client: createRouteClient({ routes, transport, apiKey: undefined }), sent };
}

describe('a client of routes that wallets call', () => {
  it('writes forms, with the names of the path in their place', async () => {
    const { client, sent } = clientOf({ status: 200, text: '{"access_token":"t"}' });
    const given = { issuer: 'a/b', grant_type: 'urn:x y&=', details: ['"'] };
    assert.deepEqual(await client.token(given), { access_token: 't' });
    const [{ path, bodyText, headers, query }] = sent;
    assert.deepEqual([path, query], ['/oid4vci/a%2Fb/token', '']);
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
    assert.deepEqual(Object.fromEntries(new URLSearchParams(bodyText)), {
      grant_type: 'urn:x y&=',
      details: '["\\""]',
    });
    await assert.rejects(
      client.token({ grant_type: 'x' } as never),
      (error) => error instanceof SdkError && error.code === 'invalidArgument',
    );
  });

  it('reads answers that are no JSON', async () => {
    assert.equal(await clientOf({ status: 200, text: 'a.b.c' }).client.list({ issuer: 'i' }), 'a.b.c');
    await assert.rejects(clientOf({ status: 200, text: '' }).client.list({ issuer: 'i' }), SdkError);
    const noted = clientOf({ status: 204, text: '' });
    assert.equal(await noted.client.notify({ issuer: 'i', event: 'e' }), null);
    assert.equal(noted.sent[0].bodyText, '{"event":"e"}');
    await assert.rejects(
      clientOf({ status: 200, text: '' }).client.token({ issuer: 'i', grant_type: 'g' }),
      SdkError,
    );
  });

  it('throws refusals of OAuth by the name of the fault, and strangers as strangers', async () => {
    const refused = { error: 'invalid_grant', error_description: 'used' };
    const { client } = clientOf({ status: 400, text: JSON.stringify(refused) });
    await assert.rejects(client.token({ issuer: 'i', grant_type: 'g' }), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual([error.code, error.status, error.detail], ['grantInvalid', 400, 'used']);
      return true;
    });
    for (const text of ['{"error":"odd"}', '{"error":{}}', '{"error":"constructor"}', 'x'])
      await assert.rejects(
        clientOf({ status: 502, text }).client.token({ issuer: 'i', grant_type: 'g' }),
        (error) => error instanceof SdkError && error.code === 'httpStatus',
      );
  });
});
