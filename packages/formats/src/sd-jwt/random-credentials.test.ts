/** Whatever the template and whatever is shown of it: it verifies, and nothing else can be read out of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttributeValue, TemplateAttribute } from '@symbolon/core/documents/model';
import fc from 'fast-check';
import { isTakenClaim } from './claim-names.ts';
import { contents, decodePart, facts, issueOne, present } from './testing/sample-sd-jwts.ts';
import { verifySdJwt } from './verifying.ts';

const kinds = {
  text: fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => `secret ${text}`),
  integer: fc.integer({ min: 1_000_000_000 }),
  decimal: fc.integer({ min: 1_000_000_000 }).map((number) => `${number}.5`),
  boolean: fc.boolean(),
} as const;
type Kind = keyof typeof kinds;

interface OneAttribute {
  readonly attribute: TemplateAttribute;
  readonly value: AttributeValue;
  readonly isShown: boolean;
  readonly isAbsent: boolean;
}

const oneAttribute = fc
  .tuple(
    fc.stringMatching(/^[a-z][A-Za-z0-9_]{3,20}$/).filter((key) => !isTakenClaim(key)),
    fc.constantFrom(...(Object.keys(kinds) as Kind[])),
    fc.boolean(),
    fc.nat(4),
  )
  .chain(([key, type, isShown, absence]) =>
    kinds[type].map((value): OneAttribute => {
      const attribute = { key, label: key, type, format: type, mandatory: false };
      return { attribute, value, isShown, isAbsent: absence === 0 };
    }),
  );
const attributes = fc.uniqueArray(oneAttribute, {
  minLength: 1,
  maxLength: 12,
  selector: ({ attribute }) => attribute.key,
});

test('random templates are issued, shown in part, and verified', async () => {
  await fc.assert(
    fc.asyncProperty(attributes, async (ones) => {
      const held = ones.filter(({ isAbsent }) => !isAbsent);
      const values = Object.fromEntries(held.map(({ attribute, value }) => [attribute.key, value]));
      const template = { attributes: ones.map(({ attribute }) => attribute) };
      const shown = held.filter(({ isShown }) => isShown);
      const text = await present(
        await issueOne({ ...contents, template, values }),
        shown.map(({ attribute }) => attribute.key),
      );
      const { verified, credential } = await verifySdJwt(text, facts);
      assert.ok(verified && credential);
      for (const { attribute, value } of shown) assert.equal(credential.claims[attribute.key], value);
      const readable = text
        .split(/[~.]/)
        .map((part) => Buffer.from(part, 'base64url').toString('utf8'))
        .join('\n');
      const told = JSON.stringify(shown.map(({ value }) => value));
      for (const { attribute, value } of held.filter(({ isShown }) => !isShown)) {
        assert.ok(!Object.hasOwn(credential.claims, attribute.key));
        assert.ok(!readable.includes(`"${attribute.key}"`), 'the name of what is not shown');
        const hidden = JSON.stringify(value);
        // Another attribute may say the same, or 4.5 where this one says 4.
        if (typeof value !== 'boolean' && !told.includes(hidden))
          assert.ok(!readable.includes(hidden), 'its value');
      }
      const { _sd } = decodePart(text.split('.')[1]);
      assert.equal((_sd as string[]).length, ones.length);
    }),
    { numRuns: 60 },
  );
});

test('no single letter of a presentation can be changed', async () => {
  const text = await present(await issueOne(), ['fullName', 'grade']);
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom(...'AZaz09-_.~'), async (at, letter) => {
      fc.pre(text[at] !== letter);
      const changed = text.slice(0, at) + letter + text.slice(at + 1);
      assert.equal((await verifySdJwt(changed, facts)).verified, false);
    }),
    { numRuns: 150 },
  );
});
