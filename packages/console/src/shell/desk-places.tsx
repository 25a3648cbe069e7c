/** The places of each desk, one under the other, with how much waits there. */
import { useWords } from '../words/words.ts';
import { usePlaceCounts } from './place-counts.ts';
import { PlaceLink } from './place-link.tsx';
import type { ShellFacts } from './shell-facts.ts';

export interface DeskPlacesProps {
  readonly desks: ShellFacts['desks'];
  /** When somebody goes to one. */
  readonly onGo?: () => void;
}

export function DeskPlaces({ desks, onGo }: DeskPlacesProps) {
  const { words } = useWords();
  const waiting = usePlaceCounts();
  return desks.map(({ name, places }) => (
    <section key={name} aria-label={words.shell.desks[name]}>
      <div className="nav-h">{words.shell.desks[name]}</div>
      {places.map((place) => (
        <PlaceLink
          key={place.path}
          to={place.path}
          icon={place.icon}
          text={words.shell.places[place.name]}
          waiting={waiting[place.name] ?? 0}
          className="nav"
          isExact={place.path === '/ledger'}
          {...(onGo && { onGo })}
        />
      ))}
    </section>
  ));
}
