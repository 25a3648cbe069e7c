/** Sentences with a count in them, by the plural rules of their language. */
import type { Language } from './language.ts';
import { countText } from './numbers.ts';

type Forms = { readonly other: (count: string) => string } & {
  readonly [Form in Exclude<Intl.LDMLPluralRule, 'other'>]?: (count: string) => string;
};

/** A chooser for one language: `counted(2, { one: …, other: … })`. */
export function pluralsOf(language: Language): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other)(countText(count, language));
}
