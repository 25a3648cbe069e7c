import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { answerOrLook, OutcomeUnknown } from './lost-answer.ts';

const silent = new SdkError('unreachable', 'nobody answers', { hint: '' });
const refusal = (status: number, code = 'stateForbids') =>
  new ServiceError({ code, status, title: 'Title', detail: 'It said no.', requestId: '' });
const unknown = new OutcomeUnknown();

interface Case {
  readonly fails: Error;
  /** What is seen at each look. */
  readonly seen: readonly (string | Error | undefined)[];
  readonly before?: unknown;
}

async function ended({ fails, seen, before }: Case) {
  const looks = [...seen];
  const order = {
    act: () => Promise.reject(fails),
    look: async () => {
      const one = looks.shift();
      if (one instanceof Error) throw one;
      return one;
    },
    before,
  };
  return answerOrLook<string>(order, async () => undefined).catch((error: unknown) => error);
}

test('an act whose answer was lost is done, if things stand as wanted, also a little later', async () => {
  for (const fails of [silent, refusal(504, 'ledgerUnconfirmed'), refusal(500, 'internal')])
    assert.equal(await ended({ fails, seen: [undefined, 'done'] }), 'done');
});

test('what does not stand as wanted, or cannot be looked at, is not known', async () => {
  for (const seen of [[], [silent]]) {
    const error = await ended({ fails: silent, seen });
    assert.ok(error instanceof OutcomeUnknown);
    assert.equal(error.cause, silent);
  }
});

test('"already so" is an answer to a repetition alone', async () => {
  const fails = refusal(409);
  assert.equal(await ended({ fails, seen: ['done'], before: unknown }), 'done');
  assert.equal(await ended({ fails, seen: ['done'] }), fails, "somebody else's act");
  assert.equal(await ended({ fails, seen: [], before: unknown }), fails);
});

test('a refusal is none that was lost', async () => {
  for (const fails of [refusal(400), refusal(401), refusal(403)])
    assert.equal(await ended({ fails, seen: ['done'], before: unknown }), fails);
});
