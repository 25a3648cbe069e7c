/** A hash: both ends, whole in its title, a button that copies it. */
import { Link } from '@tanstack/react-router';
import { shortHash } from '../../text/short-ids.ts';
import { useWords } from '../../words/words.ts';
import { CopyButton } from '../controls/copy-button.tsx';

export interface HashProps {
  readonly hash: string;
  /** Where it leads, if anywhere. */
  readonly to?: string;
  /** On a page of its own there is more room. */
  readonly isOwnPage?: boolean;
}

export function Hash({ hash, to, isOwnPage = false }: HashProps) {
  const { words } = useWords();
  const text = shortHash(hash, isOwnPage);
  return (
    <span className="ref" title={hash}>
      {to === undefined ? (
        <span>{text}</span>
      ) : (
        <Link to={to} className="lk">
          {text}
        </Link>
      )}
      <CopyButton text={hash} what={words.parts.hash} />
    </span>
  );
}
