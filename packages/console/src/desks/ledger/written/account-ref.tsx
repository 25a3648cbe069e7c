/** An account: mark and name where it is known, else its address; a link to its page unless a link stands around it. */
import { Link } from '@tanstack/react-router';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { Address } from '../../../parts/written/address.tsx';
import { Who } from '../../../parts/written/who.tsx';
import { shortAccount } from '../../../text/short-ids.ts';
import { accountPath } from './paths.ts';

export interface AccountRefProps {
  readonly address: string;
  /** Without a link and without a button, for rows that are a link themselves. */
  readonly isPlain?: boolean;
}

export function AccountRef({ address, isPlain = false }: AccountRefProps) {
  const known = useKnownNames().party(address);
  if (known) {
    const who = <Who {...known} />;
    if (isPlain) return who;
    return (
      <Link to={accountPath(address)} className="who-link" title={address}>
        {who}
      </Link>
    );
  }
  if (isPlain)
    return (
      <span className="ref" title={address}>
        {shortAccount(address)}
      </span>
    );
  return <Address address={address} to={accountPath(address)} />;
}
