'use strict';

/*
 * What was issued and whether it still holds: for every credential a digest, its template and its status, never
 * anything of what it says. Anybody may hand in what an issuer has signed, so an issuer needs no account to issue;
 * only the issuer's own account changes the status afterwards. What is stored can be read without this code: as
 * metadata of the contract's account, with a proof.
 *
 * init   {"params":{"didMethod":"zid","templateRegistry":"<address>","registrar":"<address>"}}
 * main   {"method":"issue","params":{"entries":[{"issuerKey":"b001…","credential":"did:zid:…","template":"did:zid:…",
 *         "templateVersion":"1.0.0","validFrom":"2026-01-01T00:00:00Z","validUntil":"2027-01-01T00:00:00Z",
 *         "created":"2026-01-01T00:00:00Z","digest":"<sha-256>","signature":"<128 hex digits>"}]}}
 *        by the issuer's own account alone:
 *        {"method":"revoke","params":{"credentials":["did:zid:…"],"remarkHashes":["<sha-256>"]}}
 *        {"method":"suspend",…} and {"method":"reinstate",…} alike
 *        by the registrar alone:
 *        {"method":"anchorAudit","params":{"head":"<sha-256>","count":7}}
 * query  {"method":"getStatus","params":{"issuer":"<address>","vcId":"did:zid:…"}}
 *        {"method":"getRevokeStatus","params":{"issuer":"<address>","vcId":"did:zid:…"}}
 *
 * A refusal begins with a word for programs: "statusForbids: …"; what is wrong with one of several entries says
 * which, counted from 0: "signatureInvalid: entry 3: …".
 */

const settingsKey = 'settings';
const auditKey = 'audit__head';
const entriesMax = 100;
const statusChangesMax = 100;

/** The hex digits of `base64url({"alg":"EdDSA","b64":false,"crit":["b64"]}).`, with which a signed text begins. */
const signingHeader =
  '65794a68624763694f694a465a45525451534973496d49324e4349365a6d467363325573496d4e79615851694f6c7369596a5930496c31392e';

/** A whole entry, its members joined by spaces, which no member has: one look instead of nine. */
const entryPattern =
  /^(b001[0-9a-f]{72}) (did:[a-z0-9]{1,16}:[0-9a-f]{64}) (did:[a-z0-9]{1,16}:[0-9a-f]{64}) (\d[\d.]{0,39}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z) ([0-9a-f]{64}) ([0-9a-f]{128})$/;

/**
 * @param {string} issuer
 * @param {string} credential
 */
const entryKey = (issuer, credential) => `credential__${issuer}__${credential}`;

/**
 * @typedef {object} Settings
 * @property {string} didMethod
 * @property {string} templateRegistry
 * @property {string} registrar
 */

/**
 * What is stored of a credential. Times of the ledger are microseconds since 1970.
 * @typedef {object} Entry
 * @property {string} digest
 * @property {string} template
 * @property {string} templateVersion
 * @property {string} validFrom
 * @property {string} validUntil
 * @property {'active' | 'suspended' | 'revoked'} status
 * @property {number} issuedAt
 * @property {number} changedAt
 * @property {number} changedIn the block
 * @property {string} [remarkHash]
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

/** @returns {Settings} */
function loadSettings() {
  return JSON.parse(Chain.load(settingsKey) || '{}');
}

/**
 * @param {string} issuer
 * @param {string} credential
 * @returns {Entry | undefined}
 */
function loadEntry(issuer, credential) {
  const text = Chain.load(entryKey(issuer, credential));
  return text === false ? undefined : JSON.parse(text);
}

/**
 * @param {string} issuer
 * @param {string} credential
 * @param {Entry} entry
 */
function storeEntry(issuer, credential, entry) {
  Chain.store(entryKey(issuer, credential), JSON.stringify(entry));
}

/**
 * A list that may come from anybody. Of all that JSON can say only a list has functions.
 * @param {unknown} value
 * @param {string} name
 * @param {number} lengthMax
 * @returns {unknown[]}
 */
function checkList(value, name, lengthMax) {
  const list = /** @type {unknown[]} */ (value);
  demand(
    typeof value === 'object' && value !== null && typeof list.map === 'function',
    `${name} must be a list.`,
  );
  demand(list.length >= 1 && list.length <= lengthMax, `${name} must have 1 to ${lengthMax} elements.`);
  return list;
}

/**
 * @param {unknown} entry
 * @param {number} place
 */
function readMembers(entry, place) {
  demand(typeof entry === 'object' && entry !== null, `entry ${place}: it must be an object.`);
  const {
    issuerKey,
    credential,
    template,
    templateVersion,
    validFrom,
    validUntil,
    created,
    digest,
    signature,
  } = /** @type {Params} */ (entry);
  const text = `${issuerKey} ${credential} ${template} ${templateVersion} ${validFrom} ${validUntil} ${created} ${digest} ${signature}`;
  const members = entryPattern.exec(text);
  demand(members !== null, `entry ${place}: a member is missing or malformed.`);
  return members;
}

/**
 * Whether what is registered already says the same: then there is nothing to do.
 * @param {Entry} entry
 * @param {readonly string[]} members
 */
function isSame(entry, members) {
  const [, , , template, templateVersion, validFrom, validUntil, , digest] = members;
  return (
    entry.digest === digest &&
    entry.template === template &&
    entry.templateVersion === templateVersion &&
    entry.validFrom === validFrom &&
    entry.validUntil === validUntil
  );
}

/**
 * The hex digits of what the issuer has signed: two hashes after a fixed beginning. The first is of the options of the
 * proof in canonical JSON (RFC 8785); the pattern of an entry lets nothing through that would have to be escaped.
 * @param {readonly string[]} members
 * @param {string} didPrefix
 */
function signedHex(members, didPrefix) {
  const [, issuerKey, credential, template, templateVersion, validFrom, validUntil, created, digest] =
    members;
  const options =
    `{"created":"${created}","cryptosuite":"symbolon-jcs-eddsa-2026","proofPurpose":"assertionMethod",` +
    `"registryEntry":{"credential":"${credential}","template":"${template}","templateVersion":"${templateVersion}",` +
    `"validFrom":"${validFrom}","validUntil":"${validUntil}"},"type":"Ed25519Signature2020",` +
    `"verificationMethod":"${didPrefix}${issuerKey.slice(4, 68)}#controllerKey"}`;
  return `${signingHeader}${Utils.sha256(options, 1)}${digest}`;
}

/**
 * Who may issue by a version of a template. Read from the other registry's storage: asking its `query` would cost
 * more than everything else about an entry, and 100 issuers would not fit into one transaction.
 * @param {Settings} settings
 * @param {string} template
 * @param {string} version
 */
function issuerOfTemplate(settings, template, version) {
  return Chain.getAccountMetadata(settings.templateRegistry, `issuer__${template}__${version}`);
}

/**
 * Registers one entry, unless it is registered already. Answers whether it is new.
 * @param {readonly string[]} members
 * @param {Settings} settings
 * @param {Map<string, unknown>} known answers that other entries of this transaction need too
 * @returns {string | boolean} what is wrong with it, or whether it is new
 */
function issueOne(members, settings, known) {
  const [, issuerKey, credential, template, templateVersion, validFrom, validUntil, , digest, signature] =
    members;
  const didPrefix = `did:${settings.didMethod}:`;
  if (!known.has(issuerKey)) {
    known.set(issuerKey, Utils.toAddress(issuerKey));
  }
  const issuer = known.get(issuerKey);
  if (typeof issuer !== 'string' || !credential.startsWith(didPrefix) || !template.startsWith(didPrefix)) {
    return 'requestMalformed';
  }
  const entry = loadEntry(issuer, credential);
  if (entry !== undefined) {
    return isSame(entry, members) ? false : 'entryExists';
  }
  if (validFrom.slice(0, 19) > validUntil.slice(0, 19)) {
    return 'validityInvalid';
  }
  const version = `${template} ${templateVersion}`;
  if (!known.has(version)) {
    known.set(version, issuerOfTemplate(settings, template, templateVersion));
  }
  if (known.get(version) !== issuer) {
    return 'templateUnknown';
  }
  if (!Utils.ecVerify(signature, issuerKey, signedHex(members, didPrefix))) {
    return 'signatureInvalid';
  }
  const now = Chain.block.timestamp;
  storeEntry(issuer, credential, {
    digest,
    template,
    templateVersion,
    validFrom,
    validUntil,
    status: 'active',
    issuedAt: now,
    changedAt: now,
    changedIn: Chain.block.number,
  });
  return true;
}

const issueRefusals = {
  requestMalformed: 'issuerKey or an identifier is not one of this network.',
  entryExists: 'the issuer has registered this credential otherwise.',
  validityInvalid: 'validUntil is before validFrom.',
  templateUnknown: 'the issuer has no such template.',
  signatureInvalid: 'the issuer has not signed this.',
};

/** @param {Params} params */
function issue(params) {
  const entries = checkList(params.entries, 'entries', entriesMax);
  const settings = loadSettings();
  /** @type {Map<string, unknown>} */
  const known = new Map();
  let count = 0;
  entries.forEach((entry, place) => {
    const outcome = issueOne(readMembers(entry, place), settings, known);
    if (typeof outcome === 'string') {
      throw `${outcome}: entry ${place}: ${issueRefusals[/** @type {keyof typeof issueRefusals} */ (outcome)]}`;
    }
    count += outcome ? 1 : 0;
  });
  Chain.tlog('issue', String(count));
}

/** From which status to which, by method. A revoked credential stays revoked. */
const statusChanges = {
  revoke: { from: ['active', 'suspended'], to: 'revoked' },
  suspend: { from: ['active'], to: 'suspended' },
  reinstate: { from: ['suspended'], to: 'active' },
};

/**
 * @param {unknown} hashes
 * @param {number} count
 * @returns {unknown[]} none, or one for each credential
 */
function checkRemarkHashes(hashes, count) {
  if (hashes === undefined) {
    return [];
  }
  const list = checkList(hashes, 'remarkHashes', statusChangesMax);
  demand(list.length === count, 'remarkHashes must be as many as credentials.');
  list.forEach((hash) => {
    demand(typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash), 'a remark hash is 64 hex digits.');
  });
  return list;
}

/**
 * Entries are kept by issuer, so nobody finds any but their own.
 * @param {keyof typeof statusChanges} method
 * @param {Params} params
 */
function changeStatus(method, params) {
  const credentials = checkList(params.credentials, 'credentials', statusChangesMax);
  const remarkHashes = checkRemarkHashes(params.remarkHashes, credentials.length);
  const { from, to } = statusChanges[method];
  const issuer = Chain.msg.sender;
  credentials.forEach((credential, place) => {
    demand(
      typeof credential === 'string' && credential.length <= 128,
      `entry ${place}: a credential is named by a text.`,
    );
    const entry = loadEntry(issuer, credential);
    Utils.assert(
      entry !== undefined,
      `credentialUnknown: entry ${place}: the caller has issued no such credential.`,
    );
    Utils.assert(from.includes(entry.status), `statusForbids: entry ${place}: it is ${entry.status}.`);
    storeEntry(issuer, credential, {
      ...entry,
      status: /** @type {Entry['status']} */ (to),
      changedAt: Chain.block.timestamp,
      changedIn: Chain.block.number,
      remarkHash: /** @type {string | undefined} */ (remarkHashes[place]),
    });
    Chain.tlog(method, issuer, credential);
  });
}

/** @param {Params} params */
function anchorAudit(params) {
  const { head, count } = params;
  Utils.assert(
    Chain.msg.sender === loadSettings().registrar,
    'notAllowed: Only the registrar may anchor the audit log.',
  );
  demand(typeof head === 'string' && /^[0-9a-f]{64}$/.test(head), 'head must be 64 hex digits.');
  demand(
    typeof count === 'number' && Number.isSafeInteger(count) && count >= 1,
    'count must be a number from 1 on.',
  );
  const last = JSON.parse(Chain.load(auditKey) || '{"count":0}');
  demand(count >= last.count, 'an audit log does not become shorter.');
  demand(count > last.count || head === last.head, 'an audit log does not change.');
  Chain.store(auditKey, JSON.stringify({ head, count, anchoredAt: Chain.block.timestamp }));
  Chain.tlog('anchorAudit', head, String(count));
}

/** @param {Params} params */
function findEntry(params) {
  const { issuer, vcId } = params;
  demand(typeof issuer === 'string' && issuer.length <= 64, 'issuer must be an address.');
  demand(typeof vcId === 'string' && vcId.length <= 128, 'vcId must be a text.');
  return loadEntry(issuer, vcId);
}

/** @param {string} input */
function init(input) {
  const { didMethod, templateRegistry, registrar } = JSON.parse(input).params;
  demand(
    typeof didMethod === 'string' && /^[a-z0-9]{1,16}$/.test(didMethod),
    'didMethod must be the name of a DID method.',
  );
  demand(
    typeof templateRegistry === 'string' && Utils.addressCheck(templateRegistry),
    'templateRegistry must be an address.',
  );
  demand(typeof registrar === 'string' && Utils.addressCheck(registrar), 'registrar must be an address.');
  Chain.store(settingsKey, JSON.stringify({ didMethod, templateRegistry, registrar }));
  return true;
}

/** @param {string} input */
function main(input) {
  demand(Chain.msg.coinAmount === '0' && Chain.msg.asset === undefined, 'Send neither coins nor assets.');
  const { method, params } = JSON.parse(input);
  switch (method) {
    case 'issue':
      issue(params);
      break;
    case 'revoke':
    case 'suspend':
    case 'reinstate':
      changeStatus(method, params);
      break;
    case 'anchorAudit':
      anchorAudit(params);
      break;
    default:
      throw 'requestMalformed: There is no such method.';
  }
  return true;
}

/** @param {string} input */
function query(input) {
  const { method, params } = JSON.parse(input);
  const entry = findEntry(params);
  if (method === 'getStatus') {
    return JSON.stringify(entry === undefined ? { status: 'unknown' } : entry);
  }
  demand(method === 'getRevokeStatus', 'There is no such method.');
  const isRevoked = entry !== undefined && entry.status === 'revoked';
  return JSON.stringify({ isRevoked, revokedAt: isRevoked ? entry.changedAt : null });
}
