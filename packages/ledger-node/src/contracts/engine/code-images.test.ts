import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CodeImage, CodeImages } from './code-images.ts';

const imageOf = (bytes: number) =>
  ({ image: { bytes: new Uint8Array(bytes), memoryPages: 1 }, script: 0, gas: 0n }) as unknown as CodeImage;

describe('images of contracts', () => {
  test('the one unused for longest goes first', () => {
    const images = new CodeImages(35_000);
    for (const key of ['a', 'b', 'c']) images.add(key, imageOf(10_000));
    assert.ok(images.get('a'));
    images.add('d', imageOf(10_000));
    assert.equal(images.get('b'), undefined);
    for (const key of ['a', 'c', 'd']) assert.ok(images.get(key), key);
  });

  test('a large one pushes out several, and itself when it does not fit', () => {
    const images = new CodeImages(35_000);
    for (const key of ['a', 'b', 'c']) images.add(key, imageOf(10_000));
    images.add('large', imageOf(21_000));
    assert.deepEqual(
      ['a', 'b', 'c', 'large'].map((key) => images.get(key) !== undefined),
      [false, false, true, true],
    );
    images.add('huge', imageOf(50_000));
    assert.equal(images.get('huge'), undefined);
    assert.equal(images.bytes, 0);
  });

  test('entries without an image are bounded too', () => {
    const images = new CodeImages(10_000);
    for (let index = 0; index < 1_000; index += 1)
      images.add(`${index}`, { failure: {} } as unknown as CodeImage);
    assert.ok(images.bytes <= 10_000);
    assert.equal(images.get('0'), undefined);
    assert.ok(images.get('999'));
  });
});
