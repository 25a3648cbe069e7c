/** What became of each row, newest first while it runs. "Recorded" is said only with a block. */
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { tableLimits } from './bulk-limits.ts';
import { type OutcomeLine, reasonOf } from './row-outcomes.ts';

const looks = {
  issued: { tone: 'ok', icon: 'statusOk' },
  before: { tone: 'idle', icon: 'statusOk' },
  failed: { tone: 'bad', icon: 'statusBad' },
} as const;

export function OutcomeList({ lines }: { readonly lines: readonly OutcomeLine[] }) {
  const { words } = useDeskWords('issue');
  const hasExplorer = useBuiltPlaces().has('explorer');
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="bulk-scroll" tabIndex={0} aria-label={words.bulk.outcomes}>
      <ul className="outcome-list">
        {lines
          .slice(-tableLimits.outcomesShownMax)
          .toReversed()
          .map(({ line, subject, outcome }) => (
            <li key={line}>
              <span className="hint num outcome-line">{words.templates.line(line)}</span>
              <span className={`st ${looks[outcome.state].tone}`}>
                <Icon name={looks[outcome.state].icon} />
                {words.bulk.states[outcome.state]}
              </span>
              <Did did={outcome.state === 'failed' ? subject : outcome.vcId} />
              {outcome.state !== 'failed' && outcome.block !== undefined && (
                <Block
                  number={outcome.block}
                  {...(hasExplorer && { to: `/ledger/blocks/${outcome.block}` })}
                />
              )}
              {outcome.state === 'failed' && (
                <span className="grow">{reasonOf(outcome, words.bulk.outcomeCodes)}</span>
              )}
            </li>
          ))}
      </ul>
    </section>
  );
}
