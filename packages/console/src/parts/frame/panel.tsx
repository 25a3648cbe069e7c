/** A panel: a hairline, a head of 44 px with a title and what stands right of it, and its content. */
import { type ReactNode, useId } from 'react';

export interface PanelProps {
  readonly title?: string;
  /** Right of the title. */
  readonly aside?: ReactNode;
  /** With 16 px around its content. */
  readonly isPadded?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Panel({ title, aside, isPadded = false, className = '', children }: PanelProps) {
  const id = useId();
  return (
    <section className={`panel ${className}`} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header>
          <h2 id={id}>{title}</h2>
          {aside !== undefined && <div className="r">{aside}</div>}
        </header>
      )}
      {isPadded ? <div className="pad">{children}</div> : children}
    </section>
  );
}
