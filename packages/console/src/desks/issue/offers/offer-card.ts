/** What stands on the card of an offer while it is filled in: names of attributes, until there are values. Pure. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { attributeText, holderOf, tellingOf } from '../../../parts/card/card-values.ts';
import type { Language } from '../../../text/language.ts';
import { cardLabel } from '../templates/reading/attribute-words.ts';
import { comparedOf } from '../templates/reading/version-changes.ts';
import type { ReadValues } from './typed-values.ts';

export interface OfferCard {
  readonly telling: string | undefined;
  readonly holder: string | undefined;
}

/** As the holder will see it, once nothing is wrong. Whom it is for is the issuer's own note, and stands on no card. */
export function offerCard(
  { credentialFormat }: Pick<TemplateReply, 'credentialFormat'>,
  { values, wrong }: ReadValues,
  language: Language,
): OfferCard {
  const written = values.map(({ key, type, value }) => ({
    key,
    type,
    text: attributeText({ type }, value, language),
  }));
  const filled = credentialFormat.map((attribute) => {
    const { key, label, format } = comparedOf(attribute);
    return { key, format, label: written.find((one) => one.key === key)?.text ?? label };
  });
  return {
    telling: wrong.size === 0 ? tellingOf(written) : cardLabel(filled),
    holder: holderOf(written),
  };
}
