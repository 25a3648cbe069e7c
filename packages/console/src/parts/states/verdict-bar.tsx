/** What came of a check, in one sentence, with the six checks below it, each with a shape and its word. */
import type { ReactNode } from 'react';
import { Icon } from '../controls/icon.tsx';

export interface VerdictBarProps {
  readonly isGood: boolean;
  readonly title: string;
  readonly children?: ReactNode;
  readonly act?: ReactNode;
  readonly checks: readonly { readonly name: string; readonly hasPassed: boolean }[];
}

export function VerdictBar({ isGood, title, children, act, checks }: VerdictBarProps) {
  return (
    <>
      <div className={`verdict ${isGood ? 'ok' : 'bad'}`}>
        <span className="verdict-mark">
          <Icon name={isGood ? 'check' : 'cross'} size={20} />
        </span>
        <div className="grow">
          <h3>{title}</h3>
          <p className="muted">{children}</p>
        </div>
        {act}
      </div>
      <ul className="checks">
        {checks.map(({ name, hasPassed }) => (
          <li key={name} className={hasPassed ? '' : 'no'}>
            <Icon name={hasPassed ? 'check' : 'cross'} size={14} />
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}
