/** Who else could sit here, and the reader's settings. Loaded when somebody opens it, and open then. */
import { Menu } from '@mantine/core';
import { Icon } from '../parts/controls/icon.tsx';
import { KeyHint } from '../parts/controls/key-hint.tsx';
import { useOpenSignIn } from '../parts/hooks/use-sign-in.ts';
import { IdentityMark } from '../parts/written/identity-mark.tsx';
import { kindOf } from '../text/identity.ts';
import { useWords } from '../words/words.ts';
import { PersonButton, type PersonSwitchProps } from './person-button.tsx';
import { SettingsItems } from './settings-items.tsx';

export default function PersonMenu(props: PersonSwitchProps) {
  const { person, wallet, people, onTake, onLeave, isSmall = false } = props;
  const { words } = useWords();
  const openSignIn = useOpenSignIn();
  return (
    <Menu position="bottom-start" width={isSmall ? 220 : 'target'} offset={4} defaultOpened>
      <Menu.Target>
        <PersonButton person={person ?? wallet} isSmall={isSmall} />
      </Menu.Target>
      <Menu.Dropdown aria-label={words.shell.actAsSomebody}>
        {people.length > 0 && <Menu.Label>{words.shell.actAsSomebody}</Menu.Label>}
        {people.map((one, at) => (
          <Menu.Item
            key={one.did}
            leftSection={<IdentityMark id={one.did} name={one.name} kind={kindOf(one.person)} />}
            rightSection={<KeyHint>{String(at + 1)}</KeyHint>}
            aria-current={one.did === person?.did ? 'true' : undefined}
            onClick={() => onTake(one)}
          >
            {one.name}
          </Menu.Item>
        ))}
        {openSignIn && (
          <Menu.Item leftSection={<Icon name="key" />} onClick={openSignIn}>
            {person ? words.signIn.asOther : words.signIn.title}
          </Menu.Item>
        )}
        <Menu.Divider />
        <SettingsItems />
        {person && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Icon name="out" />} onClick={onLeave}>
              {words.shell.signOut}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
