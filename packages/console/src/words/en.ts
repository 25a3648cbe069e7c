/** The English catalogue: one section for the frame, one for parts and failures, one for each desk. */
import { failuresEn } from './failures.en.ts';
import { homeEn } from './home.en.ts';
import { partsEn } from './parts.en.ts';
import { shellEn } from './shell.en.ts';

export const en = {
  shell: shellEn,
  parts: partsEn,
  failures: failuresEn,
  home: homeEn,
} as const;
