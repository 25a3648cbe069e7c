/** Every place that this reader has, over the page: the way from the tabs of a phone to what has no room among them. */
import { Dialog } from '../parts/frame/dialog.tsx';
import { useWords } from '../words/words.ts';
import { DeskPlaces } from './desk-places.tsx';
import type { ShellFacts } from './shell-facts.ts';

export interface PlaceSheetProps {
  readonly desks: ShellFacts['desks'];
  readonly onClose: () => void;
}

export default function PlaceSheet({ desks, onClose }: PlaceSheetProps) {
  const { words } = useWords();
  return (
    <Dialog title={words.shell.allPlaces} onClose={onClose}>
      <nav className="place-sheet" aria-label={words.shell.allPlaces}>
        <DeskPlaces desks={desks} onGo={onClose} />
      </nav>
    </Dialog>
  );
}
