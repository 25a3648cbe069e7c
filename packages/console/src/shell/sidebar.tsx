/** The sidebar: who sits here, and where they can go. What one has no key for is absent, not grey. */

import { useWords } from '../words/words.ts';
import { Brand } from './brand.tsx';
import { DeskPlaces } from './desk-places.tsx';
import { LedgerPulse } from './ledger-pulse.tsx';
import { PersonSwitch } from './person-switch.tsx';
import { usePlaceNews } from './place-counts.ts';
import { PlaceLink } from './place-link.tsx';
import type { ShellFacts } from './shell-facts.ts';

export function Sidebar({ facts }: { readonly facts: ShellFacts }) {
  const { words } = useWords();
  const { isDemo, desks, switching } = facts;
  usePlaceNews();
  return (
    <aside className="side">
      <Brand isDemo={isDemo} />
      <PersonSwitch {...switching} />
      <nav aria-label={words.shell.main}>
        <PlaceLink to="/" icon="home" text={words.shell.places.home} className="nav" isExact />
        <DeskPlaces desks={desks} />
      </nav>
      <div className="side-foot">
        <LedgerPulse />
      </div>
    </aside>
  );
}
