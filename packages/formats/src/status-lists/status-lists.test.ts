import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { parseExactBase64Url } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import fc from 'fast-check';
import { signJws } from '../jose/compact-jws.ts';
import { makeKey, nodeVerifySignature } from '../jose/testing/node-keys.ts';
import { statusListLimits } from '../limits/format-limits.ts';
import type { FoundIssuerKeys } from '../sd-jwt/verifying.ts';
import { bitstringCredential, bitstringEntry, readBitstring } from './bitstring-list.ts';
import { pack, unpack } from './packing.ts';
import {
  bitstringBytes,
  bitstringValue,
  type SlotStatus,
  slotValues,
  tokenListBytes,
  tokenListValue,
} from './slots.ts';
import { createStatusChecker, type StatusTools } from './status-check.ts';
import {
  readTokenList,
  signTokenList,
  statusListType,
  type TokenListFacts,
  tokenListPayload,
} from './token-status-list.ts';

const now = Date.parse('2026-11-19T10:00:00Z');
const seconds = now / 1_000;
const uri = 'https://issuer.example/status/ab/0.jwt';
const issuer = 'https://issuer.example/oid4vci/ab';
const key = makeKey();
const facts: TokenListFacts = {
  uri,
  issuer,
  now,
  verifySignature: nodeVerifySignature,
  findIssuerKeys: async () => ({ keys: [key.publicKey], foundBy: 'given' }),
};
const slots = statusListLimits.slots;
const marked = new Map<number, SlotStatus>([
  [0, 'invalid'],
  [5, 'suspended'],
  [slots - 1, 'invalid'],
]);
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const bytesOf = (text: string): Uint8Array => parseExactBase64Url(text) as Uint8Array;
const words = (found: object | Complaint): string =>
  isComplaint(found) ? found.complaint : 'nothing is wrong';

/** The examples of the draft (Token Status List, section 4). */
describe('vectors of the draft', () => {
  test('sixteen slots of one bit', async () => {
    const statuses = [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1];
    const read = await unpack(bytesOf('eNrbuRgAAhcBXQ'), { packing: 'zlib', bytesMax: 100 });
    assert.ok(!isComplaint(read));
    assert.deepEqual([...read.bytes], [0xb9, 0xa3]);
    assert.deepEqual(
      statuses.map((_status, slot) => tokenListValue(read.bytes, 1, slot)),
      statuses,
    );
  });
  test('twelve slots of two bits', async () => {
    const statuses = [1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3];
    const read = await unpack(bytesOf('eNo76fITAAPfAgc'), { packing: 'zlib', bytesMax: 100 });
    assert.ok(!isComplaint(read));
    assert.deepEqual([...read.bytes], [0xc9, 0x44, 0xf9]);
    assert.deepEqual(
      statuses.map((_status, slot) => tokenListValue(read.bytes, 2, slot)),
      statuses,
    );
  });
  test('Bitstring: the first slot is the left-most bit, and an empty list is the example of the standard', async () => {
    assert.equal(bitstringBytes(new Map([[0, 'invalid']]), 'revocation', 16)[0], 0x80);
    const text = 'H4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA';
    const read = await unpack(bytesOf(text), { packing: 'gzip', bytesMax: 16_384 });
    assert.ok(!isComplaint(read));
    assert.deepEqual(read.bytes, new Uint8Array(16_384));
  });
});

test('random slots are read as they were marked, by both kinds', () => {
  const statuses = fc.constantFrom<SlotStatus>('valid', 'invalid', 'suspended');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1_023), statuses)), (ones) => {
      const all = new Map(ones);
      const token = tokenListBytes(all, { slots: 1_024, bits: 2 });
      const revoked = bitstringBytes(all, 'revocation', 1_024);
      const suspended = bitstringBytes(all, 'suspension', 1_024);
      for (let slot = 0; slot < 1_024; slot++) {
        const status = all.get(slot) ?? 'valid';
        assert.equal(tokenListValue(token, 2, slot), slotValues[status]);
        assert.equal(bitstringValue(revoked, slot), status === 'invalid');
        assert.equal(bitstringValue(suspended, slot), status === 'suspended');
      }
    }),
    { numRuns: 30 },
  );
});

test('a slot that a list does not have is none', () => {
  const bytes = new Uint8Array(2);
  for (const slot of [-1, 0.5, 8, Number.NaN, 2 ** 40, Number.POSITIVE_INFINITY])
    assert.equal(tokenListValue(bytes, 2, slot), undefined, String(slot));
  for (const slot of [-1, 16, 2 ** 31, 2 ** 32, 2 ** 53])
    assert.equal(bitstringValue(bytes, slot), undefined);
});

describe('packing', () => {
  test('is what Node packs, both ways', async () => {
    const bytes = Uint8Array.from({ length: 50_000 }, (_, index) => (index % 97 === 0 ? index & 0xff : 0));
    assert.deepEqual(new Uint8Array(inflateSync(await pack(bytes, 'zlib'))), bytes);
    assert.deepEqual(new Uint8Array(gunzipSync(await pack(bytes, 'gzip'))), bytes);
    const read = await unpack(deflateSync(bytes), { packing: 'zlib', bytesMax: 50_000 });
    assert.deepEqual(read, { bytes });
  });
  test('stops at its bound, however small the bomb is', async () => {
    const bomb = deflateSync(new Uint8Array(64 * 1024 * 1024), { level: 9 });
    const before = process.memoryUsage().rss;
    assert.match(words(await unpack(bomb, { packing: 'zlib', bytesMax: 1_000_000 })), /too long/);
    assert.ok(process.memoryUsage().rss - before < 48 * 1024 * 1024);
  });
  test('the other packing, a part, more behind it, no bytes', async () => {
    const whole = deflateSync(new Uint8Array(1_000));
    const bad = [
      gzipSync(new Uint8Array(10)),
      whole.subarray(0, 8),
      Buffer.concat([whole, whole]),
      new Uint8Array(),
    ];
    for (const bytes of bad)
      assert.match(words(await unpack(bytes, { packing: 'zlib', bytesMax: 10_000 })), /not packed/);
  });
});

describe('a Token Status List', () => {
  test('of ours is read', async () => {
    const text = await signTokenList({ uri, marked, at: now }, key.signer);
    const read = await readTokenList(text, facts);
    assert.ok(!isComplaint(read), words(read));
    assert.deepEqual(
      [0, 1, 5, slots - 1].map((slot) => tokenListValue(read.bytes, read.bits, slot)),
      [1, 0, 2, 1],
    );
    assert.equal(read.until, now + statusListLimits.keepSeconds * 1_000);
    assert.ok(text.length < 2_000, 'an empty list is short');
  });

  const refuses = async (changes: Fields, pattern: RegExp, typ = statusListType, signer = key.signer) => {
    const payload = { ...(await tokenListPayload({ uri, marked, at: now })), ...changes };
    assert.match(words(await readTokenList(await signJws(typ, payload, signer), facts)), pattern);
  };
  test('for another address, of another issuer, by another key, of another type', async () => {
    await refuses({ sub: `${uri}?` }, /another address/);
    await refuses({ sub: undefined }, /another address/);
    await refuses({ iss: 'https://eve.example' }, /another issuer/);
    await refuses({}, /not signed by/, statusListType, makeKey().signer);
    await refuses({}, /not of type/, 'JWT');
  });
  test('expired, made in the future, to be kept for no time', async () => {
    await refuses({ exp: seconds }, /expired/);
    await refuses({ exp: 'never' }, /expired/);
    await refuses({ iat: seconds + 120 }, /future/);
    await refuses({ iat: undefined }, /future/);
    await refuses({ ttl: 0 }, /kept/);
    await refuses({ ttl: '60' }, /kept/);
  });
  test('of other bits, in other letters, a bomb', async () => {
    const lst = base64url(deflateSync(new Uint8Array(16)));
    for (const bits of [0, 3, 16, '2', undefined]) await refuses({ status_list: { bits, lst } }, /bits/);
    await refuses({ status_list: { bits: 1, lst: `${lst}=` } }, /base64url/);
    await refuses({ status_list: { bits: 1 } }, /base64url/);
    await refuses({ status_list: [] }, /bits/);
    const bomb = base64url(deflateSync(new Uint8Array(64 * 1024 * 1024)));
    await refuses({ status_list: { bits: 1, lst: bomb } }, /too long/);
  });
});

describe('a Bitstring status list', () => {
  const order = { uri, issuer, purpose: 'revocation' as const, marked, at: now };
  const asked = { uri, issuer, purpose: 'revocation', now };
  test('of ours is read', async () => {
    const read = await readBitstring(await bitstringCredential(order), asked);
    assert.ok(!isComplaint(read), words(read));
    assert.deepEqual(
      [0, 1, 5, slots - 1].map((slot) => bitstringValue(read.bytes, slot)),
      [true, false, false, true],
    );
  });
  const refuses = async (changes: Fields, subject: Fields, pattern: RegExp) => {
    const credential = await bitstringCredential(order);
    const changed = { ...credential, ...changes };
    changed.credentialSubject = { ...(changed.credentialSubject as object), ...subject };
    assert.match(words(await readBitstring(changed, asked)), pattern);
  };
  test('for another address, issuer, purpose, of another type', async () => {
    await refuses({ id: 'https://other.example' }, {}, /another address/);
    await refuses({ issuer: 'did:key:z6' }, {}, /another issuer/);
    await refuses({ type: ['VerifiableCredential'] }, {}, /no Bitstring/);
    await refuses({}, { type: 'List' }, /no Bitstring/);
    await refuses({}, { statusPurpose: 'suspension' }, /another purpose/);
    await refuses({}, { statusSize: 2 }, /more than a bit/);
  });
  test('expired, not valid yet, too short, in another multibase, a bomb', async () => {
    await refuses({ validUntil: '2026-11-19T10:00:00Z' }, {}, /expired/);
    await refuses({ validUntil: 'soon' }, {}, /expired/);
    await refuses({ validFrom: '2026-11-20T10:00:00Z' }, {}, /not valid yet/);
    await refuses({}, { ttl: -1 }, /kept/);
    const packed = (bytes: number) => base64url(gzipSync(new Uint8Array(bytes)));
    await refuses({}, { encodedList: `u${packed(16_383)}` }, /too short/);
    await refuses({}, { encodedList: `z${packed(16_384)}` }, /multibase/);
    await refuses({}, { encodedList: packed(16_384) }, /multibase/);
    await refuses({}, { encodedList: `u${packed(64 * 1024 * 1024)}` }, /too long/);
  });
});

describe('the check of a status', () => {
  const listOf =
    (changes: Fields = {}) =>
    async (): Promise<string> => {
      const payload = await tokenListPayload({ uri, marked, at: now });
      return signJws(statusListType, { ...payload, ...changes }, key.signer);
    };
  const checkerOf = (tools: Partial<StatusTools> = {}) =>
    createStatusChecker({
      now: () => now,
      fetchText: listOf(),
      verifySignature: nodeVerifySignature,
      findIssuerKeys: facts.findIssuerKeys,
      readSecured: async (text) => JSON.parse(text) as Fields,
      ...tools,
    });
  const claim = (idx: unknown, at: unknown = uri) => ({ status_list: { idx, uri: at } });

  test('says what the list has', async () => {
    const { checkClaim } = checkerOf();
    assert.deepEqual(await checkClaim(claim(1), issuer), []);
    assert.deepEqual(await checkClaim(claim(0), issuer), ['the credential is revoked']);
    assert.deepEqual(await checkClaim(claim(5), issuer), ['the credential is suspended']);
  });
  test('a slot that is not there, no slot, no list, another kind of status', async () => {
    const { checkClaim } = checkerOf();
    for (const status of [claim(slots), claim(-1), claim('1'), claim(0.5), claim(1, 'no address'), {}, null])
      assert.equal((await checkClaim(status, issuer)).length, 1, JSON.stringify(status));
    assert.match((await checkClaim({ ...claim(1), status_assertion: {} }, issuer))[0], /not known/);
  });
  test('a list is fetched once for many, again when its time is over, and for another issuer', async () => {
    let fetched = 0;
    let time = now;
    const fetchText = async () => {
      fetched += 1;
      return listOf()();
    };
    const { checkClaim } = checkerOf({ fetchText, now: () => time });
    await Promise.all([1, 2, 3].map((idx) => checkClaim(claim(idx), issuer)));
    await checkClaim(claim(4), issuer);
    assert.equal(fetched, 1);
    time += statusListLimits.keepSeconds * 1_000;
    await checkClaim(claim(4), issuer);
    assert.equal(fetched, 2);
    const stranger: FoundIssuerKeys = { keys: [makeKey().publicKey], foundBy: 'given' };
    const other = checkerOf({
      findIssuerKeys: async (asked) => (asked.issuer === issuer ? facts.findIssuerKeys(asked) : stranger),
    });
    assert.deepEqual(await other.checkClaim(claim(1), issuer), []);
    assert.match((await other.checkClaim(claim(1), 'https://eve.example'))[0], /not signed/);
  });
  test('a list that cannot be had is no status, and is asked for again', async () => {
    let isAway = true;
    const { checkClaim } = checkerOf({
      fetchText: async () => (isAway ? { complaint: 'no answer' } : listOf()()),
    });
    assert.deepEqual(await checkClaim(claim(1), issuer), ['no answer']);
    isAway = false;
    assert.deepEqual(await checkClaim(claim(1), issuer), []);
  });
  test('both purposes of a Bitstring entry', async () => {
    const fetchText = async (url: string) => {
      const purpose = url.endsWith('revocation') ? 'revocation' : 'suspension';
      return JSON.stringify(await bitstringCredential({ uri: url, issuer, purpose, marked, at: now }));
    };
    const { checkEntries } = checkerOf({ fetchText });
    const entries = (slot: number) => [
      bitstringEntry('https://issuer.example/status/ab/0/revocation', 'revocation', slot),
      bitstringEntry('https://issuer.example/status/ab/0/suspension', 'suspension', slot),
    ];
    assert.deepEqual(await checkEntries(entries(3), issuer), []);
    assert.deepEqual(await checkEntries(entries(0), issuer), ['the credential is revoked']);
    assert.deepEqual(await checkEntries(entries(5), issuer), ['the credential is suspended']);
    const [first] = entries(3) as Fields[];
    for (const change of [
      { type: 'Other' },
      { statusListIndex: 3 },
      { statusPurpose: 'message' },
      { statusListCredential: 5 },
      { statusSize: 2 },
      { type: { toString: null } },
    ])
      assert.equal((await checkEntries({ ...first, ...change }, issuer)).length, 1, JSON.stringify(change));
    assert.equal((await checkEntries(Array(20).fill(first), issuer)).length, 1);
  });
});
