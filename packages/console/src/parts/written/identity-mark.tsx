/** The mark of an identity: its colour follows from its DID, organisations are square and people round. */
import { identityColour } from '../../text/identity.ts';

export interface IdentityMarkProps {
  /** A DID or an address. */
  readonly id: string;
  readonly name: string;
  readonly kind?: 'organisation' | 'person';
  readonly size?: 'small' | 'medium' | 'large';
}

const sizes = { small: '', medium: 'l', large: 'xl' } as const;

export function IdentityMark({ id, name, kind = 'organisation', size = 'small' }: IdentityMarkProps) {
  const classes = ['av', kind === 'person' ? 'p' : '', sizes[size]].filter(Boolean).join(' ');
  return (
    <span className={classes} style={{ '--id': identityColour(id) }} aria-hidden="true">
      {letterOf(name)}
    </span>
  );
}

/** The letter of a name: of "Example Bank" the B, because half of this demo is called Example. */
export const letterOf = (name: string): string => {
  const names = name.split(/\s+/).filter((one) => one !== 'Example');
  return (names[0] ?? name).charAt(0).toUpperCase();
};
