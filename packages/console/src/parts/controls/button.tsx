/** Buttons are ink. One of a screen is primary; `bad` is for what cannot be undone. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'bad';
  readonly size?: 'small' | 'medium' | 'large';
  readonly icon?: IconName;
  /** Without words inside it needs an `aria-label`. */
  readonly children?: ReactNode;
}

const kinds = { plain: '', primary: 'pri', quiet: 'quiet', bad: 'bad' } as const;
const sizes = { small: 'sm', medium: '', large: 'lg' } as const;

export function Button({
  kind = 'plain',
  size = 'medium',
  icon,
  children,
  className = '',
  ...rest
}: ButtonProps) {
  const classes = ['btn', kinds[kind], sizes[size], children === undefined ? 'icon' : '', className];
  return (
    <button type="button" {...rest} className={classes.filter(Boolean).join(' ')}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
