/** Rows as a file that spreadsheets read. What a spreadsheet would take for a formula becomes a text. Pure. */
const cell = (value: string | number | undefined): string => {
  const text = String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvText = (
  heads: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string => [heads, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

export const csvType = 'text/csv;charset=utf-8';
