/** Every screen of the console. Pictures are taken of each, and axe looks at each: whoever builds one adds it here. */
import { frameScreens } from './frame.ts';
import type { Screens } from './screen.ts';

export const screens: Screens = {
  ...frameScreens,
};
