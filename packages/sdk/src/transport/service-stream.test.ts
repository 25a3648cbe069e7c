import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type LedgerBlockEvent,
  type LedgerStreamEvent,
  renderLedgerBlock,
  renderLedgerNews,
  renderLedgerOpening,
} from '@symbolon/wire/console/replies';
import { SdkError } from '../errors/errors.ts';
import { createCredentialClient } from '../service/credential-client.ts';
import type { ServiceRequest, ServiceStream, ServiceTransport } from './service-transport.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const event = (status: string, name = 'status') =>
  `event: ${name}\nid: ${status}\ndata: ${JSON.stringify({ presentation_id: 'p', state_id: 's', status })}\n\n`;

const block: LedgerBlockEvent = {
  seq: '7',
  hash: 'ab',
  closeTime: '2026-01-31T12:00:00.000Z',
  transactionCount: 0,
  transactions: [],
};

/** What one connection brings: texts, and how it ends. */
interface Connection {
  readonly texts: readonly string[];
  readonly breaks?: boolean;
  readonly status?: number;
  readonly contentType?: string;
}

/** A service whose streams a test writes; the last connection is repeated. */
function scripted(connections: readonly Connection[]) {
  const asked: ServiceRequest[] = [];
  const stream = async (request: ServiceRequest): Promise<ServiceStream> => {
    asked.push(request);
    const {
      texts,
      breaks,
      status = 200,
      contentType = 'text/event-stream',
    } = connections[Math.min(asked.length, connections.length) - 1] ?? { texts: [] };
    async function* chunks() {
      // Says how short the wait before the next connection may be.
      if (status === 200) yield encode('retry: 1\n\n');
      for (const text of texts) yield encode(text);
      if (breaks) throw new SdkError('unreachable', 'broken', { hint: 'wait' });
    }
    return { status, contentType, retryAfter: undefined, headers: {}, chunks: chunks() };
  };
  const answer = async () => ({ status: 500, contentType: '', retryAfter: undefined, text: '' });
  const transport: ServiceTransport = Object.assign(answer, { stream });
  return { client: createCredentialClient(transport, { apiKey: 'k' }), asked };
}

async function statesOf(connections: readonly Connection[]): Promise<readonly string[]> {
  const states: string[] = [];
  for await (const { status } of scripted(connections).client.watchVerification({ id: 'p' }))
    states.push(status);
  return states;
}

describe('a stream of a route', () => {
  it('ends with its last event', async () => {
    const texts = [event('CREATED'), event('VERIFIED', 'result'), event('NEVER')];
    assert.deepEqual(await statesOf([{ texts }]), ['CREATED', 'VERIFIED']);
  });

  it('ends where there is no end', async () => {
    const texts = Array.from({ length: 20_000 }, (_, index) =>
      event(index % 2 === 0 ? 'CREATED' : 'FETCHED'),
    );
    await assert.rejects(statesOf([{ texts }]), /does not end/);
  });

  it('is opened again where it broke or ended early, and tells nothing twice', async () => {
    const { client, asked } = scripted([
      { texts: [event('CREATED')], breaks: true },
      { texts: [event('CREATED'), event('FETCHED')] },
      { texts: [event('FETCHED'), event('VERIFIED', 'result')] },
    ]);
    const states: string[] = [];
    for await (const { status } of client.watchVerification({ id: 'p' })) states.push(status);
    assert.deepEqual(states, ['CREATED', 'FETCHED', 'VERIFIED']);
    assert.deepEqual(
      asked.map(({ headers }) => headers['last-event-id']),
      [undefined, 'CREATED', 'FETCHED'],
    );
    assert.equal(asked[0]?.headers.accept, 'text/event-stream');
    assert.equal(asked[0]?.headers.authorization, 'Bearer k');
  });

  it('of blocks says which are left out, and that the node is silent, and goes on', async () => {
    const { client, asked } = scripted([
      {
        texts: [
          renderLedgerOpening('7', 5n),
          renderLedgerNews({ event: 'gap', seq: '7' }),
          renderLedgerNews({ event: 'lost' }),
        ],
        breaks: true,
      },
      { texts: [renderLedgerNews({ event: 'back' }), renderLedgerBlock(block)] },
    ]);
    const told: LedgerStreamEvent[] = [];
    for await (const event of client.watchBlocks()) {
      told.push(event);
      if (!('event' in event)) break;
    }
    assert.deepEqual(told, [{ event: 'gap', seq: '7' }, { event: 'lost' }, { event: 'back' }, block]);
    assert.equal(asked[1]?.headers['last-event-id'], '5');
  });

  it('is given up after some tries without an event', async () => {
    await assert.rejects(statesOf([{ texts: [] }]), { code: 'unreachable' });
    await assert.rejects(statesOf([{ texts: [], breaks: true }]), { code: 'unreachable' });
  });

  it('is opened again when the service is too busy for a moment, or a gateway has nobody behind it', async () => {
    const busy = { type: 'x', title: 't', status: 503, code: 'overloaded', detail: 'busy', requestId: 'r' };
    const said = {
      status: 503,
      contentType: 'application/problem+json',
      texts: [JSON.stringify(busy)],
    };
    const gateway = { status: 502, contentType: 'text/html', texts: ['<html>'] };
    const told = { texts: [event('VERIFIED', 'result')] };
    assert.deepEqual(await statesOf([said, gateway, told]), ['VERIFIED']);
  });

  it('says what the service says against it', async () => {
    const body = {
      type: 'x',
      title: 't',
      status: 404,
      code: 'sessionUnknown',
      detail: 'gone',
      requestId: 'r',
    };
    const refused = { status: 404, contentType: 'application/problem+json', texts: [JSON.stringify(body)] };
    await assert.rejects(statesOf([refused]), { code: 'sessionUnknown', name: 'ServiceError' });
    for (const texts of [['data: {}\n\n'], ['data: no JSON\n\n']]) {
      await assert.rejects(statesOf([{ texts }]), { code: 'unexpectedReply' });
    }
    await assert.rejects(statesOf([{ texts: ['hello'], contentType: 'text/html' }]), { code: 'httpStatus' });
  });

  it('ends with its signal, also between two connections', async () => {
    const { client } = scripted([{ texts: [event('CREATED')] }]);
    const controller = new AbortController();
    const watch = async () => {
      for await (const _event of client.watchVerification({ id: 'p' }, { signal: controller.signal })) {
        controller.abort(new Error('enough'));
      }
    };
    await assert.rejects(watch, /enough/);
    await assert.rejects(watch, /enough/);
  });

  it('needs a transport that carries streams', async () => {
    const client = createCredentialClient(async () => ({
      status: 200,
      contentType: '',
      retryAfter: undefined,
      text: '',
    }));
    await assert.rejects(
      async () => {
        for await (const _event of client.watchVerification({ id: 'p' })) assert.fail();
      },
      { code: 'invalidArgument' },
    );
  });
});
