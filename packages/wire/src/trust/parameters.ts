/**
 * Whom a verifier trusts, as parameters of a query: the same as the members of a body (`requests.ts`), as texts with
 * commas between them.
 */
import { trustLimits } from '@symbolon/core/limits/documents';
import type * as z from 'zod';
import { text } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';
import { repeatedAt, repeatedText } from './named-once.ts';
import { listedDid, listedTemplateId, listName, type TrustOrder } from './requests.ts';

const separated = (itemsMax: number, what: string) =>
  text(trustLimits.parameterCharsMax)
    .transform((given) => given.split(','))
    .refine((given) => given.length <= itemsMax, `must name at most ${itemsMax}`)
    .refine((given) => repeatedAt(given) === undefined, `one of them ${repeatedText}`)
    .describe(`${what}, with commas between them`)
    .optional();

/** The same as parameters of a query. */
export const trustParameters = {
  trustedIssuers: separated(trustLimits.issuersMax, 'DIDs of issuers'),
  templates: separated(trustLimits.templatesMax, 'Ids of templates'),
  trustList: listName.describe('The name of a list that the service keeps for the caller').optional(),
};

type Given = z.output<z.ZodObject<typeof trustParameters>>;

export function readTrustParameters({ trustedIssuers, templates, trustList }: Given): TrustOrder {
  const every = <Item>(schema: z.ZodType<Item>, items: readonly string[], name: string): readonly Item[] =>
    items.map((item) => {
      const read = schema.safeParse(item);
      if (read.success) return read.data;
      throw malformedAt(`/query/${name}`, read.error.issues[0]?.message ?? 'is malformed');
    });
  return {
    ...(trustedIssuers && {
      issuers: every(listedDid, trustedIssuers, 'trustedIssuers').map((did) => ({ did })),
    }),
    ...(templates && { templates: every(listedTemplateId, templates, 'templates') }),
    ...(trustList !== undefined && { list: trustList }),
  };
}
