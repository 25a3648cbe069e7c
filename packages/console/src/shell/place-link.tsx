/** A link to a place, in the sidebar or in the tabs of a phone; it knows whether one is there. */
import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../parts/controls/icon.tsx';

export interface PlaceLinkProps {
  readonly to: string;
  readonly icon: IconName;
  readonly text: string;
  readonly className?: string;
  /** Only there, not below it. */
  readonly isExact?: boolean;
  readonly onGo?: () => void;
}

export function PlaceLink({ to, icon, text, className = '', isExact = false, onGo }: PlaceLinkProps) {
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
    </Link>
  );
}
