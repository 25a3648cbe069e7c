import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SdkError } from '../errors/errors.ts';
import { readPages } from './pages.ts';

interface Page {
  readonly item: number;
  readonly nextCursor?: string;
}

/** What is read, and how it ended, if every page says this of the next one. */
async function read(nextOf: (count: number) => string | undefined, pagesMax = 5) {
  const asked: (string | undefined)[] = [];
  const ask = async (cursor: string | undefined): Promise<Page> => {
    asked.push(cursor);
    const nextCursor = nextOf(asked.length);
    return { item: asked.length, ...(nextCursor !== undefined && { nextCursor }) };
  };
  const items: number[] = [];
  let problem: unknown;
  try {
    for await (const { item } of readPages({ ask, next: (page) => page.nextCursor, pagesMax }))
      items.push(item);
  } catch (error) {
    problem = error;
  }
  return { asked, items, problem };
}

describe('a list of pages', () => {
  it('is read to its end', async () => {
    const { asked, items, problem } = await read((count) => (count < 3 ? `c${count}` : undefined));
    assert.deepEqual(asked, [undefined, 'c1', 'c2']);
    assert.deepEqual(items, [1, 2, 3]);
    assert.equal(problem, undefined);
  });

  it('ends where a cursor comes again, and where there is no end', async () => {
    for (const nextOf of [() => 'same', (count: number) => `c${count % 2}`, (count: number) => `c${count}`]) {
      const { items, problem } = await read(nextOf);
      assert.ok(items.length <= 5);
      assert.ok(problem instanceof SdkError && problem.code === 'unexpectedReply');
      assert.match(problem.message, /does not end/);
    }
  });
});
