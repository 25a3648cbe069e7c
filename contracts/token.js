'use strict';

/*
 * A fungible token. Amounts are whole numbers as text, in the token's smallest unit.
 *
 * init   {"params":{"name":"Example","symbol":"EXM","decimals":2,"supply":"1000"}}
 *        The whole supply, 1000 * 10^2 units, waits in the contract for its owner to assign.
 * main   {"method":"transfer","params":{"to":"<address>","value":"5"}}
 *        {"method":"approve","params":{"spender":"<address>","value":"5"}}
 *        {"method":"transferFrom","params":{"from":"<address>","to":"<address>","value":"5"}}
 *        by the owner alone:
 *        {"method":"assign","params":{"to":"<address>","value":"5"}}   out of the supply that waits
 *        {"method":"mint","params":{"to":"<address>","value":"5"}}     raises the supply
 *        {"method":"changeOwner","params":{"address":"<address>"}}
 * query  {"method":"contractInfo"}
 *        {"method":"balanceOf","params":{"address":"<address>"}}
 *        {"method":"allowance","params":{"owner":"<address>","spender":"<address>"}}
 */

const infoKey = 'info';
const decimalsMax = 18;

/** @param {string} address */
const balanceKey = (address) => `balance/${address}`;

/**
 * @param {string} owner
 * @param {string} spender
 */
const allowanceKey = (owner, spender) => `allowance/${owner}/${spender}`;

/**
 * @typedef {object} Info
 * @property {string} name
 * @property {string} symbol
 * @property {number} decimals
 * @property {string} totalSupply
 * @property {string} contractOwner
 * @property {string} balance What waits in the contract to be assigned.
 */

/** @returns {Info} */
function loadInfo() {
  const info = Chain.load(infoKey);
  Utils.assert(info !== false, 'The token is not set up.');
  return JSON.parse(info);
}

/** @param {Info} info */
function storeInfo(info) {
  Chain.store(infoKey, JSON.stringify(info));
}

/**
 * An amount that is stored; nothing stored is nothing owned.
 * @param {string} key
 */
function loadAmount(key) {
  const amount = Chain.load(key);
  return amount === false ? '0' : amount;
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {string}
 */
function checkAddress(value, what) {
  Utils.assert(typeof value === 'string' && Utils.addressCheck(value), `${what} must be an address.`);
  return value;
}

/**
 * @param {unknown} value
 * @param {string} least
 * @returns {string}
 */
function checkAmount(value, least) {
  Utils.assert(
    typeof value === 'string' && Utils.stoI64Check(value),
    'value must be a whole number as text.',
  );
  Utils.assert(Utils.int64Compare(value, least) >= 0, `value must be at least ${least}.`);
  return value;
}

/** @param {Info} info */
function checkOwner(info) {
  Utils.assert(Chain.msg.sender === info.contractOwner, 'Only the owner of the token may do this.');
}

/**
 * @param {string} to
 * @param {string} value
 */
function give(to, value) {
  Chain.store(balanceKey(to), Utils.int64Add(loadAmount(balanceKey(to)), value));
}

/**
 * Takes before it gives, so that paying oneself changes nothing.
 * @param {string} from
 * @param {string} to
 * @param {string} value
 */
function move(from, to, value) {
  const balance = loadAmount(balanceKey(from));
  Utils.assert(Utils.int64Compare(balance, value) >= 0, 'The balance is too low.');
  Chain.store(balanceKey(from), Utils.int64Sub(balance, value));
  give(to, value);
}

/** @param {{to: unknown, value: unknown}} params */
function transfer(params) {
  const to = checkAddress(params.to, 'to');
  const value = checkAmount(params.value, '1');
  move(Chain.msg.sender, to, value);
  Chain.tlog('transfer', Chain.msg.sender, to, value);
}

/** @param {{spender: unknown, value: unknown}} params */
function approve(params) {
  const spender = checkAddress(params.spender, 'spender');
  const value = checkAmount(params.value, '0');
  Chain.store(allowanceKey(Chain.msg.sender, spender), value);
  Chain.tlog('approve', Chain.msg.sender, spender, value);
}

/** @param {{from: unknown, to: unknown, value: unknown}} params */
function transferFrom(params) {
  const from = checkAddress(params.from, 'from');
  const to = checkAddress(params.to, 'to');
  const value = checkAmount(params.value, '1');
  const key = allowanceKey(from, Chain.msg.sender);
  const allowed = loadAmount(key);
  Utils.assert(Utils.int64Compare(allowed, value) >= 0, 'The allowance is too low.');
  Chain.store(key, Utils.int64Sub(allowed, value));
  move(from, to, value);
  Chain.tlog('transferFrom', Chain.msg.sender, from, to, value);
}

/** @param {{to: unknown, value: unknown}} params */
function assign(params) {
  const info = loadInfo();
  checkOwner(info);
  const to = checkAddress(params.to, 'to');
  const value = checkAmount(params.value, '1');
  Utils.assert(Utils.int64Compare(info.balance, value) >= 0, 'Less than this waits to be assigned.');
  info.balance = Utils.int64Sub(info.balance, value);
  storeInfo(info);
  give(to, value);
  Chain.tlog('assign', to, value);
}

/** @param {{to: unknown, value: unknown}} params */
function mint(params) {
  const info = loadInfo();
  checkOwner(info);
  const to = checkAddress(params.to, 'to');
  const value = checkAmount(params.value, '1');
  info.totalSupply = Utils.int64Add(info.totalSupply, value);
  storeInfo(info);
  give(to, value);
  Chain.tlog('mint', to, value);
}

/** @param {{address: unknown}} params */
function changeOwner(params) {
  const info = loadInfo();
  checkOwner(info);
  info.contractOwner = checkAddress(params.address, 'address');
  storeInfo(info);
  Chain.tlog('changeOwner', Chain.msg.sender, info.contractOwner);
}

/** @param {string} input */
function init(input) {
  const { name, symbol, decimals, supply } = JSON.parse(input).params;
  Utils.assert(
    typeof name === 'string' && name.length > 0 && name.length <= 64,
    'name has 1 to 64 characters.',
  );
  Utils.assert(
    typeof symbol === 'string' && /^[A-Z0-9]{1,12}$/.test(symbol),
    'symbol has 1 to 12 of A-Z, 0-9.',
  );
  Utils.assert(
    Number.isInteger(decimals) && decimals >= 0 && decimals <= decimalsMax,
    `decimals is a number from 0 to ${decimalsMax}.`,
  );
  Utils.assert(
    typeof supply === 'string' && Utils.stoI64Check(supply),
    'supply must be a whole number as text.',
  );
  Utils.assert(Utils.int64Compare(supply, '0') >= 0, 'supply must not be negative.');
  const totalSupply = Utils.int64Mul(supply, Utils.int256Pow('10', decimals));
  const contractOwner = Chain.msg.sender;
  storeInfo({ name, symbol, decimals, totalSupply, contractOwner, balance: totalSupply });
  return true;
}

/** @param {string} input */
function main(input) {
  Utils.assert(Chain.msg.coinAmount === '0' && Chain.msg.asset === undefined, 'Send nothing along.');
  const { method, params } = JSON.parse(input);
  switch (method) {
    case 'transfer':
      transfer(params);
      break;
    case 'approve':
      approve(params);
      break;
    case 'transferFrom':
      transferFrom(params);
      break;
    case 'assign':
      assign(params);
      break;
    case 'mint':
      mint(params);
      break;
    case 'changeOwner':
      changeOwner(params);
      break;
    default:
      throw 'There is no such method.';
  }
  return true;
}

/** @param {string} input */
function query(input) {
  const { method, params } = JSON.parse(input);
  switch (method) {
    case 'contractInfo':
      return JSON.stringify({ contractInfo: loadInfo() });
    case 'balanceOf':
      return JSON.stringify({ balance: loadAmount(balanceKey(checkAddress(params.address, 'address'))) });
    case 'allowance':
      return JSON.stringify({
        allowance: loadAmount(
          allowanceKey(checkAddress(params.owner, 'owner'), checkAddress(params.spender, 'spender')),
        ),
      });
    default:
      throw 'There is no such method.';
  }
}
