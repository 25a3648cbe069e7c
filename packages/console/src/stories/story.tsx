/** One story: what a part is called, and the part itself in its states. */
import type { ReactNode } from 'react';

export interface StoryProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function Story({ title, children }: StoryProps) {
  return (
    <section aria-label={title}>
      <p className="cap">{title}</p>
      {children}
    </section>
  );
}
