/** The figures of networks as a drawing: how much is committed in a second, and what one costs in CPU time, by validators. */
import { whole } from '../print.ts';
import type { Figure } from './network-figures.ts';

const width = 860;
const height = 360;
const panel = { width: 330, height: 220, top: 70 };
const panelLefts = [70, 490] as const;

interface Series {
  readonly name: string;
  readonly color: string;
  readonly dash?: string;
  readonly points: readonly { readonly validators: number; readonly value: number }[];
}

const ledgerColors = ['#0b7285', '#1098ad', '#66d9e8'];
const kvstoreColor = '#868e96';

const power = (accounts: number): string => `10^${Math.round(Math.log10(accounts))}`;

function seriesOf(figures: readonly Figure[], name: 'rate' | 'cpuUs'): Series[] {
  const sizes = [...new Set(figures.map(({ accounts }) => accounts))];
  const ledger = sizes.map((size, index) => ({
    name: `ledger, ${power(size)} accounts`,
    color: ledgerColors[index % ledgerColors.length] as string,
    points: figures
      .filter(({ accounts }) => accounts === size)
      .map((figure) => ({ validators: figure.validators, value: figure.ledger[name] })),
  }));
  // It has no accounts: the first size at which it ran stands for all.
  const counts = [...new Set(figures.map(({ validators }) => validators))].sort(
    (left, right) => left - right,
  );
  const points = counts.flatMap((validators) => {
    const figure = figures.find((each) => each.validators === validators && each.kvstore);
    return figure?.kvstore ? { validators, value: figure.kvstore[name] } : [];
  });
  return [...ledger, { name: "CometBFT's key-value store", color: kvstoreColor, dash: '5 4', points }];
}

export function drawFigures(figures: readonly Figure[]): string {
  const panels = [
    { title: 'committed in a second', series: seriesOf(figures, 'rate') },
    { title: 'CPU of one on all validators, microseconds', series: seriesOf(figures, 'cpuUs') },
  ];
  const legend = (panels[0]?.series ?? []).map(({ name, color, dash = '' }, index) => {
    const x = 70 + index * 200;
    return `<path d="M${x} 340h24" stroke="${color}" stroke-dasharray="${dash}"/><text x="${x + 30}" y="344">${name}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    '<title>Transfers through 1, 4 and 7 validators on one machine</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    '<g fill="#212529" stroke-width="2">',
    ...panels.map(({ title, series }, index) => drawPanel(panelLefts[index] as number, title, series)),
    ...legend,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const steps = [1, 2, 5];

/** Lines across at round values, from 0 to above the largest. */
function ticksUpTo(largest: number): number[] {
  const rough = largest / 4;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = (steps.find((each) => each * decade >= rough) ?? 10) * decade;
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, index) => index * step);
}

function drawPanel(left: number, title: string, series: readonly Series[]): string {
  const points = series.flatMap((each) => each.points);
  const ticks = ticksUpTo(Math.max(1, ...points.map(({ value }) => value)));
  const counts = [...new Set(points.map(({ validators }) => validators))].sort((one, other) => one - other);
  const bottom = panel.top + panel.height;
  const xOf = (validators: number): number =>
    left + (panel.width * (counts.indexOf(validators) + 0.5)) / counts.length;
  const yOf = (value: number): number =>
    Math.round(bottom - (panel.height * value) / (ticks.at(-1) as number));
  const grid = ticks.map(
    (value) =>
      `<path d="M${left} ${yOf(value)}h${panel.width}" stroke="#dee2e6" stroke-width="1"/><text x="${left - 8}" y="${yOf(value) + 4}" text-anchor="end">${whole(value)}</text>`,
  );
  const names = counts.map(
    (count) => `<text x="${Math.round(xOf(count))}" y="${bottom + 20}" text-anchor="middle">${count}</text>`,
  );
  const lines = series.map(({ color, dash = '', points: own }) => {
    const places = own.map(({ validators, value }) => [Math.round(xOf(validators)), yOf(value)] as const);
    const path = places.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
    const dots = places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5" fill="${color}"/>`).join('');
    return `<path d="${path}" fill="none" stroke="${color}" stroke-dasharray="${dash}"/>${dots}`;
  });
  return [
    `<text x="${left}" y="${panel.top - 24}" font-size="14" font-weight="600">${title}</text>`,
    ...grid,
    ...names,
    `<text x="${left + panel.width / 2}" y="${bottom + 38}" text-anchor="middle">validators</text>`,
    ...lines,
  ].join('\n');
}
