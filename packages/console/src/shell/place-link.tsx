/** A link to a place, in the sidebar or in the tabs of a phone; it knows whether one is there. */
import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../parts/controls/icon.tsx';
import { countText } from '../text/numbers.ts';
import { useWords } from '../words/words.ts';

export interface PlaceLinkProps {
  readonly to: string;
  readonly icon: IconName;
  readonly text: string;
  /** How much waits there. */
  readonly waiting?: number;
  readonly className?: string;
  /** Only there, not below it. */
  readonly isExact?: boolean;
  readonly onGo?: () => void;
}

export function PlaceLink(props: PlaceLinkProps) {
  const { to, icon, text, waiting = 0, className = '', isExact = false, onGo } = props;
  const { words, language } = useWords();
  return (
    <Link
      to={to}
      className={className}
      activeProps={{ className: 'on' }}
      activeOptions={{ exact: isExact }}
      {...(onGo && { onClick: onGo })}
    >
      <Icon name={icon} />
      <span className="nav-text">{text}</span>
      {waiting > 0 && (
        <span className="n" title={words.shell.waiting(waiting)}>
          <span aria-hidden="true">{countText(waiting, language)}</span>
          <span className="sr">{words.shell.waiting(waiting)}</span>
        </span>
      )}
    </Link>
  );
}
