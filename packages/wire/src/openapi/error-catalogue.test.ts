import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultHint, faults } from '@symbolon/core/faults/faults';
import { codeHint, codeRows } from '@symbolon/core/ledger/terms/codes';
import {
  catalogueMarkdown,
  errorAddress,
  faultEntries,
  ledgerEntries,
  paymentReasons,
} from './error-catalogue.ts';

/** As GitHub and its kind make an anchor of a heading. */
const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-');

describe('the catalogue of errors', () => {
  const client = { feeTooHigh: { what: 'It costs too much.', why: 'A cap.', remedy: 'Raise it.' } };
  const entries = [...faultEntries(), ...ledgerEntries()];

  it('has every fault and every code once, with its own anchor', () => {
    assert.equal(entries.length, Object.keys(faults).length + codeRows.length - 1);
    assert.equal(new Set(entries.map(({ anchor }) => anchor)).size, entries.length);
    assert.ok(!entries.some(({ anchor }) => anchor === 'ledger-0'), 'success is no error');
  });

  it('says of each what happened, why and what to do, in three different sentences', () => {
    for (const { name, what, why, remedy } of entries) {
      for (const text of [what, why, remedy]) assert.match(text, /^[A-Z`].{6,}[.]$/s, `${name}: ${text}`);
      assert.equal(new Set([what, why, remedy]).size, 3, name);
    }
  });

  it('prints headings whose anchors are the ones that answers and commands point to', () => {
    const headings = [...catalogueMarkdown(client).matchAll(/^### (.+)$/gm)].map(([, heading]) =>
      anchorOf(heading as string),
    );
    assert.deepEqual(headings, [...entries.map(({ anchor }) => anchor), 'sdk-feetoohigh']);
    for (const code of Object.keys(faults) as (keyof typeof faults)[])
      assert.ok(headings.includes(errorAddress(code).split('#')[1] as string), code);
  });

  it('knows the numbers of the family', () => {
    const marks = new Map(faultEntries().map((entry) => [entry.name, entry.marks]));
    assert.deepEqual(marks.get('templateUnknown'), ['HTTP 404', 'family number 650502']);
    assert.deepEqual(marks.get('requestMalformed'), ['HTTP 400', 'family number 1']);
    assert.deepEqual(marks.get('overloaded'), ['HTTP 503']);
    assert.ok(paymentReasons().some(([word, number]) => word === 'blob_expired' && number === '460807'));
  });

  it('gives a hint for every code, and something or nothing for what it does not know', () => {
    for (const [code, [, , hint]] of Object.entries(faults)) assert.equal(faultHint(code), hint);
    for (const code of ['', 'toString', 'templateunknown', '__proto__'])
      assert.equal(faultHint(code), undefined);
    for (const { code, hint } of codeRows) assert.equal(codeHint(code), hint);
    for (const code of [-1, 6, 9_999, Number.NaN]) assert.match(codeHint(code), /^Look the code up/);
  });
});
