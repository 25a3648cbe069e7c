/** What lies over a page. It is loaded when somebody opens it, or beforehand, for a time without a network. */
import { latePart } from '../late/late-part.tsx';

export const CodeDrawer = latePart(() => import('./code-drawer.tsx'));
export const Palette = latePart(() => import('./palette/palette.tsx'));
export const KeyList = latePart(() => import('./key-list.tsx'));
export const PlaceSheet = latePart(() => import('./place-sheet.tsx'));
export const PersonMenu = latePart(() => import('./person-menu.tsx'));

const overlays = [CodeDrawer, Palette, KeyList, PlaceSheet, PersonMenu];

export const preloadOverlays = async (): Promise<void> => {
  await Promise.all(overlays.map((overlay) => overlay.preload()));
};
