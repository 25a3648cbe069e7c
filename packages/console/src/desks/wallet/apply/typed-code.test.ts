import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTypedCode } from './typed-code.ts';

test('a code is read however its digits were set apart, and with what came along unseen', () => {
  for (const typed of [
    '012345',
    ' 012 345 ',
    '012-345',
    '012\u2013345',
    '\u200b012\u00a0345\u2060',
    '０１２３４５',
  ])
    assert.equal(readTypedCode(typed, 6), '012345', typed);
});

test('what has other characters, or more or fewer digits, is no code', () => {
  for (const typed of ['', '01234', '0123456', '01234x', 'l23456', '012,345'])
    assert.equal(readTypedCode(typed, 6), undefined, typed);
});
