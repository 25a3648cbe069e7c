/** The verdict in one sentence, at the head of a page: a shape, words and a colour. */
import type { ReactNode } from 'react';
import { Icon } from '../../parts/controls/icon.tsx';

export interface VerdictHeadProps {
  readonly isGood: boolean;
  readonly title: string;
  readonly act?: ReactNode;
  readonly children?: ReactNode;
  /** The title of the page, or only of a part of it. */
  readonly level?: 1 | 2;
}

export function VerdictHead({ isGood, title, act, children, level = 1 }: VerdictHeadProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className={`verdict verdict-head ${isGood ? 'ok' : 'bad'}`} role="status">
      <span className="verdict-mark">
        <Icon name={isGood ? 'check' : 'cross'} size={22} />
      </span>
      <div className="grow">
        <Heading>{title}</Heading>
        <div className="muted verdict-text">{children}</div>
      </div>
      {act}
    </div>
  );
}
