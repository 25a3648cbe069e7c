/** English of what every page has: the frame, the parts, failures, the first page. Desks bring their own (`desk-words.ts`). */
import { failuresEn } from './en/failures.ts';
import { homeEn } from './en/home.ts';
import { partsEn } from './en/parts.ts';
import { sentencesEn } from './en/sentences.ts';
import { shellEn } from './en/shell.ts';
import { signInEn } from './en/sign-in.ts';
import { vaultEn } from './en/vault.ts';

export const en = {
  shell: shellEn,
  parts: partsEn,
  failures: failuresEn,
  home: homeEn,
  signIn: signInEn,
  vault: vaultEn,
  sentences: sentencesEn,
} as const;
