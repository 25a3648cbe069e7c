/** The six checks in words, in their order, each with a shape and a word for those who do not see it. */
import type { PresentationCheck } from '@symbolon/core/documents/model';
import { Icon } from '../../parts/controls/icon.tsx';
import { Panel } from '../../parts/frame/panel.tsx';
import type { DeskSections } from '../../words/desk-words.ts';
import { useDeskWords } from '../../words/words.ts';
import { CheckFacts } from './check-facts.tsx';

export interface ShownCheck {
  readonly name: PresentationCheck;
  /** Null where there was nothing to compare with, or an earlier failure left nothing to look at. */
  readonly passed: boolean | null;
  readonly words: string;
  /** What the words rest on. */
  readonly facts?: Readonly<Record<string, string>> | undefined;
}

export interface ChecksPanelProps {
  readonly checks: readonly ShownCheck[];
  readonly tookMs?: number | undefined;
  /** Of an earlier time: what the ledger said then it may not say now. */
  readonly isOfThen?: boolean;
}

const looks = {
  true: { tone: 'ok', icon: 'statusOk', word: 'passed' },
  false: { tone: 'bad', icon: 'statusBad', word: 'failed' },
  null: { tone: 'idle', icon: 'statusWarn', word: 'idle' },
} as const;

export function ChecksPanel({ checks, tookMs, isOfThen = false }: ChecksPanelProps) {
  const { words } = useDeskWords('verify');
  const { result } = words.verify;
  return (
    <Panel
      title={result.checks}
      className="six"
      aside={
        tookMs === undefined ? undefined : <span className="hint num">{result.took(String(tookMs))}</span>
      }
    >
      {checks.length === 0 && <p className="pad muted">{result.noChecks}</p>}
      <ol>
        {checks.map((check, at) => {
          const { name, passed, facts } = check;
          const { tone, icon, word } = looks[`${passed}`];
          return (
            <li key={name} className={tone}>
              <Icon name={icon} />
              <div className="grow">
                <b>{result.checkNames[name]}</b>
                <span className="sr">: {result[word]}. </span>
                <span className="muted">{checkText(check, result, isOfThen)}</span>
                {facts && <CheckFacts facts={facts} />}
              </div>
              <span className="faint num" aria-hidden="true">
                {at + 1}
              </span>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}

/** In our own words where we have some: of what passed, and of what the ledger has as taken back. */
function checkText(
  { name, passed, words, facts }: ShownCheck,
  { checkPassed, statusThen, reasons }: DeskSections['verify']['result'],
  isOfThen: boolean,
): string {
  if (passed === true) return isOfThen && name === 'status' ? statusThen : checkPassed[name];
  const state = name === 'status' && passed === false ? facts?.state : undefined;
  return state === 'revoked' || state === 'suspended' ? reasons[state] : words;
}
