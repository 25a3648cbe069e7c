/** A page of a desk: its title says what is there in words; one primary act at most. */
import type { ReactNode } from 'react';
import { useLostFocus } from '../hooks/use-lost-focus.ts';
import { useOutcomeFocus } from '../hooks/use-outcome-focus.ts';
import { usePageTitle } from './page-title.ts';

export interface DeskPageProps {
  readonly title: string;
  /** Of the window, where the title on the page holds a value of somebody's credential. */
  readonly windowTitle?: string;
  /** Shorter, for the top bar. */
  readonly crumb?: string;
  readonly text?: ReactNode;
  readonly acts?: ReactNode;
  /** It took the place of a page on which something was done, and says what came of it. */
  readonly isOutcome?: boolean;
  readonly children: ReactNode;
}

export function DeskPage({ title, windowTitle, crumb, text, acts, isOutcome, children }: DeskPageProps) {
  const lost = useLostFocus<HTMLHeadingElement>();
  const outcome = useOutcomeFocus<HTMLHeadingElement>(isOutcome);
  usePageTitle(windowTitle ?? title, crumb ?? title);
  return (
    <div className="page">
      <div className="ph">
        <div>
          <h1 ref={isOutcome ? outcome : lost} tabIndex={-1}>
            {title}
          </h1>
          {text !== undefined && <p>{text}</p>}
        </div>
        {acts !== undefined && <div className="acts">{acts}</div>}
      </div>
      {children}
    </div>
  );
}
