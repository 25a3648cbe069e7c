import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from './csv.ts';

test('cells are quoted where they must be, and no cell is a formula', () => {
  assert.equal(
    csvText(
      ['a', 'b'],
      [
        ['1,5', 'say "x"'],
        ['=SUM(A1)', '-1'],
        ['@x', 'line\nbreak'],
      ],
    ),
    'a,b\r\n"1,5","say ""x"""\r\n\'=SUM(A1),\'-1\r\n\'@x,"line\nbreak"\r\n',
  );
});
