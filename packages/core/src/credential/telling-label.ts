/**
 * A few characters of what a credential says, by which its issuer tells one row of a list from another. It is a value of
 * an attribute, so whoever keeps it keeps it as one: encrypted, for the issuer alone, and no longer than the values.
 */
import { withoutUnsafe } from '../basics/plain-text.ts';
import type { AttributeValue, TemplateAttribute } from '../documents/model.ts';
import { credentialLimits } from '../limits/documents.ts';

type ShownAttribute = Pick<TemplateAttribute, 'key' | 'type'>;

/** The first text, else the first value of another kind; an image tells nothing. Undefined where nothing is left. */
export function tellingLabel(
  attributes: readonly ShownAttribute[],
  values: Readonly<Record<string, AttributeValue>>,
): string | undefined {
  const shown = attributes.filter(({ type, key }) => type !== 'image' && Object.hasOwn(values, key));
  const byRank = [
    ...shown.filter(({ type }) => type === 'text'),
    ...shown.filter(({ type }) => type !== 'text'),
  ];
  return byRank.map(({ key }) => plainLabel(String(values[key]))).find((label) => label !== '');
}

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
