/** Somebody known: mark and name; the identifier in the title. */
import { ForeignText } from './foreign-text.tsx';
import { IdentityMark, type IdentityMarkProps } from './identity-mark.tsx';

export function Who({ id, name, kind }: Omit<IdentityMarkProps, 'size'>) {
  return (
    <span className="who" title={id}>
      <IdentityMark id={id} name={name} kind={kind} />
      <span className="cut">
        <ForeignText text={name} />
      </span>
    </span>
  );
}
