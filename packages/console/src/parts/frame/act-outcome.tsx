/** What came of an act: said to whoever hears the page, and gone to by whoever did it. */
import type { ReactNode } from 'react';
import { useOutcomeFocus } from '../hooks/use-outcome-focus.ts';

export interface ActOutcomeProps {
  readonly className?: string;
  readonly children: ReactNode;
}

export function ActOutcome({ className, children }: ActOutcomeProps) {
  const place = useOutcomeFocus<HTMLDivElement>(true);
  return (
    <div ref={place} tabIndex={-1} role="status" className={className}>
      {children}
    </div>
  );
}
