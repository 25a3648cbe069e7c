/**
 * What a terminal of 80 columns shows, as a picture (SVG): text that can be selected, in the four tones that commands
 * have. Every run of letters is stretched to its columns, so that tables stand straight in whatever font there is.
 */
export const columns = 80;

const cell = { width: 8.4, height: 18 };
const margin = 14;
const fontSize = 14;
const colours = {
  ground: '#16181d',
  text: '#d7dae0',
  quiet: '#8b919c',
  good: '#7ec77e',
  bad: '#ef7f7f',
};

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replaceAll(/[&<>"]/g, (it) => escapes[it]);

/** What a number after ESC [ changes. */
const tones = {
  0: { isStrong: false, isQuiet: false, colour: undefined },
  1: { isStrong: true },
  2: { isQuiet: true },
  22: { isStrong: false, isQuiet: false },
  31: { colour: 'bad' },
  32: { colour: 'good' },
  39: { colour: undefined },
};

/** A line as runs of one tone each: [{ text, tone }]. */
function runsOf(line) {
  let tone = { ...tones[0] };
  const runs = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what begins a tone.
  for (const [at, part] of line.split(/\u001b\[([0-9;]*)m/).entries()) {
    if (at % 2 === 1) for (const number of part.split(';')) tone = { ...tone, ...tones[Number(number)] };
    else if (part !== '') runs.push({ text: part, tone });
  }
  return runs;
}

const number = (value) => String(Math.round(value * 100) / 100);

/** Browsers make one of several spaces, whatever `xml:space` says, unless they are none to break a line at. */
const keptApart = (text) => text.replaceAll(' ', '\u00a0');

function drawnRun({ text, tone, column }, y) {
  const inner = text.trim();
  if (inner === '') return '';
  const begin = column + text.indexOf(inner);
  const fill = tone.colour ? colours[tone.colour] : tone.isQuiet ? colours.quiet : colours.text;
  const weight = tone.isStrong ? ' font-weight="bold"' : '';
  const [x, width] = [margin + begin * cell.width, [...inner].length * cell.width].map(number);
  return `<text x="${x}" y="${y}" textLength="${width}" lengthAdjust="spacingAndGlyphs" fill="${fill}"${weight}>${keptApart(escaped(inner))}</text>`;
}

/** A line as the rows that it takes: where it is too long it goes on in the next, as in any terminal. */
export function rowsOf(line) {
  const rows = [[]];
  let column = 0;
  for (const { text, tone } of runsOf(line)) {
    let letters = [...text];
    while (letters.length > 0) {
      if (column === columns) {
        rows.push([]);
        column = 0;
      }
      const part = letters.slice(0, columns - column);
      rows.at(-1).push({ text: part.join(''), tone, column });
      letters = letters.slice(part.length);
      column += part.length;
    }
  }
  return rows;
}

function drawnRow(runs, row) {
  const y = number(margin + fontSize + row * cell.height);
  return runs.map((run) => drawnRun(run, y)).filter((drawn) => drawn !== '');
}

/** A picture of what was typed and what was printed; lines may have tones. */
export function pictureOf(lines, title) {
  const width = number(2 * margin + columns * cell.width);
  const rows = lines.flatMap(rowsOf);
  const height = number(2 * margin + rows.length * cell.height);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${fontSize}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${colours.ground}"/>`,
    ...rows.flatMap(drawnRow),
    '</svg>',
    '',
  ].join('\n');
}

const unescaped = (text) =>
  Object.entries(escapes).reduce((read, [to, from]) => read.replaceAll(from, to), text);

/** The words of a picture, line by line: for those who compare what pictures show. */
export function wordsOf(picture) {
  const rows = new Map();
  for (const [, y, text] of picture.matchAll(/<text [^>]*y="([\d.]+)"[^>]*>([^<]*)<\/text>/g))
    rows.set(y, [...(rows.get(y) ?? []), unescaped(text.replaceAll('\u00a0', ' '))]);
  return [...rows.values()].map((parts) => parts.join(' '));
}
