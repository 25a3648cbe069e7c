/** Who sits here, as the button that opens the choice of others. */
import type { ComponentProps } from 'react';
import type { ShownPerson } from '../api/console-config.ts';
import { Icon } from '../parts/controls/icon.tsx';
import { ForeignText } from '../parts/written/foreign-text.tsx';
import { IdentityMark } from '../parts/written/identity-mark.tsx';
import { foreignLine } from '../text/foreign-text.ts';
import { kindOf } from '../text/identity.ts';
import { shortDid } from '../text/short-ids.ts';
import type { FrameWords } from '../words/catalogue.ts';
import { useWords } from '../words/words.ts';

/** Who sits here, as far as it is shown. */
export interface Sitting {
  readonly did: string;
  readonly name: string | undefined;
  readonly role: string;
}

export interface PersonSwitchProps {
  readonly person: Sitting | undefined;
  /** Whose wallet is open here, where nobody is signed in. */
  readonly wallet: Sitting | undefined;
  readonly people: readonly ShownPerson[];
  readonly onTake: (person: ShownPerson) => void;
  readonly onLeave: () => void;
  /** Only the mark, where there is little room. */
  readonly isSmall?: boolean;
}

type Role = keyof FrameWords['shell']['roles'];
const roleText = (role: string, words: FrameWords): string =>
  Object.hasOwn(words.shell.roles, role) ? words.shell.roles[role as Role] : words.shell.roles.other;

export interface PersonButtonProps extends ComponentProps<'button'> {
  readonly person: Sitting | undefined;
  readonly isSmall: boolean;
}

/** `person`: who is signed in, or whose wallet is open. */
export function PersonButton({ person, isSmall, ...rest }: PersonButtonProps) {
  const { words } = useWords();
  const name = person?.name ?? (person ? shortDid(person.did).id : words.shell.nobody);
  const role = person ? roleText(person.role, words) : words.shell.nobodyRole;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      {...rest}
      className={isSmall ? 'btn quiet icon' : 'persona'}
      aria-label={isSmall ? words.shell.actAs(foreignLine(name)) : undefined}
    >
      {person ? (
        <IdentityMark id={person.did} name={name} kind={kindOf(person.role)} size="medium" />
      ) : (
        <span className="av l nobody">
          <Icon name="person" />
        </span>
      )}
      {!isSmall && (
        <>
          <span className="grow">
            <span className="nm cut">
              <ForeignText text={name} />
            </span>
            <span className="rl">{role}</span>
            <span className="sr">, {words.shell.actAsOther}</span>
          </span>
          <Icon name="upDown" />
        </>
      )}
    </button>
  );
}
