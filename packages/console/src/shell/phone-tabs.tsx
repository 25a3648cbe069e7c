/** The tabs at the bottom of a phone: home and the first places of the reader's desks. */
import { useWords } from '../words/words.tsx';
import { PlaceLink } from './place-link.tsx';
import type { ShellFacts } from './shell-facts.ts';

const tabsMax = 4;

export function PhoneTabs({ desks }: { readonly desks: ShellFacts['desks'] }) {
  const { words } = useWords();
  const places = desks.flatMap((desk) => desk.places).slice(0, tabsMax);
  return (
    <nav className="tabs-m" aria-label={words.shell.mainPhone}>
      <PlaceLink to="/" icon="home" text={words.shell.places.home} isExact />
      {places.map((place) => (
        <PlaceLink key={place.path} to={place.path} icon={place.icon} text={words.shell.places[place.name]} />
      ))}
    </nav>
  );
}
