'use strict';

/*
 * Names with values. Who registers a name owns it, leaves a deposit and gets it back on releasing the name.
 *
 * init   {"params":{"deposit":"1000"}}
 * main   {"method":"register","params":{"name":"example","value":"anything"}} with the deposit in coins
 *        by the owner of the name alone:
 *        {"method":"update","params":{"name":"example","value":"something else"}}
 *        {"method":"transfer","params":{"name":"example","to":"<address>"}}
 *        {"method":"release","params":{"name":"example"}}
 * query  {"method":"resolve","params":{"name":"example"}}
 *        {"method":"list","params":{"start":0,"limit":20}}
 */

const depositKey = 'deposit';
const countKey = 'count';
const pageMax = 20;
const valueMax = 1024;

/** @param {string} name */
const entryKey = (name) => `name/${name}`;

/**
 * The names stand in a row without gaps, so that they can be listed page by page.
 * @param {number} place
 */
const placeKey = (place) => `place/${place}`;

/**
 * @typedef {object} Entry
 * @property {string} owner
 * @property {string} value
 * @property {number} place
 */

/** @param {string} key */
function loadText(key) {
  const text = Chain.load(key);
  Utils.assert(text !== false, 'The registry is damaged.');
  return text;
}

const loadCount = () => Number(loadText(countKey));

/**
 * @param {string} name
 * @returns {Entry}
 */
function loadEntry(name) {
  const text = Chain.load(entryKey(name));
  Utils.assert(text !== false, 'Nobody owns this name.');
  return JSON.parse(text);
}

/**
 * @param {string} name
 * @param {Entry} entry
 */
function storeEntry(name, entry) {
  Chain.store(entryKey(name), JSON.stringify(entry));
}

/**
 * @param {unknown} name
 * @returns {string}
 */
function checkName(name) {
  Utils.assert(
    typeof name === 'string' && /^[a-z0-9-]{1,64}$/.test(name),
    'A name has 1 to 64 of a-z, 0-9 and hyphen.',
  );
  return name;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function checkValue(value) {
  Utils.assert(
    typeof value === 'string' && value.length <= valueMax,
    `A value has up to ${valueMax} characters.`,
  );
  return value;
}

/**
 * The entry of a name that the caller owns.
 * @param {string} name
 */
function loadOwnEntry(name) {
  const entry = loadEntry(name);
  Utils.assert(entry.owner === Chain.msg.sender, 'Only the owner of the name may do this.');
  return entry;
}

function checkNothingSent() {
  Utils.assert(Chain.msg.coinAmount === '0', 'Send no coins with this.');
}

/** @param {{name: unknown, value: unknown}} params */
function register(params) {
  const name = checkName(params.name);
  const value = checkValue(params.value);
  Utils.assert(Chain.load(entryKey(name)) === false, 'Somebody owns this name.');
  const deposit = loadText(depositKey);
  Utils.assert(Chain.msg.coinAmount === deposit, `Send exactly ${deposit} coins.`);
  const place = loadCount();
  storeEntry(name, { owner: Chain.msg.sender, value, place });
  Chain.store(placeKey(place), name);
  Chain.store(countKey, String(place + 1));
  Chain.tlog('register', name, Chain.msg.sender);
}

/** @param {{name: unknown, value: unknown}} params */
function update(params) {
  checkNothingSent();
  const name = checkName(params.name);
  const entry = loadOwnEntry(name);
  entry.value = checkValue(params.value);
  storeEntry(name, entry);
  Chain.tlog('update', name);
}

/** @param {{name: unknown, to: unknown}} params */
function transfer(params) {
  checkNothingSent();
  const name = checkName(params.name);
  const { to } = params;
  const entry = loadOwnEntry(name);
  Utils.assert(typeof to === 'string' && Utils.addressCheck(to), 'to must be an address.');
  entry.owner = to;
  storeEntry(name, entry);
  Chain.tlog('transfer', name, Chain.msg.sender, to);
}

/**
 * The last name moves to the place that becomes free.
 * @param {string} name
 * @param {number} place
 */
function remove(name, place) {
  const last = loadCount() - 1;
  const lastName = loadText(placeKey(last));
  if (lastName !== name) {
    storeEntry(lastName, { ...loadEntry(lastName), place });
    Chain.store(placeKey(place), lastName);
  }
  Chain.del(placeKey(last));
  Chain.del(entryKey(name));
  Chain.store(countKey, String(last));
}

/** @param {{name: unknown}} params */
function release(params) {
  checkNothingSent();
  const name = checkName(params.name);
  const entry = loadOwnEntry(name);
  remove(name, entry.place);
  Chain.tlog('release', name, entry.owner);
  // Paying comes last: an owner that is a contract runs now and may call back, but finds the name gone.
  const deposit = loadText(depositKey);
  if (deposit !== '0') {
    Chain.payCoin(entry.owner, deposit);
  }
}

/** @param {{start: unknown, limit: unknown}} params */
function list(params) {
  const { start, limit } = params;
  Utils.assert(
    typeof start === 'number' && Number.isInteger(start) && start >= 0,
    'start is a number from 0 on.',
  );
  Utils.assert(
    typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= pageMax,
    `limit is a number from 1 to ${pageMax}.`,
  );
  const total = loadCount();
  /** @type {{name: string, owner: string, value: string}[]} */
  const names = [];
  let place = start;
  while (place < total && place < start + limit) {
    const name = loadText(placeKey(place));
    const { owner, value } = loadEntry(name);
    names.push({ name, owner, value });
    place += 1;
  }
  return { total, names };
}

/** @param {string} input */
function init(input) {
  const { deposit } = JSON.parse(input).params;
  Utils.assert(
    typeof deposit === 'string' && Utils.stoI64Check(deposit),
    'deposit must be a whole number as text.',
  );
  Utils.assert(Utils.int64Compare(deposit, '0') >= 0, 'deposit must not be negative.');
  Chain.store(depositKey, deposit);
  Chain.store(countKey, '0');
  return true;
}

/** @param {string} input */
function main(input) {
  Utils.assert(Chain.msg.asset === undefined, 'Send no assets.');
  const { method, params } = JSON.parse(input);
  switch (method) {
    case 'register':
      register(params);
      break;
    case 'update':
      update(params);
      break;
    case 'transfer':
      transfer(params);
      break;
    case 'release':
      release(params);
      break;
    default:
      throw 'There is no such method.';
  }
  return true;
}

/** @param {string} input */
function query(input) {
  const { method, params } = JSON.parse(input);
  if (method === 'list') {
    return JSON.stringify(list(params));
  }
  Utils.assert(method === 'resolve', 'There is no such method.');
  const { owner, value } = loadEntry(checkName(params.name));
  return JSON.stringify({ owner, value });
}
