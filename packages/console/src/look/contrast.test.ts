/** The table of tokens, held to what it promises: every text colour can be read on every ground, in both themes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { identityColours } from '../text/identity.ts';

const table = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const tokens = new Map(
  [...table.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

const channel = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

const grounds = ['bg', 'surface', 'sunken', 'hover'];
const inks = ['ink', 'ink-2', 'ink-3', 'accent', 'proof', 'ok', 'warn', 'bad'];

for (const theme of ['light', 'dark'] as const) {
  test(`every ink can be read on every ground, ${theme}`, () => {
    for (const ink of inks)
      for (const ground of [...grounds, ...(tokens.has(`${ink}-soft`) ? [`${ink}-soft`] : [])]) {
        const [text, below] = [tokens.get(ink)?.[theme], tokens.get(ground)?.[theme]];
        assert.ok(text && below, `${ink} on ${ground}`);
        assert.ok(contrast(text, below) >= 4.5, `${ink} on ${ground}: ${contrast(text, below).toFixed(2)}`);
      }
  });
}

test('white can be read on every colour of an identity', () => {
  for (const colour of identityColours) assert.ok(contrast('#ffffff', colour) >= 7, colour);
});
