/**
 * Texts that are encodings of something, opened, changed in one place inside, and closed again: transactions, holders'
 * presentations, what issuers sign, JSON within JSON. No checksum, length or layout gives such a lie away; only whoever
 * compares what it says with what was ordered notices.
 */
import { fromJson, toJson } from '@bufbuild/protobuf';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { decodeTransaction, encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '@symbolon/wire/json/json';
import type { Random } from '../crash/seeded-random.ts';
import { twelveValues } from '../support/service-steps.ts';
import { type Change, change, changesOf, changesWithin, liar, liarDid, quietChangesOf } from './mutators.ts';

interface Encoding {
  readonly open: (text: string) => JsonValue | undefined;
  readonly close: (value: JsonValue) => string;
  /** Lies that take more than another value in one place. */
  readonly more?: (value: JsonValue) => readonly Change[];
}

const hexBytes = (text: string): Buffer | undefined =>
  /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined;
const base64Url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    // Then it is an encoding of something else, or of nothing.
    return undefined;
  }
}

const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const asList = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

const transaction: Encoding = {
  open: (text) => {
    const bytes = hexBytes(text);
    const decoded = bytes && bytes.length > 40 ? decodeTransaction(bytes) : undefined;
    return decoded && (toJson(TransactionSchema, decoded) as JsonObject);
  },
  close: (value) =>
    Buffer.from(encodeTransaction(fromJson(TransactionSchema, value as never))).toString('hex'),
  more: (value) => {
    const told = asObject(value);
    const operations = asList(told.operations);
    const [first, ...rest] = operations;
    const withFirst = (members: JsonObject): JsonObject => ({
      ...told,
      operations: [{ ...asObject(first), ...members }, ...rest],
    });
    const theft = { type: 7, payCoin: { destAddress: liar.address, amount: '1000000' } };
    const payCoin = asObject(asObject(first).payCoin);
    return [
      change('pays besides', { ...told, operations: [...operations, theft] }, ['operations']),
      change('pays instead', { ...told, operations: [theft] }, ['operations']),
      change('may cost anything', { ...told, feeLimit: '9000000000000000000' }, ['feeLimit']),
      change('costs anything', { ...told, gasPrice: '9000000000' }, ['gasPrice']),
      change('of another chain', { ...told, chainId: '77' }, ['chainId']),
      change('says something', { ...told, metadata: 'AAAA' }, ['metadata']),
      change('under a condition', { ...told, exprCondition: '1 > 2' }, ['exprCondition']),
      change('until a block', { ...told, ceilLedgerSeq: '5' }, ['ceilLedgerSeq']),
      change('for another', withFirst({ sourceAddress: liar.address }), ['sourceAddress']),
      change('with a word', withFirst({ metadata: 'AAAA' }), ['metadata']),
      change('pays the contract', withFirst({ payCoin: { ...payCoin, amount: '1000000' } }), ['amount']),
    ];
  },
};

const holderHeader = base64Url('{"alg":"EdDSA"}');

const presentation: Encoding = {
  open: (text) => {
    const [head, payload = '', ...rest] = hexBytes(text)?.toString('latin1').split('.') ?? [];
    if (head !== holderHeader || rest.length > 0) return undefined;
    return jsonOf(Buffer.from(payload, 'base64url').toString('utf8'));
  },
  close: (value) => Buffer.from(`${holderHeader}.${base64Url(canonicalJson(value))}`).toString('hex'),
  more: (value) => {
    const shown = asObject(value);
    const [first, ...rest] = asList(shown.verifiableCredential).map(asObject);
    const withFirst = (members: JsonObject): JsonObject => ({
      ...shown,
      verifiableCredential: [{ ...first, ...members }, ...rest],
    });
    const subject = asObject(first?.credentialSubject);
    const proof = asObject(first?.proof);
    const ranges = asList(proof.ranges);
    const point = { attribute: 'height', min: 171, max: 171 };
    return [
      ...Object.entries(twelveValues)
        .filter(([key]) => !Object.hasOwn(subject, key))
        .map(([key, held]) =>
          change(`shows ${key}`, withFirst({ credentialSubject: { ...subject, [key]: held } }), [key]),
        ),
      change('proves a point', withFirst({ proof: { ...proof, ranges: [...ranges, point] } }), ['ranges']),
      change(
        'for another challenge',
        { ...shown, proof: { ...asObject(shown.proof), challenge: 'theirs' } },
        ['challenge'],
      ),
      change(
        'for another domain',
        { ...shown, proof: { ...asObject(shown.proof), domain: 'theirs.example' } },
        ['domain'],
      ),
    ];
  },
};

const issuerHeader = `${base64Url('{"alg":"EdDSA","b64":false,"crit":["b64"]}')}.`;

/** The parts of what an issuer signs, as hex. */
const issuerInput: Encoding = {
  open: (text) => {
    const bytes = hexBytes(text);
    if (!bytes?.toString('latin1').startsWith(issuerHeader)) return undefined;
    const rest = bytes.subarray(issuerHeader.length).toString('hex');
    return { options: rest.slice(0, 64), credential: rest.slice(64, 128), commitment: rest.slice(128) };
  },
  close: (value) => {
    const { options, credential, commitment } = asObject(value);
    return `${Buffer.from(issuerHeader).toString('hex')}${options}${credential}${commitment}`;
  },
};

/** JSON as a text, bare or in base64: inputs of contracts, lists of attributes, entries of logs, what is signed with BBS. */
const json: Encoding = {
  open: (text) => (/^[[{]/.test(text) ? jsonOf(text) : undefined),
  close: (value) => stringifyJson(value),
};
const jsonInBase64: Encoding = {
  open: (text) =>
    /^[WeI][A-Za-z0-9+/]{20,}=*$/.test(text)
      ? json.open(Buffer.from(text, 'base64').toString('utf8'))
      : undefined,
  close: (value) => Buffer.from(stringifyJson(value)).toString('base64'),
};

/** A word and what it says: messages of BBS signatures. */
const labelled: Encoding = {
  open: (text) => {
    const [, label, word] = /^([A-Za-z]+): (.+)$/s.exec(text) ?? [];
    return label === undefined ? undefined : { label, word };
  },
  close: (value) => `${asObject(value).label}: ${asObject(value).word}`,
};

const encodings = { transaction, presentation, issuerInput, json, jsonInBase64, labelled };

/** What a text is an encoding of; undefined where it is none that is known. */
export const openedText = (text: string): JsonValue | undefined =>
  Object.values(encodings)
    .map(({ open }) => open(text))
    .find((inside) => inside !== undefined);

/** Lies inside of a text. */
function changesInside(text: string, random: Random): Change[] {
  for (const [name, { open, close, more }] of Object.entries(encodings)) {
    const inside = open(text);
    if (inside === undefined) continue;
    const lies = [...changesWithin(inside, quietKinds, random), ...(more?.(inside) ?? [])];
    return lies.flatMap((lie): Change[] => {
      const closed = lie.value === undefined ? undefined : closedOrNothing(close, lie.value);
      return closed === undefined || closed === text
        ? []
        : [{ name: `${name} ${lie.name}`, about: lie.about, inText: lie.about.length, value: closed }];
    });
  }
  return [];
}

function closedOrNothing(close: Encoding['close'], value: JsonValue): string | undefined {
  try {
    return close(value);
  } catch {
    // No encoding has this value, so nobody can send it.
    return undefined;
  }
}

const quietKinds = (value: JsonValue, random: Random): readonly Change[] => [
  ...quietChangesOf(value, random),
  ...(typeof value === 'string' ? changesInside(value, random) : []),
];

/** Lies about a value and what is inside it that leave its form as it is. */
export const everyQuietChangeOf = (value: JsonValue, random: Random): Change[] =>
  changesWithin(value, quietKinds, random);

/** Every lie that is known about a value and what is inside it. */
export const everyChangeOf = (value: JsonValue, random: Random): Change[] =>
  changesWithin(
    value,
    (one) => [
      ...changesOf(one, random),
      ...(typeof one === 'string' ? changesInside(one, random) : []),
      ...wrongSubject(one),
    ],
    random,
  );

/** A credential or application of somebody else, otherwise the same. */
function wrongSubject(value: JsonValue): Change[] {
  if (!isJsonObject(value) || !isJsonObject(value.credentialSubject)) return [];
  const { id: _whose, ...claims } = value.credentialSubject;
  return [
    change("another's", { ...value, credentialSubject: { id: liarDid, ...claims } }, [
      'credentialSubject',
      'id',
    ]),
  ];
}
