/**
 * The first rows as they will be signed: whoever wrote `5.7.2024` or `1,3` sees which day and which number that is before
 * anything is signed. All rows of a column are read by the same rule, so the first ones stand for the others.
 */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { tableLimits } from './bulk-limits.ts';
import type { FitRow } from './table-check.ts';
import { understoodRows } from './understood-text.ts';

export interface UnderstoodRowsProps {
  readonly fit: readonly FitRow[];
  readonly attributes: TemplateReply['credentialFormat'];
}

export function UnderstoodRows({ fit, attributes }: UnderstoodRowsProps) {
  const { words, language } = useDeskWords('issue');
  const { columns, rows } = understoodRows(fit.slice(0, tableLimits.understoodRowsMax), attributes, language);
  if (rows.length === 0 || columns.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="bulk-scroll" tabIndex={0} aria-label={words.bulk.understood}>
      <table className="tbl">
        <caption className="hint">{words.bulk.understood}</caption>
        <thead>
          <tr>
            <th className="right">{words.bulk.lineTitle}</th>
            {columns.map(({ key, label }) => (
              <th key={key}>
                <ForeignText text={label} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, texts }) => (
            <tr key={line}>
              <td className="right num">{line}</td>
              {columns.map(({ key }, at) => (
                <td key={key}>
                  <ForeignText text={texts[at] ?? ''} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
