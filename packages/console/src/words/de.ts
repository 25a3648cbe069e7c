/** The German catalogue. Its type is that of the English one. */
import type { ConsoleWords } from './catalogue.ts';
import { failuresDe } from './failures.de.ts';
import { homeDe } from './home.de.ts';
import { partsDe } from './parts.de.ts';
import { shellDe } from './shell.de.ts';

export const de: ConsoleWords = {
  shell: shellDe,
  parts: partsDe,
  failures: failuresDe,
  home: homeDe,
};
