/** A text of a stranger, as it stands: indented where it is JSON, cut where it is long, and with a button that copies all of it. */
import { parseJsonOrNothing, stringifyJson } from '@symbolon/wire/json/json';
import { Fragment } from 'react';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { ForeignLines, ForeignText } from '../../../parts/written/foreign-text.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { jsonPieces, prettyJson } from './json-pieces.ts';

const shownCharsMax = 20_000;

export interface JsonCodeProps {
  readonly text: string;
  readonly label: string;
}

export function JsonCode({ text, label }: JsonCodeProps) {
  const { words, language } = useDeskWords('ledger');
  const value = parseJsonOrNothing(text);
  const isStructure = typeof value === 'object' && value !== null;
  const whole = isStructure ? prettyJson(stringifyJson(value)) : text;
  const shown = whole.slice(0, shownCharsMax);
  return (
    <div className="json-code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="code" tabIndex={0} aria-label={label}>
        {isStructure ? (
          jsonPieces(shown).map(({ tone, text: piece }, at) =>
            tone === '' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece of a text is its place.
              <Fragment key={at}>{piece}</Fragment>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece of a text is its place.
              <span key={at} className={tone}>
                <ForeignText text={piece} />
              </span>
            ),
          )
        ) : (
          <ForeignLines text={shown} />
        )}
      </section>
      <CopyButton text={text} what={label} />
      {shown.length < whole.length && (
        <p className="hint">{words.explorer.cutAt(countText(whole.length - shown.length, language))}</p>
      )}
    </div>
  );
}
