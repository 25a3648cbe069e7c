/** What is said below a field of which nothing can be meant: why, where that is known, else what its kind wants. */
import type { Language } from '../../text/language.ts';
import { numberMarks } from '../../text/numbers.ts';
import { isMisspelt, type Misspelt, plainSpelling } from '../../text/typed-spelling.ts';
import type { ConsoleWords } from '../../words/catalogue.ts';

export const misspeltText = (
  { why = 'kind' }: Partial<Misspelt>,
  { parts }: Pick<ConsoleWords, 'parts'>,
  ofKind: string,
): string => (why === 'kind' ? ofKind : parts.misspelt[why]);

/** Of a number or a day as it is typed. */
export function unreadText(
  { type, typed }: { readonly type: 'date' | 'decimal'; readonly typed: string },
  { words, language }: { readonly words: Pick<ConsoleWords, 'parts'>; readonly language: Language },
  ofKind: string,
): string {
  const spelled = plainSpelling(type, typed, numberMarks[language].point);
  return misspeltText(isMisspelt(spelled) ? spelled : {}, words, ofKind);
}
