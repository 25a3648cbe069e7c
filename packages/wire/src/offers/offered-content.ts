/** What an offer makes its holder apply with, as both sides write it: the holder's signature names the hash of it. */
import { canonicalJson } from '@symbolon/core/basics/jcs';
import type { AttributeValue } from '@symbolon/core/documents/model';

export interface OfferedAttribute {
  readonly key: string;
  readonly value: AttributeValue;
}

/** The text that an application with the same values is about. */
export const offeredContent = (templateId: string, attributes: readonly OfferedAttribute[]): string =>
  canonicalJson({ templateId, metadata: attributes.map(({ key, value }) => ({ key, value })) });
