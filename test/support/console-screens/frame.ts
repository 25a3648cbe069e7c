/** Home, the page of parts, and what stands where nothing is. */
import type { Screens } from './screen.ts';

export const frameScreens: Screens = {
  home: { path: '/', seen: '.feed li' },
  parts: { path: '/parts', seen: '.vc.broken' },
  nowhere: { path: '/dev/nowhere', seen: '.empty' },
};
