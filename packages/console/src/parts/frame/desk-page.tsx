/** A page of a desk: its title says what is there in words; one primary act at most. */
import type { ReactNode } from 'react';
import { useLostFocus } from '../hooks/use-lost-focus.ts';
import { usePageTitle } from './page-title.ts';

export interface DeskPageProps {
  readonly title: string;
  /** Of the window, where the title on the page holds a value of somebody's credential. */
  readonly windowTitle?: string;
  /** Shorter, for the top bar. */
  readonly crumb?: string;
  readonly text?: ReactNode;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}

export function DeskPage({ title, windowTitle, crumb, text, acts, children }: DeskPageProps) {
  const heading = useLostFocus<HTMLHeadingElement>();
  usePageTitle(windowTitle ?? title, crumb ?? title);
  return (
    <div className="page">
      <div className="ph">
        <div>
          <h1 ref={heading} tabIndex={-1}>
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
