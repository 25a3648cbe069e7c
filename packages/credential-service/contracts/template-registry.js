'use strict';

/*
 * Templates of credentials: what a credential of a kind says, and who may issue it. The id of a template is a hash of
 * its issuer and its name, so nobody else can have it; versions only grow, and none is ever changed. What is stored
 * can be read without this code: as metadata of the contract's account, with a proof.
 *
 * init   {"params":{"didMethod":"zid"}}
 * main   by the account of the issuer's own key alone:
 *        {"method":"addTemplate","params":{"templateId":"did:zid:…","templateName":"Degree","nameKey":"degree",
 *         "version":"1.0.0","applyFormat":"[{…}]","metadata":"{}","remarkHash":"…","issuerZid":"did:zid:…",
 *         "publicKey":"b001…"}}
 * query  {"method":"get","params":{"templateId":"…","version":"1.0.0"}}   the newest version if none is named
 *        {"method":"versions","params":{"templateId":"…","start":0,"limit":20}}
 *        {"method":"list","params":{"start":0,"limit":20}}
 *
 * A refusal begins with a word for programs: "templateExists: …".
 */

const settingsKey = 'settings';
const countKey = 'count';
const pageMax = 20;
const nameMax = 256;
/** A name in lower case may be longer than the name. */
const nameKeyMax = 768;
const applyFormatMax = 65536;
const attributesMax = 60;
const metadataMax = 4096;

/** @param {string} id */
const newestKey = (id) => `template__${id}`;
/**
 * @param {string} id
 * @param {string} version
 */
const versionKey = (id, version) => `template__${id}__${version}`;
/**
 * Who may issue by this version. The credential registry reads it, so it is short and its form is fixed.
 * @param {string} id
 * @param {string} version
 */
const issuerKey = (id, version) => `issuer__${id}__${version}`;
/**
 * The versions of a template stand in a row, and so do the templates, so that they can be listed page by page.
 * @param {string} id
 * @param {number} place
 */
const versionPlaceKey = (id, place) => `version__${id}__${place}`;
/** @param {number} place */
const placeKey = (place) => `place__${place}`;

/**
 * @typedef {object} Attribute
 * @property {unknown} key
 * @property {unknown} attribute
 * @property {unknown} format
 * @property {unknown} type
 * @property {unknown} mandatory
 */

/**
 * @typedef {object} Template
 * @property {string} templateId
 * @property {string} templateName
 * @property {string} version
 * @property {string} issuerZid
 * @property {string} applyFormat
 * @property {string} metadata
 * @property {string} issuer the address of the issuer's account
 * @property {string} [remarkHash]
 * @property {number} versionCount how many versions there are with this one
 * @property {number} createdAt of the first version, microseconds since 1970
 * @property {number} changedAt of this version
 */

/** @typedef {Readonly<Record<string, unknown>>} Params */

/**
 * @param {boolean} condition
 * @param {string} what
 * @returns {asserts condition}
 */
function demand(condition, what) {
  Utils.assert(condition, `requestMalformed: ${what}`);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} charsMax
 * @returns {string}
 */
function checkText(value, name, charsMax) {
  demand(
    typeof value === 'string' && value.length >= 1 && value.length <= charsMax,
    `${name} must be a text of 1 to ${charsMax} characters.`,
  );
  return value;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {string}
 */
function checkDid(value, name) {
  const { didMethod } = JSON.parse(Chain.load(settingsKey) || '{}');
  const text = checkText(value, name, 128);
  const prefix = `did:${didMethod}:`;
  demand(
    text.startsWith(prefix) && /^[0-9a-f]{64}$/.test(text.slice(prefix.length)),
    `${name} must be ${prefix} and 64 hex digits.`,
  );
  return text;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function checkVersion(value) {
  demand(
    typeof value === 'string' && /^(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){0,3}$/.test(value),
    'version must be up to four numbers with dots between them.',
  );
  return value;
}

/**
 * Whether a version comes after another, number by number; a number that is missing is 0.
 * @param {string} version
 * @param {string} other
 */
function isAfter(version, other) {
  const numbers = version.split('.');
  const others = other.split('.');
  let place = 0;
  while (place < 4) {
    const difference = Number(numbers[place] || 0) - Number(others[place] || 0);
    if (difference !== 0) {
      return difference > 0;
    }
    place += 1;
  }
  return false;
}

/** @param {Attribute} attribute */
function checkAttribute(attribute) {
  demand(typeof attribute === 'object' && attribute !== null, 'an attribute is an object.');
  const { key, format, type, mandatory } = attribute;
  demand(
    typeof key === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(key) && key !== 'id',
    'the key of an attribute is a letter and up to 63 letters, digits and underscores, not id.',
  );
  checkText(attribute.attribute, 'the name of an attribute', nameMax);
  checkText(format, 'the format of an attribute', 64);
  demand(
    typeof type === 'number' && Number.isInteger(type) && type >= 1 && type <= 99,
    'the type of an attribute is a number from 1 to 99.',
  );
  demand(mandatory === 0 || mandatory === 1, 'mandatory is 1 or 0.');
  return key;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function checkApplyFormat(value) {
  const text = checkText(value, 'applyFormat', applyFormatMax);
  const attributes = JSON.parse(text);
  demand(
    typeof attributes === 'object' && attributes !== null && typeof attributes.map === 'function',
    'applyFormat must be the JSON text of a list.',
  );
  demand(
    attributes.length >= 1 && attributes.length <= attributesMax,
    `a template has 1 to ${attributesMax} attributes.`,
  );
  const keys = new Set(attributes.map(checkAttribute));
  demand(keys.size === attributes.length, 'two attributes have the same key.');
  return text;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function checkMetadata(value) {
  const text = checkText(value, 'metadata', metadataMax);
  const flags = JSON.parse(text);
  demand(typeof flags === 'object' && flags !== null, 'metadata must be the JSON text of an object.');
  return text;
}

/**
 * The address of whoever holds the key of a DID, who must be the caller.
 * @param {string} issuerZid
 * @param {unknown} publicKey
 */
function checkIssuer(issuerZid, publicKey) {
  demand(
    typeof publicKey === 'string' && /^b001[0-9a-f]{72}$/.test(publicKey),
    'publicKey must be an encoded public key.',
  );
  const address = Utils.toAddress(publicKey);
  demand(address !== false, 'publicKey must be an encoded public key.');
  Utils.assert(
    issuerZid.endsWith(`:${publicKey.slice(4, 68)}`),
    'issuerMismatch: publicKey is not the key of issuerZid.',
  );
  Utils.assert(
    address === Chain.msg.sender,
    'issuerMismatch: Only the account of the issuer may register its templates.',
  );
  return address;
}

/**
 * @param {string} key
 * @returns {Template | undefined}
 */
function loadTemplate(key) {
  const text = Chain.load(key);
  return text === false ? undefined : JSON.parse(text);
}

const loadCount = () => Number(Chain.load(countKey) || 0);

/** @param {Template} template */
function store(template) {
  const { templateId, version, versionCount, issuer } = template;
  const text = JSON.stringify(template);
  Chain.store(newestKey(templateId), text);
  Chain.store(versionKey(templateId, version), text);
  Chain.store(issuerKey(templateId, version), issuer);
  Chain.store(versionPlaceKey(templateId, versionCount - 1), version);
  if (versionCount === 1) {
    const place = loadCount();
    Chain.store(placeKey(place), templateId);
    Chain.store(countKey, String(place + 1));
  }
}

/** @param {Params} params */
function addTemplate(params) {
  const issuerZid = checkDid(params.issuerZid, 'issuerZid');
  const issuer = checkIssuer(issuerZid, params.publicKey);
  const templateId = checkDid(params.templateId, 'templateId');
  const templateName = checkText(params.templateName, 'templateName', nameMax);
  const nameKey = checkText(params.nameKey, 'nameKey', nameKeyMax);
  const hash = Utils.sha256(`${issuerZid}\n${nameKey}`, 1);
  demand(
    templateId === `${issuerZid.slice(0, -64)}${hash}`,
    'templateId is not the hash of issuerZid and nameKey.',
  );
  const version = checkVersion(params.version);
  const applyFormat = checkApplyFormat(params.applyFormat);
  const metadata = checkMetadata(params.metadata);
  const { remarkHash } = params;
  demand(
    remarkHash === undefined || (typeof remarkHash === 'string' && /^[0-9a-f]{64}$/.test(remarkHash)),
    'remarkHash must be 64 hex digits.',
  );
  const last = loadTemplate(newestKey(templateId));
  Utils.assert(
    last === undefined || isAfter(version, last.version),
    `templateExists: The template has version ${last === undefined ? '' : last.version} already.`,
  );
  store({
    templateId,
    templateName,
    version,
    issuerZid,
    applyFormat,
    metadata,
    issuer,
    remarkHash,
    versionCount: (last === undefined ? 0 : last.versionCount) + 1,
    createdAt: last === undefined ? Chain.block.timestamp : last.createdAt,
    changedAt: Chain.block.timestamp,
  });
  Chain.tlog('addTemplate', templateId, version, issuer);
}

/** @param {Params} params */
function get(params) {
  const id = checkDid(params.templateId, 'templateId');
  const key = params.version === undefined ? newestKey(id) : versionKey(id, checkVersion(params.version));
  const text = Chain.load(key);
  Utils.assert(text !== false, 'templateUnknown: There is no such template.');
  return text;
}

/**
 * What a row of places holds, from `start` on.
 * @param {Params} params
 * @param {number} total
 * @param {(place: number) => string} keyOf
 */
function readPage(params, total, keyOf) {
  const { start, limit } = params;
  demand(
    typeof start === 'number' && Number.isInteger(start) && start >= 0,
    'start must be a number from 0 on.',
  );
  demand(
    typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= pageMax,
    `limit must be a number from 1 to ${pageMax}.`,
  );
  /** @type {string[]} */
  const items = [];
  let place = start;
  while (place < total && place < start + limit) {
    items.push(Chain.load(keyOf(place)) || '');
    place += 1;
  }
  return { total, items };
}

/** @param {Params} params */
function versions(params) {
  const id = checkDid(params.templateId, 'templateId');
  const newest = loadTemplate(newestKey(id));
  Utils.assert(newest !== undefined, 'templateUnknown: There is no such template.');
  const { total, items } = readPage(params, newest.versionCount, (place) => versionPlaceKey(id, place));
  return JSON.stringify({ total, versions: items });
}

/** @param {Params} params */
function list(params) {
  const { total, items } = readPage(params, loadCount(), placeKey);
  return JSON.stringify({ total, templates: items });
}

/** @param {string} input */
function init(input) {
  const { didMethod } = JSON.parse(input).params;
  demand(
    typeof didMethod === 'string' && /^[a-z0-9]{1,16}$/.test(didMethod),
    'didMethod must be the name of a DID method.',
  );
  Chain.store(settingsKey, JSON.stringify({ didMethod }));
  Chain.store(countKey, '0');
  return true;
}

/** @param {string} input */
function main(input) {
  demand(Chain.msg.coinAmount === '0' && Chain.msg.asset === undefined, 'Send neither coins nor assets.');
  const { method, params } = JSON.parse(input);
  demand(method === 'addTemplate', 'There is no such method.');
  addTemplate(params);
  return true;
}

/** @param {string} input */
function query(input) {
  const { method, params } = JSON.parse(input);
  switch (method) {
    case 'get':
      return get(params);
    case 'versions':
      return versions(params);
    case 'list':
      return list(params);
    default:
      throw 'requestMalformed: There is no such method.';
  }
}
