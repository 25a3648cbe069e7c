/**
 * How a test run ends on paper: every failure in full with the command that repeats it, what was skipped,
 * the table of groups, and the last line, which other programs read. Formats only.
 */

const columns = ['group', 'engine', 'passed', 'failed', 'skipped', 'seconds'];

/** Puts a text into single quotes for a shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const indented = (text, by) =>
  text
    .split('\n')
    .map((line) => (line === '' ? line : `${by}${line}`))
    .join('\n');

export function againCommand({ group, file, name }) {
  if (group === 'check') return 'npm run check';
  if (!file) return `npm test -- --only ${group}`;
  return `npm test -- ${file}${name ? ` --name ${quoted(name)}` : ''}`;
}

export function failureText(failure, number) {
  const { group, title, place, text, output, again } = failure;
  return [
    `  ${number}) ${group} › ${title}`,
    ...(place ? [`     ${place}`] : []),
    '',
    indented(text, '     '),
    ...(output ? ['', '     what it printed:', indented(output, '     │ ')] : []),
    '',
    `     again: ${again}`,
    '',
  ].join('\n');
}

export function tableText(groups) {
  const rows = groups.map((group) => [
    group.name,
    group.engine,
    String(group.passed),
    String(group.failed),
    String(group.skipped),
    group.seconds.toFixed(1),
  ]);
  const widths = columns.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at].length)));
  const line = (row) =>
    `  ${row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('   ')}`;
  return [line(columns), ...rows.map(line)].join('\n');
}

/** The whole ending; in strict runs a skip counts as a failure, in the last line and in the exit code. */
export function closingText(groups, { strict }) {
  const failures = groups.flatMap((group) => group.failures);
  const skips = groups.flatMap((group) => group.skips);
  const total = (key) => groups.reduce((sum, group) => sum + group[key], 0);
  const failed = total('failed') + (strict ? total('skipped') : 0);
  const lines = [''];
  if (failures.length > 0) {
    lines.push(
      `  ${failures.length} failed:`,
      '',
      ...failures.map((failure, at) => failureText(failure, at + 1)),
    );
  }
  if (skips.length > 0) {
    lines.push(`  ${skips.length} skipped${strict ? ', which counts as failed here' : ''}:`);
    lines.push(...skips.map(({ title, reason }) => `     ${title}: ${reason}`), '');
  }
  lines.push(tableText(groups), '', `${total('passed')} passed, ${failed} failed`);
  return { text: lines.join('\n'), failed, passed: total('passed') };
}
