import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { sessionFetch } from './clients.ts';
import { resumeReads, stopReads } from './tab-session.ts';

Object.defineProperty(globalThis, 'sessionStorage', { value: { getItem: () => null }, configurable: true });

/** A service that accepts, and answers as told; what the fetch of a tab makes of it. */
async function frozenWorld(
  context: TestContext,
  answer: (response: ServerResponse) => void,
  silenceMs: number,
) {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const heard: string[] = [];
  const hear = (word: string) => () => void heard.push(word);
  const fetch = sessionFetch(
    { answered: hear('answered'), failed: hear('failed'), look: hear('look') },
    silenceMs,
  );
  const ask = (signal: AbortSignal) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      method: 'GET',
      headers: {},
      redirect: 'manual',
      signal,
    });
  return { ask, heard };
}

test('whoever accepts and does not answer in time is doubted', async (context) => {
  const { ask, heard } = await frozenWorld(context, () => undefined, 1_000);
  await assert.rejects(ask(AbortSignal.timeout(20)));
  assert.deepEqual(heard, ['look']);
  await assert.rejects(ask(AbortSignal.abort()));
  assert.deepEqual(heard, ['look'], 'who stops it knows why');
});

test('a stream that is silent for too long is a doubt, and goes on', async (context) => {
  let speak = (): void => undefined;
  const { ask, heard } = await frozenWorld(
    context,
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': still here\n\n');
      speak = () => void response.write(': still here\n\n');
    },
    30,
  );
  const { body } = await ask(AbortSignal.timeout(5_000));
  const reader = body?.getReader();
  assert.equal((await reader?.read())?.done, false);
  assert.deepEqual(heard, ['answered']);
  const later = reader?.read();
  setTimeout(() => speak(), 90);
  assert.equal((await later)?.done, false);
  assert.deepEqual(heard, ['answered', 'look']);
  await reader?.cancel();
});

test('what is read when its session is being ended is taken back, and is no lost connection', async (context) => {
  const { ask, heard } = await frozenWorld(context, () => undefined, 1_000);
  const asked = ask(AbortSignal.timeout(5_000));
  stopReads();
  await assert.rejects(asked, { name: 'AbortError' });
  await assert.rejects(ask(AbortSignal.timeout(5_000)), { name: 'AbortError' });
  resumeReads();
  await assert.rejects(ask(AbortSignal.timeout(20)), { name: 'TimeoutError' });
  assert.deepEqual(heard, ['look']);
});
