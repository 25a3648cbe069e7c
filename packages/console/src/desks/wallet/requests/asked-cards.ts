/** Cards that a verifier asks for, by what it says of them: what to call one that the wallet has not. Pure. */
import type { CredentialQuery, DcqlQuery } from '@symbolon/core/presentation/dcql';

export interface AskedCard {
  /** Where it must be of one template. */
  readonly templateId?: string;
  readonly types: readonly string[];
  /** Keys of the attributes that are needed of it. */
  readonly keys: readonly string[];
}

export const askedCards = ({ credentials }: DcqlQuery, ids: readonly string[]): readonly AskedCard[] =>
  credentials.filter(({ id }) => ids.includes(id)).map(askedCard);

function askedCard({ templateId, types, claims, frame = [] }: CredentialQuery): AskedCard {
  const claimed = frame.find(({ member }) => member === 'templateId')?.constraints.constant;
  const template = templateId ?? (typeof claimed === 'string' ? claimed : undefined);
  return {
    ...(template !== undefined && { templateId: template }),
    types: types.flatMap(([names]) => names ?? []),
    keys: claims.filter(({ key, isRequired }) => isRequired && key !== 'id').map(({ key }) => key),
  };
}

export interface CardNaming {
  /** By id; undefined where nobody knows it. */
  readonly templateName: (templateId: string) => string | undefined;
  readonly withFacts: (keys: readonly string[]) => string;
  /** Where nothing is said of it. */
  readonly any: string;
}

/** By its template, else its types, else what is asked of it. */
export function askedCardName(
  { templateId, types, keys }: AskedCard,
  { templateName, withFacts, any }: CardNaming,
): string {
  const name = templateId === undefined ? undefined : templateName(templateId);
  if (name !== undefined) return name;
  if (types.length > 0) return types.join(', ');
  return keys.length > 0 ? withFacts(keys) : any;
}
