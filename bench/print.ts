/** What the benchmarks write to the terminal: headings, notes and plain tables. */

export const print = (text = ''): void => {
  process.stdout.write(`${text}\n`);
};

/** Lines over a table, apart from what was printed before. */
export const heading = (...lines: readonly string[]): void => {
  for (const line of ['', ...lines]) print(line);
};

/** Progress goes to the other stream, so that the numbers alone can be kept. */
export const note = (text: string): void => {
  process.stderr.write(`  … ${text}\n`);
};

export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd();
  print(line(head));
  print(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) print(line(row));
}

/** A target: what it is about, the value, the bound, and whether larger or smaller is better. */
export const targetRow = (
  name: string,
  value: number,
  [sign, target]: readonly ['>=' | '<=', number],
  digits = whole,
): string[] => {
  const isMet = sign === '>=' ? value >= target : value <= target;
  return [name, digits(value), `${sign} ${digits(target)}`, isMet ? 'met' : 'missed'];
};

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const oneDigit = (value: number): string => value.toFixed(1);
export const twoDigits = (value: number): string => value.toFixed(2);
export const mebibytes = (bytes: number): string => whole(bytes / 2 ** 20);
