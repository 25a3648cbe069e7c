/** Somebody by DID: mark and name where there is one, the DID where there is none, and only the mark until that is known. */
import { Did } from './did.tsx';
import { IdentityMark } from './identity-mark.tsx';
import { Who } from './who.tsx';

export interface NamedPartyProps {
  readonly did: string;
  readonly name: string | undefined;
  /** The name may still come. */
  readonly isPending: boolean;
}

export function NamedParty({ did, name, isPending }: NamedPartyProps) {
  if (name !== undefined) return <Who id={did} name={name} />;
  if (!isPending) return <Did did={did} />;
  return (
    <span className="who" title={did}>
      <IdentityMark id={did} name="" />
      <span className="faint">…</span>
    </span>
  );
}
