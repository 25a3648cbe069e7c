'use strict';

/*
 * A counter that anybody may raise.
 *
 * init   '' or a number to start from
 * main   {"method":"increment"}, {"method":"increment","params":{"by":"5"}}
 * query  {"method":"count"} gives {"count":"6"}
 */

const countKey = 'count';

function loadCount() {
  const count = Chain.load(countKey);
  Utils.assert(count !== false, 'There is no count.');
  return count;
}

/** @param {unknown} by */
function increment(by) {
  Utils.assert(typeof by === 'string' && Utils.stoI64Check(by), 'by must be a whole number as text.');
  Utils.assert(Utils.int64Compare(by, '0') > 0, 'by must be greater than 0.');
  const count = Utils.int64Add(loadCount(), by);
  Chain.store(countKey, count);
  Chain.tlog('increment', Chain.msg.sender, by, count);
  return count;
}

/** @param {string} input */
function init(input) {
  const start = input === '' ? '0' : input;
  Utils.assert(Utils.stoI64Check(start), 'The start must be a whole number.');
  Utils.assert(Utils.int64Compare(start, '0') >= 0, 'The start must not be negative.');
  Chain.store(countKey, start);
  return true;
}

/** @param {string} input */
function main(input) {
  const { method, params } = JSON.parse(input);
  Utils.assert(method === 'increment', 'There is no such method.');
  return increment(params === undefined || params.by === undefined ? '1' : params.by);
}

/** @param {string} input */
function query(input) {
  const { method } = JSON.parse(input);
  Utils.assert(method === 'count', 'There is no such method.');
  return JSON.stringify({ count: loadCount() });
}
