'use strict';

/*
 * A notice board: whoever deploys it puts up notices, anybody reads them.
 *
 * init   the first notice
 * main   {"method":"put","params":{"text":"Open from nine."}}
 * query  {"method":"read"} gives {"text":"Open from nine.","since":1700000000000000}
 */

const ownerKey = 'owner';
const noticeKey = 'notice';

/** @param {unknown} text */
function put(text) {
  Utils.assert(typeof text === 'string' && text.length > 0, 'A notice is a text.');
  Chain.store(noticeKey, JSON.stringify({ text, since: Chain.block.timestamp }));
  Chain.tlog('put', Chain.msg.sender, text);
  return true;
}

/** @param {string} input */
function init(input) {
  Chain.store(ownerKey, Chain.msg.sender);
  return put(input);
}

/** @param {string} input */
function main(input) {
  const { method, params } = JSON.parse(input);
  Utils.assert(method === 'put', 'There is no such method.');
  Utils.assert(Chain.msg.sender === Chain.load(ownerKey), 'Only the owner puts up notices.');
  return put(params.text);
}

/** @param {string} input */
function query(input) {
  const { method } = JSON.parse(input);
  Utils.assert(method === 'read', 'There is no such method.');
  return Chain.load(noticeKey);
}
