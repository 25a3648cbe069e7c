/** Charts of the last blocks: transactions, fees and time of each, and what waited in the last minutes. */
import { Segments } from '../../../parts/controls/segments.tsx';
import { Amount } from '../../../parts/written/amount.tsx';
import { amountText, countText } from '../../../text/numbers.ts';
import { logTimeText } from '../../../text/times.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { ShownFigures } from '../blocks/ledger-figures.ts';
import { ChartPanel } from '../charts/chart-panel.tsx';
import { durationText, summaryOf } from '../charts/figures.ts';
import { Plot } from '../charts/plot.tsx';
import { type ChartRange, existingBlocks, offeredRanges } from '../charts/ranges.ts';

export interface BlockChartsProps {
  readonly figures: readonly ShownFigures[];
  readonly range: ChartRange;
  readonly onRange: (range: ChartRange) => void;
  readonly waiting: readonly { readonly time: number; readonly waiting: number }[];
  readonly waitingCount: number;
}

export function BlockCharts(props: BlockChartsProps) {
  return (
    <div className="charts">
      <TransactionsChart {...props} />
      <div className="panel charts-small">
        <FeesChart {...props} />
        <WaitingChart {...props} />
        <TimesChart {...props} />
      </div>
    </div>
  );
}

function useBlockText() {
  const { words, language } = useDeskWords('ledger');
  return {
    numberText: (seq: number): string => countText(seq, language),
    titleOf: (seq: number): string => words.shell.block(countText(seq, language)),
    gasText: (fees: bigint): string => {
      const { figure, unit } = amountText(fees, language);
      return `${figure} ${unit}`;
    },
  };
}

function TransactionsChart({ figures, range, onRange }: BlockChartsProps) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const { numberText, titleOf, gasText } = useBlockText();
  const offered = offeredRanges(existingBlocks(figures, range));
  const counts = figures.map(({ transactions }) => transactions);
  const sum = counts.reduce((all, one) => all + one, 0);
  const most = summaryOf(counts)?.most ?? 0;
  const failed = figures.reduce((all, one) => all + one.failed, 0);
  const sentence = explorer.charts.transactionsSay(
    figures.length,
    countText(sum, language),
    countText(most, language),
    countText(failed, language),
  );
  return (
    <ChartPanel
      title={explorer.charts.transactions}
      sentence={sentence}
      aside={
        <Segments
          label={explorer.charts.range}
          // An address may ask for more than there is: then all of it is shown.
          value={offered.some(({ value }) => value === range) ? range : (offered.at(-1)?.value ?? range)}
          options={offered.map(({ value, blocks }) => ({ value, label: explorer.charts.blocks(blocks) }))}
          onChoose={onRange}
        />
      }
      table={{
        heads: [words.explorer.block, explorer.charts.transactions],
        rows: figures
          .map(({ seq, transactions }) => [numberText(seq), numberText(transactions)] as const)
          .reverse(),
      }}
    >
      <Plot
        label={sentence}
        kind="bars"
        tone="plain"
        isTall
        xs={figures.map(({ seq }) => seq)}
        ys={counts}
        xText={numberText}
        tipOf={(at) => {
          const block = figures[at];
          if (!block) return ['', ''];
          return [titleOf(block.seq), explorer.charts.tip(block.transactions, gasText(block.fees))];
        }}
      />
    </ChartPanel>
  );
}

function FeesChart({ figures }: BlockChartsProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { numberText, titleOf, gasText } = useBlockText();
  const last = figures.at(-1)?.fees ?? 0n;
  const sum = figures.reduce((all, { fees }) => all + fees, 0n);
  const sentence = explorer.charts.feesSay(figures.length, gasText(sum));
  return (
    <ChartPanel
      isSmall
      title={explorer.charts.fees}
      sentence={sentence}
      aside={<Amount amount={last} />}
      table={{
        heads: [explorer.block, explorer.charts.fees],
        rows: figures.map(({ seq, fees }) => [numberText(seq), gasText(fees)] as const).reverse(),
      }}
    >
      <Plot
        label={sentence}
        kind="line"
        tone="accent"
        xs={figures.map(({ seq }) => seq)}
        // How high a line stands may be rounded; what is written never is.
        ys={figures.map(({ fees }) => Number(fees))}
        xText={numberText}
        tipOf={(at) => {
          const block = figures[at];
          return block ? [titleOf(block.seq), gasText(block.fees)] : ['', ''];
        }}
      />
    </ChartPanel>
  );
}

function WaitingChart({ waiting, waitingCount }: BlockChartsProps) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const counts = waiting.map((one) => one.waiting);
  const most = summaryOf(counts)?.most ?? 0;
  const sentence = explorer.charts.waitingSay(waiting.length, countText(most, language));
  return (
    <ChartPanel
      isSmall
      title={explorer.charts.waiting}
      sentence={sentence}
      aside={<span className="num">{explorer.waitingNow(waitingCount)}</span>}
      table={{
        heads: [explorer.time, explorer.charts.waiting],
        rows: waiting
          .map((one) => [logTimeText(one.time), countText(one.waiting, language)] as const)
          .reverse(),
      }}
    >
      <Plot
        label={sentence}
        kind="line"
        tone="warn"
        xs={waiting.map(({ time }) => time)}
        ys={counts}
        xText={logTimeText}
        tipOf={(at) => {
          const sample = waiting[at];
          return sample ? [logTimeText(sample.time), explorer.waitingNow(sample.waiting)] : ['', ''];
        }}
      />
    </ChartPanel>
  );
}

function TimesChart({ figures }: BlockChartsProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { numberText, titleOf } = useBlockText();
  const timed = figures.filter(({ blockTimeMs }) => blockTimeMs > 0);
  const times = timed.map(({ blockTimeMs }) => blockTimeMs);
  const text = (ms: number): string => durationText(ms, explorer.point);
  const summary = summaryOf(times);
  const sentence = summary
    ? explorer.charts.timesSay(text(summary.middle), text(summary.least), text(summary.most))
    : explorer.charts.timesNone;
  return (
    <ChartPanel
      isSmall
      title={explorer.charts.times}
      sentence={sentence}
      aside={<span className="num">{summary && text(summary.last)}</span>}
      table={{
        heads: [explorer.block, explorer.charts.times],
        rows: timed.map(({ seq, blockTimeMs }) => [numberText(seq), text(blockTimeMs)] as const).reverse(),
      }}
    >
      <Plot
        label={sentence}
        kind="line"
        tone="ok"
        xs={timed.map(({ seq }) => seq)}
        ys={times}
        xText={numberText}
        tipOf={(at) => {
          const block = timed[at];
          return block ? [titleOf(block.seq), text(block.blockTimeMs)] : ['', ''];
        }}
      />
    </ChartPanel>
  );
}
