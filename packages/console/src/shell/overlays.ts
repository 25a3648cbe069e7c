/** What lies over a page. It is loaded when somebody opens it, or beforehand, for a time without a network. */
import { latePart } from '../late/late-part.tsx';

export const LateCodeDrawer = latePart(() => import('./code-drawer.tsx'));
export const LatePalette = latePart(() => import('./palette/palette.tsx'));
export const LateKeyList = latePart(() => import('./key-list.tsx'));
export const LatePlaceSheet = latePart(() => import('./place-sheet.tsx'));
export const LatePersonMenu = latePart(() => import('./person-menu.tsx'));

const overlays = [LateCodeDrawer, LatePalette, LateKeyList, LatePlaceSheet, LatePersonMenu];

export const preloadOverlays = async (): Promise<void> => {
  await Promise.all(overlays.map((overlay) => overlay.preload()));
};
