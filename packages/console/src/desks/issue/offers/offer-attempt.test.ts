import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { OutcomeUnknown } from '../acting/lost-answer.ts';
import { askForOffer, type OfferAsking, type OfferAttempt } from './offer-attempt.ts';

const order = { templateId: 't', metadata: [], expiresInSeconds: 60 };
const another = { ...order, expiresInSeconds: 120 };

/** A service that knows repetitions by their keys; `lost` answers go astray. */
function serviceThat({ lost, arrives = true }: { readonly lost: number; readonly arrives?: boolean }) {
  const made = new Map<string, string>();
  const withdrawn: string[] = [];
  let left = lost;
  let attempt: OfferAttempt | undefined;
  const service = {
    makeOffer: async (_order: unknown, { idempotencyKey = '' } = {}) => {
      const isLost = left > 0;
      left -= 1;
      if (arrives || !isLost) made.set(idempotencyKey, made.get(idempotencyKey) ?? `offer-${made.size + 1}`);
      if (isLost) throw new SdkError('unreachable', 'nobody answers', { hint: '' });
      return { offerId: made.get(idempotencyKey) };
    },
    withdrawOffer: async ({ offerId }: { readonly offerId: string }) => {
      withdrawn.push(offerId);
      return { offerId, state: 'withdrawn' };
    },
  };
  const ask = (asked: typeof order) =>
    askForOffer(
      {
        service: service as unknown as OfferAsking['service'],
        unknown: attempt,
        keep: (next) => {
          attempt = next;
        },
        forget: () => {
          attempt = undefined;
        },
        pause: async () => undefined,
      },
      asked,
    );
  return { ask, made, withdrawn, attempt: () => attempt, lose: (more: number) => (left = more) };
}

test('an answer that is lost is asked for again, and is of the same offer', async () => {
  const { ask, made, attempt } = serviceThat({ lost: 1 });
  assert.equal((await ask(order)).offerId, 'offer-1');
  assert.equal(made.size, 1);
  assert.equal(attempt(), undefined);
});

test('one of which nothing is known is the same when it is repeated', async () => {
  const { ask, made, withdrawn } = serviceThat({ lost: 2 });
  await assert.rejects(ask(order), OutcomeUnknown);
  assert.equal((await ask(order)).offerId, 'offer-1');
  assert.equal(made.size, 1);
  assert.deepEqual(withdrawn, []);
});

test('one of which nothing is known is withdrawn before another is made, whether it arrived or not', async () => {
  for (const arrives of [true, false]) {
    const { ask, withdrawn, attempt } = serviceThat({ lost: 2, arrives });
    await assert.rejects(ask(order), OutcomeUnknown);
    assert.equal((await ask(another)).offerId, 'offer-2');
    assert.deepEqual(withdrawn, ['offer-1']);
    assert.equal(attempt(), undefined);
  }
});

test('while nobody answers the first one is kept, and none is made', async () => {
  const { ask, made, lose, attempt } = serviceThat({ lost: 2 });
  await assert.rejects(ask(order), OutcomeUnknown);
  lose(2);
  await assert.rejects(ask(another), OutcomeUnknown);
  assert.equal(made.size, 1);
  assert.deepEqual(attempt()?.order, order);
});
