import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMetrics } from './metrics.ts';

const quiet = () => createMetrics({ withProcess: false });
const linesOf = async (metrics: ReturnType<typeof quiet>) => (await metrics.render()).text.split('\n');

describe('metrics', () => {
  test('requests are counted by route and outcome', async () => {
    const metrics = quiet();
    metrics.observeRequest({ route: 'getAccount', code: 0, seconds: 0.004 });
    metrics.observeRequest({ route: 'getAccount', code: 0, seconds: 20 });
    metrics.observeRequest({ route: 'getAccount', code: 4, seconds: 0.001 });
    const lines = await linesOf(metrics);
    assert.ok(lines.includes('symbolon_http_request_seconds_count{route="getAccount",code="0"} 2'));
    assert.ok(lines.includes('symbolon_http_request_seconds_count{route="getAccount",code="4"} 1'));
    assert.ok(
      lines.includes('symbolon_http_request_seconds_bucket{le="0.005",route="getAccount",code="0"} 1'),
    );
    assert.ok(lines.includes('symbolon_http_request_seconds_bucket{le="10",route="getAccount",code="0"} 1'));
  });

  test('counters, gauges and histograms carry the common prefix', async () => {
    const metrics = quiet();
    const total = metrics.counter({ name: 'transactions_total', help: 'Transactions' });
    total.add();
    total.add(4);
    metrics.gauge({ name: 'queue_length', help: 'Waiting' }).set(7);
    metrics.gauge({ name: 'engine', help: 'Engine', labels: { engine: 'native' } }, () => 1);
    metrics.histogram({ name: 'block_seconds', help: 'Blocks' }, [0.1, 1]).observe(0.5);
    const asked = metrics.histogram({ name: 'asked_seconds', help: 'Questions', label: 'method' }, [1]);
    asked.observe(0.5, 'commit');
    const lines = await linesOf(metrics);
    for (const line of [
      'symbolon_transactions_total 5',
      'symbolon_queue_length 7',
      'symbolon_engine{engine="native"} 1',
      'symbolon_block_seconds_bucket{le="0.1"} 0',
      'symbolon_block_seconds_bucket{le="1"} 1',
      'symbolon_asked_seconds_bucket{le="1",method="commit"} 1',
    ]) {
      assert.ok(lines.includes(line), line);
    }
  });

  test('a gauge with a reader is asked whenever somebody looks', async () => {
    const metrics = quiet();
    const queue: number[] = [];
    metrics.gauge({ name: 'queue_length', help: 'Waiting' }, () => queue.length);
    assert.ok((await linesOf(metrics)).includes('symbolon_queue_length 0'));
    queue.push(1, 2);
    assert.ok((await linesOf(metrics)).includes('symbolon_queue_length 2'));
  });

  test('two sets of metrics do not share anything', async () => {
    const [one, other] = [quiet(), quiet()];
    one.counter({ name: 'x_total', help: 'x' }).add();
    other.counter({ name: 'x_total', help: 'x' });
    assert.ok((await linesOf(one)).includes('symbolon_x_total 1'));
    assert.ok((await linesOf(other)).includes('symbolon_x_total 0'));
  });

  test('the process itself is measured', async () => {
    const { text, contentType } = await createMetrics().render();
    assert.match(text, /^symbolon_process_resident_memory_bytes \d+/m);
    assert.match(text, /^symbolon_nodejs_eventloop_lag_seconds /m);
    assert.match(contentType, /^text\/plain/);
  });
});

describe('bad input', () => {
  test('no stranger fills the memory with label values', async () => {
    const metrics = quiet();
    for (let i = 0; i < 1_000; i += 1) {
      metrics.observeRequest({ route: `/path/${i}`, code: `${i}`, seconds: 0.001 });
    }
    const counts = (await linesOf(metrics)).filter((line) => line.includes('_count{'));
    assert.equal(counts.length, 201);
    assert.ok(counts.includes('symbolon_http_request_seconds_count{route="other",code="other"} 800'));
  });

  test('a label cannot break out of its quotes', async () => {
    const metrics = quiet();
    metrics.observeRequest({ route: 'a"} 1\nfake_metric 5', code: 0, seconds: 0.001 });
    assert.ok(!(await linesOf(metrics)).some((line) => line.startsWith('fake_metric')));
  });

  test('a name is taken once, and must be a name', () => {
    const metrics = quiet();
    metrics.counter({ name: 'x_total', help: 'x' });
    assert.throws(() => metrics.counter({ name: 'x_total', help: 'x' }), /already been registered/);
    assert.throws(() => metrics.gauge({ name: 'not a name', help: 'x' }), /[Ii]nvalid metric name/);
  });

  test('a counter never goes down', () => {
    const counter = quiet().counter({ name: 'x_total', help: 'x' });
    assert.throws(() => counter.add(-1), /decrease/);
  });

  test('values that are no numbers are refused', () => {
    const metrics = quiet();
    const wrong = 'soon' as unknown as number;
    assert.throws(() => metrics.gauge({ name: 'y', help: 'y' }).set(wrong), TypeError);
    assert.throws(() => metrics.observeRequest({ route: 'a', code: 0, seconds: wrong }), TypeError);
  });
});
