/** An address of the ledger. Of a known account its name is shown instead: `Who`. */
import { Link } from '@tanstack/react-router';
import { shortAccount } from '../../text/short-ids.ts';
import { useWords } from '../../words/words.ts';
import { CopyButton } from '../controls/copy-button.tsx';

export interface AddressProps {
  readonly address: string;
  readonly to?: string;
}

export function Address({ address, to }: AddressProps) {
  const { words } = useWords();
  const text = shortAccount(address);
  return (
    <span className="ref" title={address}>
      {to === undefined ? (
        <span>{text}</span>
      ) : (
        <Link to={to} className="lk">
          {text}
        </Link>
      )}
      <CopyButton text={address} what={words.parts.address} />
    </span>
  );
}
