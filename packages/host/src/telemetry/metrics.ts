/**
 * Metrics in the Prometheus text form: one registry for a process, a histogram of requests, and a small factory for
 * everything else. Owns names and bounds (a label takes a limited number of values, so that a stranger's paths cannot
 * fill the memory); what is measured is the caller's business.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface RequestObservation {
  /** The route's name in the route table, not the path that was asked for. */
  readonly route: string;
  /** The outcome as the interface reports it: an error code or an HTTP status. */
  readonly code: number | string;
  readonly seconds: number;
}

export interface MetricDescription {
  /** Without the common prefix, with its unit last: `block_seconds`, `transactions_total`. */
  readonly name: string;
  readonly help: string;
}

export interface GaugeDescription extends MetricDescription {
  /** What it always says beside its value. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface HistogramDescription extends MetricDescription {
  readonly label?: string;
}

export interface Metrics {
  observeRequest(observation: RequestObservation): void;
  counter(description: MetricDescription): { add(count?: number): void };
  /** A gauge that is set, or, with `read`, asked for its value whenever somebody looks. */
  gauge(description: GaugeDescription, read?: () => number): { set(value: number): void };
  /** With a label every value says which of its kinds it is of. */
  histogram(
    description: HistogramDescription,
    buckets: readonly number[],
  ): { observe(value: number, kind?: string): void };
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const prefix = 'symbolon_';
const labelValuesMax = 200;
const overflowLabel = 'other';

const requestSecondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Lets the first values of a label through and calls the rest by one name. */
function boundedLabel(): (value: string) => string {
  const seen = new Set<string>();
  return (value) => {
    if (seen.has(value)) return value;
    if (seen.size >= labelValuesMax) return overflowLabel;
    seen.add(value);
    return value;
  };
}

/** `withProcess`: also CPU, memory, event loop and garbage collection of this process. Once per process. */
export function createMetrics({ withProcess = true } = {}): Metrics {
  const register = new Registry();
  const registers = [register];
  if (withProcess) collectDefaultMetrics({ register, prefix });
  const requests = new Histogram({
    name: `${prefix}http_request_seconds`,
    help: 'How long requests took, by route and outcome',
    labelNames: ['route', 'code'] as const,
    buckets: requestSecondsBuckets,
    registers,
  });
  const routeLabel = boundedLabel();
  const codeLabel = boundedLabel();
  const named = ({ name, help }: MetricDescription) => ({ name: prefix + name, help, registers });

  return {
    observeRequest({ route, code, seconds }) {
      requests.observe({ route: routeLabel(route), code: codeLabel(String(code)) }, seconds);
    },
    counter(description) {
      const counter = new Counter(named(description));
      return { add: (count = 1) => counter.inc(count) };
    },
    gauge(description, read) {
      const { labels = {} } = description;
      const collect = read && { collect: () => gauge.set(labels, read()) };
      const gauge: Gauge = new Gauge({
        ...named(description),
        labelNames: Object.keys(labels),
        ...collect,
      });
      return { set: (value) => gauge.set(labels, value) };
    },
    histogram(description, buckets) {
      const { label } = description;
      const labelNames = label === undefined ? [] : [label];
      const histogram = new Histogram({ ...named(description), labelNames, buckets: [...buckets] });
      const kindLabel = boundedLabel();
      return {
        observe: (value, kind) =>
          histogram.observe(label === undefined ? {} : { [label]: kindLabel(kind ?? overflowLabel) }, value),
      };
    },
    async render() {
      return { contentType: register.contentType, text: await register.metrics() };
    },
  };
}
