/**
 * Who ends what a test has started. A test owns by itself (`test.after`); a file or a suite whose tests share a
 * node owns through `ownerOfSuite`, because a hook that starts things cannot register their end.
 */
import { after } from 'node:test';

/** What a folder, a node or a process needs of its test: to be told when it is over. */
export interface Owner {
  after(end: () => void | Promise<void>): void;
}

/** To be called where the suite or the file is described, not in a hook. What came last ends first. */
export function ownerOfSuite(): Owner {
  const ends: (() => void | Promise<void>)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  return { after: (end) => void ends.push(end) };
}
