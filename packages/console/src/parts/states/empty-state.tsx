/** Nothing is here: the token, one sentence, and the act that fills it. */
import type { ReactNode } from 'react';
import { TokenGlyph } from '../controls/token-glyph.tsx';

export interface EmptyStateProps {
  readonly title: string;
  readonly text?: string;
  /** Buttons. */
  readonly children?: ReactNode;
}

export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="glyph">
        <TokenGlyph size={44} />
      </span>
      <b>{title}</b>
      {text !== undefined && <p className="muted">{text}</p>}
      {children !== undefined && <div className="row empty-acts">{children}</div>}
    </div>
  );
}
