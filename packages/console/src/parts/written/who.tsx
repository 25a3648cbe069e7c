/** Somebody known: mark and name; the identifier in the title. */
import { IdentityMark, type IdentityMarkProps } from './identity-mark.tsx';

export function Who({ id, name, kind }: Omit<IdentityMarkProps, 'size'>) {
  return (
    <span className="who" title={id}>
      <IdentityMark id={id} name={name} kind={kind} />
      <span className="cut">{name}</span>
    </span>
  );
}
