import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import {
  Request,
  Response,
  ResponseApplySnapshotChunk,
  ResponseCheckTx,
  ResponseCommit,
  ResponseExtendVote,
  ResponseFinalizeBlock,
  ResponseInfo,
  ResponseInitChain,
  ResponseListSnapshots,
  ResponseLoadSnapshotChunk,
  ResponseOfferSnapshot,
  ResponsePrepareProposal,
  ResponseProcessProposal,
  ResponseQuery,
  ResponseVerifyVoteExtension,
} from 'cosmjs-types/tendermint/abci/types';
import { cometLimits } from '../limits/node-limits.ts';
import { type AbciHandlers, AbciRefusal, AbciServer } from './abci-server.ts';
import { AbciFrames, lengthPrefix } from './frames.ts';

const plainHandlers: AbciHandlers = {
  info: () => ResponseInfo.fromPartial({ data: 'here' }),
  initChain: () => ResponseInitChain.fromPartial({}),
  query: () => ResponseQuery.fromPartial({}),
  checkTx: ({ tx }) => ResponseCheckTx.fromPartial({ code: tx[0] }),
  commit: () => ResponseCommit.fromPartial({}),
  listSnapshots: () => ResponseListSnapshots.fromPartial({}),
  offerSnapshot: () => ResponseOfferSnapshot.fromPartial({}),
  loadSnapshotChunk: () => ResponseLoadSnapshotChunk.fromPartial({}),
  applySnapshotChunk: () => ResponseApplySnapshotChunk.fromPartial({}),
  prepareProposal: () => ResponsePrepareProposal.fromPartial({}),
  processProposal: () => ResponseProcessProposal.fromPartial({}),
  extendVote: () => ResponseExtendVote.fromPartial({}),
  verifyVoteExtension: () => ResponseVerifyVoteExtension.fromPartial({}),
  finalizeBlock: () => ResponseFinalizeBlock.fromPartial({}),
};

async function listen(context: TestContext, handlers: Partial<AbciHandlers> = {}, file?: string) {
  const refused: string[] = [];
  const failures: unknown[] = [];
  let gone = 0;
  const server = await AbciServer.listen({
    address: file === undefined ? { host: '127.0.0.1', port: 0 } : { path: file },
    handlers: { ...plainHandlers, ...handlers },
    onRefused: (reason) => refused.push(reason),
    onFailure: (error) => failures.push(error),
    onGone: () => gone++,
  });
  context.after(() => server.close());
  return { server, refused, failures, gone: () => gone };
}

async function ask(context: TestContext, server: AbciServer) {
  const url = new URL(server.url);
  const socket: Socket =
    url.protocol === 'unix:' ? connect({ path: url.pathname }) : connect(Number(url.port), url.hostname);
  context.after(() => socket.destroy());
  const answers: Response[] = [];
  const frames = new AbciFrames(cometLimits.frameBytesMax);
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    for (const frame of frames.read(bytes)) answers.push(Response.decode(frame));
  });
  await once(socket, 'connect');
  const send = (request: object) => {
    const bytes = Request.encode(Request.fromPartial(request as Partial<Request>)).finish();
    socket.write(lengthPrefix(bytes.length));
    socket.write(bytes);
  };
  const until = async (count: number) => {
    while (answers.length < count) await delay(2);
    return answers;
  };
  return { socket, send, until, answers };
}

const checkTx = (byte: number) => ({ checkTx: { tx: Uint8Array.of(byte) } });

describe('the ABCI server', () => {
  test('echoes, flushes and hands on the rest', async (context) => {
    const { server } = await listen(context);
    const { send, until } = await ask(context, server);
    send({ echo: { message: 'hello' } });
    send({ info: {} });
    send({ flush: {} });
    const [echo, info, flush] = await until(3);
    assert.equal(echo?.echo?.message, 'hello');
    assert.equal(info?.info?.data, 'here');
    assert.ok(flush?.flush);
  });

  test('answers every kind of request in kind', async (context) => {
    const { server } = await listen(context);
    const { send, until } = await ask(context, server);
    const kinds = Object.keys(plainHandlers) as (keyof AbciHandlers)[];
    for (const kind of kinds) send({ [kind]: {} });
    const answers = await until(kinds.length);
    for (const [index, kind] of kinds.entries()) assert.ok(answers[index]?.[kind], kind);
  });

  test('answers in the order of the questions, however long each takes', async (context) => {
    const { server } = await listen(context, {
      checkTx: async ({ tx }) => {
        await delay(20 - (tx[0] as number));
        return ResponseCheckTx.fromPartial({ code: tx[0] });
      },
    });
    const { send, until } = await ask(context, server);
    for (let byte = 0; byte < 20; byte++) send(checkTx(byte));
    const codes = (await until(20)).map(({ checkTx: answer }) => answer?.code);
    assert.deepEqual(
      codes,
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  test('takes only so many questions that have no answer', async (context) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const { server } = await listen(context, {
      checkTx: async () => {
        asked++;
        await promise;
        return ResponseCheckTx.fromPartial({});
      },
    });
    const { send, until } = await ask(context, server);
    const count = 40 * cometLimits.unansweredMax;
    for (let sent = 0; sent < count; sent++) send(checkTx(1));
    while (asked < cometLimits.unansweredMax) await delay(2);
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    // What had arrived together is taken together.
    assert.ok(asked < count / 2, `${asked} of ${count}`);
    resolve();
    await until(count);
  });

  test('tells a refusal, and goes on', async (context) => {
    const { server, refused, failures } = await listen(context, {
      initChain: () => {
        throw new AbciRefusal('another chain');
      },
    });
    const { send, until } = await ask(context, server);
    send({ initChain: {} });
    send({ info: {} });
    const [refusal, info] = await until(2);
    assert.equal(refusal?.exception?.error, 'another chain');
    assert.ok(info?.info);
    assert.deepEqual([refused, failures], [['another chain'], []]);
  });

  test('ends when a handler fails, without an answer', async (context) => {
    const error = new Error('the disk is full');
    const { server, failures } = await listen(context, { commit: () => Promise.reject(error) });
    const [first, other] = [await ask(context, server), await ask(context, server)];
    const ended = Promise.all([once(first.socket, 'close'), once(other.socket, 'close')]);
    first.send({ commit: {} });
    first.send({ info: {} });
    await ended;
    assert.deepEqual([failures, first.answers], [[error], []]);
    assert.equal(server.connections, 0);
  });

  for (const [name, bytes] of Object.entries({
    'no protobuf': [3, 0xff, 0xff, 0xff],
    'an empty request': [0],
    'a request of another kind': [2, 0xfa, 0x7f],
    'a message beyond the bound': [0xff, 0xff, 0xff, 0x7f],
  }))
    test(`drops whoever sends ${name}, and no other`, async (context) => {
      const { server, refused, failures } = await listen(context);
      const [stranger, comet] = [await ask(context, server), await ask(context, server)];
      const dropped = once(stranger.socket, 'close');
      stranger.socket.write(Uint8Array.from(bytes));
      await dropped;
      comet.send({ info: {} });
      await comet.until(1);
      assert.deepEqual([refused.length, failures], [1, []]);
    });

  test('says when the last connection is gone', async (context) => {
    const { server, gone } = await listen(context);
    const [first, last] = [await ask(context, server), await ask(context, server)];
    first.socket.destroy();
    while (server.connections > 1) await delay(2);
    assert.equal(gone(), 0);
    last.socket.destroy();
    while (gone() === 0) await delay(2);
  });
});

describe('a socket file', () => {
  const folderOf = (context: TestContext): string => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'symbolon-abci-'));
    context.after(() => rmSync(folder, { recursive: true }));
    return folder;
  };

  test('serves as well, and goes with the server', async (context) => {
    const file = path.join(folderOf(context), 'abci.sock');
    const { server } = await listen(context, {}, file);
    const { send, until } = await ask(context, server);
    send({ info: {} });
    await until(1);
    await server.close();
    assert.equal(existsSync(file), false);
  });

  test('of a node that runs is not taken away from it', async (context) => {
    const file = path.join(folderOf(context), 'abci.sock');
    await listen(context, {}, file);
    await assert.rejects(listen(context, {}, file), { code: 'EADDRINUSE' });
  });

  test('is not made in the place of another file', async (context) => {
    const file = path.join(folderOf(context), 'abci.sock');
    writeFileSync(file, 'precious');
    await assert.rejects(listen(context, {}, file), { code: 'EADDRINUSE' });
    assert.equal(existsSync(file), true);
  });
});
