/**
 * Whatever is cut for want of room says the whole of it to who points at it: one rule for every table, so that no cell has to
 * think of it. What has a title of its own keeps that.
 */
import { useEffect } from 'react';

/** What the rule has set, to be set anew when the text or the room has changed. */
const own = new WeakSet<Element>();

function tellWhole({ target }: Event): void {
  if (!(target instanceof HTMLElement)) return;
  for (let at: HTMLElement | null = target; at && at !== document.body; at = at.parentElement) {
    if (at.title !== '' && !own.has(at)) return;
    const isCut = at.scrollWidth > at.clientWidth && getComputedStyle(at).textOverflow === 'ellipsis';
    if (isCut && at.innerText !== '') {
      at.title = at.innerText;
      own.add(at);
      return;
    }
    if (own.delete(at)) at.removeAttribute('title');
  }
}

/** Called once, by the frame. */
export function useWholeTexts(): void {
  useEffect(() => {
    document.addEventListener('pointerover', tellWhole, { passive: true });
    return () => document.removeEventListener('pointerover', tellWhole);
  }, []);
}
