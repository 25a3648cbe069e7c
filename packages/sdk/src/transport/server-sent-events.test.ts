import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createEventReader, type ServerSentEvent } from './server-sent-events.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const stream =
  'id: 7\nevent: status\ndata: {"a":"Å"}\n\n: still here\n\nretry: 50\r\ndata: one\r\ndata: two\r\n\r\n';

describe('a reader of server-sent events', () => {
  it('gives the same events however the bytes are cut', () => {
    const whole: ServerSentEvent[] = [
      { name: 'status', data: '{"a":"Å"}' },
      { name: 'message', data: 'one\ntwo' },
    ];
    const all = bytes(stream);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: all.length }), { maxLength: 8 }), (cuts) => {
        const reader = createEventReader(1_000);
        const places = [0, ...cuts.sort((a, b) => a - b), all.length];
        const events = places.slice(1).flatMap((end, at) => reader.read(all.subarray(places[at], end)));
        assert.deepEqual(events, whole);
        assert.deepEqual([reader.lastId, reader.retryMs], ['7', 50]);
      }),
    );
  });

  it('passes over comments, unknown fields, events without data and ids that fit no header', () => {
    const reader = createEventReader(1_000);
    const text = ': x\nfoo: bar\nevent: nothing\n\nid: a b\nid: \u00e4\nretry: soon\ndata\n\n';
    assert.deepEqual(reader.read(bytes(text)), [{ name: 'message', data: '' }]);
    assert.deepEqual([reader.lastId, reader.retryMs], [undefined, undefined]);
  });

  it('keeps no event and no line that has no end', () => {
    for (const text of ['x'.repeat(101), `data: ${'x'.repeat(60)}\ndata: ${'x'.repeat(60)}\n`]) {
      assert.throws(() => createEventReader(100).read(bytes(text)), { code: 'responseTooLarge' });
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (rubbish) => {
        const reader = createEventReader(50);
        try {
          for (const event of reader.read(rubbish)) assert.ok(event.data.length <= 100);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'responseTooLarge');
        }
      }),
    );
  });
});
