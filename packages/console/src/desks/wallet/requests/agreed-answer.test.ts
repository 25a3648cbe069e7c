import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityEntry } from '../activity/activity-log.ts';
import { type Agreement, AnswerChanged, assertAgreed } from './agreed-answer.ts';
import type { AnswerPart } from './answer-plan.ts';

const part = (facts: Partial<AnswerPart> = {}): AnswerPart =>
  ({
    ...{ queryId: 'a', card: { vcId: 'did:zid:aa' }, reveal: ['name'], telling: [], fitting: [], wishes: [] },
    ranges: [{ attribute: 'grade', max: 4n }],
    ...facts,
  }) as unknown as AnswerPart;
const shared = (request: string) => ({ kind: 'shared', request, parts: [] }) as unknown as ActivityEntry;

const agreed = (again: readonly AnswerPart[]): Agreement => ({
  parts: [part()],
  entries: [shared('pres_0')],
  planAgain: () => ({ kind: 'answer', parts: again }),
});

test('what is as it was agreed to goes on, whatever was shared for other requests', () => {
  assertAgreed('pres_1', agreed([part()]), [shared('pres_0'), shared('pres_2')]);
});

test('what would show more, tells more, is of another card or is none any more is not what was agreed to', () => {
  for (const changed of [
    [part({ telling: ['grade'] })],
    [part({ reveal: ['name', 'grade'] })],
    [part({ card: { vcId: 'did:zid:bb' } as unknown as AnswerPart['card'] })],
    [part(), part({ queryId: 'b' })],
    [],
  ])
    assert.throws(() => assertAgreed('pres_1', agreed(changed), [shared('pres_0')]), AnswerChanged);
  const none = { ...agreed([]), planAgain: () => ({ kind: 'none', problems: [], misfits: [] }) as const };
  assert.throws(() => assertAgreed('pres_1', none, [shared('pres_0')]), AnswerChanged);
});

test('a request that was answered meanwhile is not answered anew', () => {
  assert.throws(
    () => assertAgreed('pres_1', agreed([part()]), [shared('pres_0'), shared('pres_1')]),
    AnswerChanged,
  );
});
