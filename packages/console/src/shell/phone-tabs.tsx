/** The tabs at the bottom of a phone: home, the first places of the reader's desks, and the way to all others. */
import { Icon } from '../parts/controls/icon.tsx';
import { useWords } from '../words/words.ts';
import { PlaceLink } from './place-link.tsx';
import type { ShellFacts } from './shell-facts.ts';

const tabsMax = 3;

export interface PhoneTabsProps {
  readonly desks: ShellFacts['desks'];
  readonly isMoreOpen: boolean;
  readonly onMore: () => void;
}

export function PhoneTabs({ desks, isMoreOpen, onMore }: PhoneTabsProps) {
  const { words } = useWords();
  const { places: names, shortPlaces } = words.shell;
  const places = desks.flatMap((desk) => desk.places).slice(0, tabsMax);
  const textOf = (name: (typeof places)[number]['name']): string =>
    name === 'ask' || name === 'check' ? shortPlaces[name] : names[name];
  return (
    <nav className="tabs-m" aria-label={words.shell.mainPhone}>
      <PlaceLink to="/" icon="home" text={names.home} isExact />
      {places.map((place) => (
        <PlaceLink
          key={place.path}
          to={place.path}
          icon={place.icon}
          text={textOf(place.name)}
          isExact={place.path === '/ledger'}
        />
      ))}
      <button type="button" aria-haspopup="dialog" aria-expanded={isMoreOpen} onClick={onMore}>
        <Icon name="list" />
        <span className="nav-text">{words.shell.more}</span>
      </button>
    </nav>
  );
}
