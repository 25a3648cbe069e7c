/**
 * What a credential calls its holder, by which its issuer tells one row of a list from another. It is a value of an
 * attribute, so whoever keeps it keeps it as one: encrypted, for the issuer alone, and no longer than the values.
 */
import { withoutUnsafe } from '../basics/plain-text.ts';
import type { AttributeValue, TemplateAttribute } from '../documents/model.ts';
import { credentialLimits } from '../limits/documents.ts';

type ShownAttribute = Pick<TemplateAttribute, 'key' | 'type'>;

const nameKeys =
  /^((full|first|given|last|family|person|holder|member|student|employee)?_?name|sur_?name|(voller|vor|nach|familien)_?name)$/i;

/** Whether an attribute is somebody's name: no other text is taken for one. */
export const isNameKey = (key: string): boolean => nameKeys.test(key);

/** The first text that is a name. Undefined where there is none: a department is nobody. */
export const tellingLabel = (
  attributes: readonly ShownAttribute[],
  values: Readonly<Record<string, AttributeValue>>,
): string | undefined =>
  attributes
    .filter(({ type, key }) => type === 'text' && isNameKey(key) && Object.hasOwn(values, key))
    .map(({ key }) => plainLabel(String(values[key])))
    .find((label) => label !== '');

/** On one line, as a reader sees it, cut between characters. */
function plainLabel(text: string): string {
  const line = withoutUnsafe(text, () => ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  const { tellingLabelCharsMax } = credentialLimits;
  return characters.length <= tellingLabelCharsMax
    ? line
    : `${characters.slice(0, tellingLabelCharsMax - 1).join('')}…`;
}
