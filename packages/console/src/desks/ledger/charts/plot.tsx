/** A chart of one row of numbers: bars, or a line over its ground. What it shows is also said in words beside it. */
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type ChartColours, chartColours } from './chart-colours.ts';

export interface PlotProps {
  /** What it shows, as a sentence. */
  readonly label: string;
  readonly kind: 'bars' | 'line';
  readonly tone: 'plain' | 'accent' | 'warn' | 'ok';
  /** Tall ones have axes and fill their panel. */
  readonly isTall?: boolean;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** How a place on the axis is written. */
  readonly xText: (x: number) => string;
  /** What is said about the number under the pointer: a title and a line. */
  readonly tipOf: (at: number) => readonly [title: string, text: string];
}

const barShare = 0.72;
const barWidthMax = 26;

export function Plot({ label, kind, tone, isTall = false, xs, ys, xText, tipOf }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const look = useComputedColorScheme('light');
  const told = useRef({ xText, tipOf });
  told.current = { xText, tipOf };
  const data = useRef<uPlot.AlignedData>([[], []]);
  data.current = [xs as number[], ys as number[]];
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let isGone = false;
    const size = () => ({ width: element.clientWidth, height: element.clientHeight });
    const watch = new ResizeObserver(() => plot.current?.setSize(size()));
    // The look is read when the chart is drawn, so a chart of another look is another chart.
    element.dataset.look = look;
    void import('uplot').then(({ default: Plotter }) => {
      if (isGone) return;
      const drawn = { colours: chartColours(element), family: getComputedStyle(element).fontFamily };
      const options = optionsOf({ kind, isTall, ...drawn, Plotter, told, tip });
      plot.current = new Plotter({ ...options, ...size() }, data.current, element);
      watch.observe(element);
      // A canvas does not draw itself anew when a font arrives.
      void document.fonts.ready.then(() => plot.current?.redraw());
    });
    return () => {
      isGone = true;
      watch.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [kind, isTall, look]);
  useEffect(() => plot.current?.setData([xs as number[], ys as number[]]), [xs, ys]);
  return (
    <div className={isTall ? 'plot-box tall' : 'plot-box'} role="img" aria-label={label}>
      <div ref={place} className={`plot plot-${tone}`} />
      <div ref={tip} className="plot-tip num" aria-hidden="true" hidden />
    </div>
  );
}

interface OptionParts {
  readonly kind: PlotProps['kind'];
  readonly isTall: boolean;
  readonly colours: ChartColours;
  readonly family: string;
  readonly Plotter: typeof uPlot;
  readonly told: { readonly current: Pick<PlotProps, 'xText' | 'tipOf'> };
  readonly tip: { readonly current: HTMLDivElement | null };
}

function optionsOf({ kind, isTall, colours, family, Plotter, told, tip }: OptionParts) {
  const axis: uPlot.Axis = {
    stroke: colours.axis,
    font: `11px ${family}`,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
  };
  const bars = Plotter.paths.bars?.({ size: [barShare, barWidthMax], radius: 0.12 });
  const series: uPlot.Series =
    kind === 'bars'
      ? { fill: colours.series, points: { show: false }, ...(bars && { paths: bars }) }
      : { stroke: colours.series, fill: colours.fill, width: 1.6, points: { show: false } };
  const options: Omit<uPlot.Options, 'width' | 'height'> = {
    legend: { show: false },
    padding: isTall ? [12, 12, 0, 0] : [4, 0, 2, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'line' } },
    scales: {
      x: {
        time: false,
        range: kind === 'bars' ? (_, from, to) => [from - 0.5, to + 0.5] : (_, a, b) => [a, b],
      },
      y: { range: (_, _from, to) => [0, to > 0 ? to * 1.08 : 1] },
    },
    axes: isTall
      ? [
          {
            ...axis,
            grid: { show: false },
            space: 90,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
            values: (_, splits) => splits.map((x) => told.current.xText(x)),
          },
          { ...axis, size: 42, space: 34, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000] },
        ]
      : [{ show: false }, { show: false }],
    series: [{}, series],
    hooks: { setCursor: [(plot) => showTip(plot, tip.current, told.current.tipOf)] },
  };
  return options;
}

/** Beside the pointer, on the side where there is room. */
function showTip(plot: uPlot, element: HTMLElement | null, tipOf: PlotProps['tipOf']): void {
  if (!element) return;
  const at = plot.cursor.idx;
  const left = plot.cursor.left ?? -1;
  if (at === undefined || at === null || left < 0) {
    element.hidden = true;
    return;
  }
  const [title, text] = tipOf(at);
  const heading = document.createElement('b');
  heading.textContent = title;
  element.replaceChildren(heading, document.createElement('br'), text);
  element.hidden = false;
  const isRight = left > plot.over.clientWidth / 2;
  const x = plot.over.offsetLeft + left + (isRight ? -10 - element.offsetWidth : 10);
  element.style.setProperty('transform', `translateX(${Math.round(Math.max(0, x))}px)`);
}
