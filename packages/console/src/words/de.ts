/** The same in German. */
import type { FrameWords } from './catalogue.ts';
import { failuresDe } from './de/failures.ts';
import { homeDe } from './de/home.ts';
import { partsDe } from './de/parts.ts';
import { sentencesDe } from './de/sentences.ts';
import { shellDe } from './de/shell.ts';
import { signInDe } from './de/sign-in.ts';
import { vaultDe } from './de/vault.ts';

export const de: FrameWords = {
  shell: shellDe,
  parts: partsDe,
  failures: failuresDe,
  home: homeDe,
  signIn: signInDe,
  vault: vaultDe,
  sentences: sentencesDe,
};
