/** Look and language, as items of a menu. */
import { Menu, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../parts/controls/icon.tsx';
import { languageNames, languages } from '../text/language.ts';
import { chooseLanguage, useWords } from '../words/words.ts';
import { looks } from './looks.ts';

export function SettingsItems() {
  const { words, language } = useWords();
  // Holding transitions back would take a style element, which the policy of the service refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const tick = (isChosen: boolean) => isChosen && <Icon name="check" size={14} />;
  return (
    <>
      <Menu.Label>{words.shell.look}</Menu.Label>
      {looks.map((look) => (
        <Menu.Item
          key={look}
          closeMenuOnClick={false}
          rightSection={tick(look === colorScheme)}
          aria-current={look === colorScheme ? 'true' : undefined}
          onClick={() => setColorScheme(look)}
        >
          {words.shell.looks[look]}
        </Menu.Item>
      ))}
      <Menu.Label>{words.shell.language}</Menu.Label>
      {languages.map((one) => (
        <Menu.Item
          key={one}
          closeMenuOnClick={false}
          lang={one}
          rightSection={tick(one === language)}
          aria-current={one === language ? 'true' : undefined}
          onClick={() => void chooseLanguage(one)}
        >
          {languageNames[one]}
        </Menu.Item>
      ))}
    </>
  );
}
