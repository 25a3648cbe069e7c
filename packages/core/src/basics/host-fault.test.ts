import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { parseDidLogEntry } from '../did/did-log.ts';
import { createKeyFormat } from '../keys/keys.ts';
import { profiles } from '../keys/profile.ts';
import { utilsLibrary } from '../ledger/contracts/utils-library.ts';
import type { BuiltIn } from '../ledger/terms/engine.ts';
import { decodeTransaction, encodeTransaction } from '../ledger/terms/transaction.ts';
import { TransactionSchema } from '../proto/ledger_pb.ts';
import { BrokenInvariant } from './assert.ts';
import { encodeBase64, encodeUtf8, parseBase58, parseBase64 } from './bytes.ts';
import { decodeOrNothing, exhaustedWords, HostFault, isHostFault } from './host-fault.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const keys = createKeyFormat(profiles.zetrix, sha256);
const utils = utilsLibrary({ keys, sha256, verifySignature: () => true, log: () => {}, decimals: 6 });
const builtIn = (name: string) => utils.get(`Utils.${name}`) as BuiltIn;
const publicKey = keys.encodePublicKey(new Uint8Array(32).fill(7));
const blob = encodeTransaction(
  create(TransactionSchema, {
    sourceAddress: 'ZTX3source',
    nonce: 7n,
    operations: [{ type: 7, payCoin: { destAddress: 'ZTX3target', amount: 5n, input: 'x' } }],
  }),
);

/** What decides something for the chain from bytes or text of anybody. */
const decisions: Readonly<Record<string, () => unknown>> = {
  'a transaction': () => decodeTransaction(blob) !== undefined,
  'base64 that is hashed': () => builtIn('sha256')([encodeBase64(encodeUtf8('contract')), 2]),
  'text that is hashed': () => builtIn('sha256')(['gr\u00fc\u00dfe', 1]),
  'hex that is hashed': () => builtIn('sha256')(['00ff', 0]),
  'an address': () => builtIn('addressCheck')([keys.addressOfText('somebody')]),
  'a key': () => builtIn('toAddress')([publicKey]),
  'a signature': () => builtIn('ecVerify')(['00'.repeat(64), publicKey, 'AAAA', 2]),
  base58: () => parseBase58('2g', 10)?.length,
  base64: () => parseBase64('AAAA')?.length,
  'a power': () => builtIn('int256Pow')(['3', '100']),
  'an entry of the DID log': () =>
    parseDidLogEntry(JSON.stringify({ version: 1, terms: {}, changes: [] })) === undefined,
};

describe('with less and less stack', () => {
  for (const [name, decide] of Object.entries(decisions)) {
    test(`${name} is decided as ever, or not at all`, () => {
      const expected = decide();
      // Looked at afterwards, where there is stack for looking.
      const answers: unknown[] = [];
      const errors: unknown[] = [];
      let refused = 0;
      let decided = 0;
      const dive = (): void => {
        try {
          dive();
        } catch {
          // The end of the stack: from here on there is more of it with every level.
        }
        if (decided > 200) return;
        try {
          answers[decided] = decide();
          decided += 1;
        } catch (error) {
          errors[refused] = error;
          refused += 1;
        }
      };
      dive();
      assert.ok(refused > 0 && decided > 0, `${refused} refused, ${decided} decided`);
      assert.deepEqual([...new Set(answers)], [expected]);
      for (const error of errors) assert.ok(isHostFault(error), String(error));
    });
  }
});

describe('what is a fault of the host', () => {
  const overflow = (): number => overflow() + 1;
  const thrownBy = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  const faults: Readonly<Record<string, () => unknown>> = {
    'no stack': overflow,
    'a text that is too long': () => 'x'.repeat(2 ** 30),
    'an array that is too long': () => new Array(-1),
    'bytes that are too many': () => new Uint8Array(2 ** 53 - 1),
    'a number that is too large': () => 2n ** (2n ** 40n),
    'a broken invariant': () => {
      throw new BrokenInvariant('broken');
    },
    'a part that failed': () => {
      throw new HostFault('failed');
    },
    'what is no error': () => {
      throw undefined;
    },
  };
  for (const [name, work] of Object.entries(faults)) {
    test(`${name} passes through`, () => {
      assert.ok(isHostFault(thrownBy(work)));
      assert.throws(
        () => decodeOrNothing(work),
        (error) => isHostFault(error),
      );
    });
  }

  test('an encoder that has no stack left passes through, in whatever it wraps that', () => {
    const wrapped = `cannot encode field symbolon.ledger.v1.Transaction.nonce to binary: Maximum call stack size exceeded`;
    assert.ok(isHostFault(new Error(wrapped)));
  });

  test('words in what a decoder objects to are no fault of the host', () => {
    for (const words of [
      ...exhaustedWords,
      'Stack overflow',
      'out of memory',
      'Regular expression too large',
    ]) {
      for (const text of [words, `"${words}`, `{"${words}`, `[1, ${words}`])
        assert.equal(
          decodeOrNothing(() => JSON.parse(text)),
          undefined,
          text,
        );
      assert.equal(
        decodeOrNothing(() => BigInt(words)),
        undefined,
        words,
      );
      assert.equal(parseDidLogEntry(words), undefined, words);
      for (const error of [
        new Error(words),
        new TypeError(words),
        new SyntaxError(`Unexpected token in ${words}`),
        new RangeError(`of "${words}"`),
        new Error(`cannot encode field a.b to binary: invalid int64: ${words}`),
      ])
        assert.equal(isHostFault(error), false, String(error));
    }
  });

  test('what a decoder objects to does not', () => {
    for (const error of [
      new Error('invalid varint'),
      new RangeError('premature EOF'),
      new RangeError('Offset is outside the bounds of the DataView'),
      new SyntaxError('no JSON'),
      new TypeError('The encoded data was not valid for encoding utf-8'),
    ]) {
      assert.equal(isHostFault(error), false, error.message);
      const refuse = () => {
        throw error;
      };
      assert.equal(decodeOrNothing(refuse), undefined);
    }
  });
});
