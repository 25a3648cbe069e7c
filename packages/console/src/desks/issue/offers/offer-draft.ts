/** An offer as somebody fills it in, and the request that it becomes. Pure. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import type { Language } from '../../../text/language.ts';
import { readTyped } from './typed-values.ts';

export interface OfferDraft {
  /** By the key of the attribute. */
  readonly typed: Readonly<Record<string, string>>;
  readonly reference: string;
  readonly days: string;
  readonly hasTxCode: boolean;
  readonly isWaived: boolean;
}

export const blankOffer: OfferDraft = {
  typed: {},
  reference: '',
  days: '7',
  hasTxCode: false,
  isWaived: false,
};

const daySeconds = 86_400;

export const isPriced = ({ price }: Pick<TemplateReply, 'price'>): boolean =>
  price !== undefined && price.amount !== '0';

export type OfferOrder = ReturnType<typeof offerOrderOf>['order'];

/** The request, the values that could be read, and what is wrong, by the key of the attribute. */
export function offerOrderOf(template: TemplateReply, draft: OfferDraft, language: Language) {
  const { values, wrong } = readTyped(template.credentialFormat, draft.typed, language);
  const reference = draft.reference.trim();
  const order = {
    templateId: template.templateId,
    metadata: values.map(({ key, value }) => ({ key, value })),
    ...(reference !== '' && { reference }),
    expiresInSeconds: Number(draft.days) * daySeconds,
    ...(draft.hasTxCode && { txCode: true }),
    ...(isPriced(template) && draft.isWaived && { waivePrice: true }),
  };
  return { order, values, wrong };
}
