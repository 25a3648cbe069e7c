/** A verifier's wishes as a query of OpenID4VP (`docs/standards.md`), of one credential in one format. */
import type { JsonObject } from '@symbolon/wire/json/json';
import { usageFailure } from '../../terminal/failure.ts';
import type { AskedFormat, OpenidRequestWords } from './openid-words.ts';
import { type QueryWords, queryOf } from './query.ts';

/** Ranges are proved of our own credentials alone; everybody reads SD-JWT VCs. */
export function formatOf({
  format,
  range,
  age,
}: QueryWords & { readonly format?: AskedFormat }): AskedFormat {
  const hasRange = range !== undefined || age !== undefined;
  if (!hasRange) return format ?? 'dc+sd-jwt';
  if (format === undefined || format === 'symbolon-bbs-2026') return 'symbolon-bbs-2026';
  throw usageFailure(
    `Nobody was asked.\nA credential in the format ${format} cannot prove a range.\nAsk for the value with --ask, or leave out --format.`,
  );
}

interface PathClaim {
  readonly path: readonly string[];
  readonly constraints?: { readonly minimum?: string | number; readonly maximum?: string | number };
}

/** What kinds of credential are meant: types by their names, or the template. */
const metaMember = {
  'dc+sd-jwt': 'vct_values',
  ldp_vc: 'type_values',
  'symbolon-bbs-2026': 'template_values',
};

export function openidQueryOf(
  words: Pick<OpenidRequestWords, 'ask' | 'range' | 'age'>,
  { format, kinds }: { readonly format: AskedFormat; readonly kinds: readonly string[] },
  today: string,
): JsonObject {
  // Without a name of a template, which is not known to every format: that something is asked for is looked at there.
  const [{ claims }] = queryOf(words, kinds[0], today).credentials as unknown as [{ claims: PathClaim[] }];
  return {
    credentials: [
      {
        id: 'credential',
        format,
        meta: { [metaMember[format]]: format === 'ldp_vc' ? kinds.map((kind) => [kind]) : [...kinds] },
        ...(claims.length > 0 && { claims: claims.map((claim) => openidClaim(claim, format)) }),
      },
    ],
  };
}

function openidClaim({ path, constraints }: PathClaim, format: AskedFormat): JsonObject {
  const { minimum: min, maximum: max } = constraints ?? {};
  return {
    path: format === 'dc+sd-jwt' ? path.slice(-1) : [...path],
    ...(constraints && {
      range: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) },
    }),
  };
}

/**
 * What credentials of a template are called in a format, in every version that its issuer offers: by the document that
 * wallets of the field read.
 */
export function kindsOfTemplate(
  metadata: JsonObject,
  { templateId, format }: { readonly templateId: string; readonly format: AskedFormat },
): readonly string[] {
  if (format === 'symbolon-bbs-2026') return [templateId];
  const hex = templateId.slice(templateId.lastIndexOf(':') + 1);
  const all = Object.entries((metadata.credential_configurations_supported ?? {}) as JsonObject);
  const kinds = all.flatMap(([name, given]) => {
    const configuration = given as JsonObject;
    const isMeant = name.startsWith(`zid.${hex}.`) && configuration.format === format;
    return isMeant ? kindOf(configuration, hex) : [];
  });
  return [...new Set(kinds)];
}

/** The full name of a type stands under the vocabulary of its template, beside the context. */
function kindOf({ vct, credential_definition: definition }: JsonObject, hex: string): readonly string[] {
  if (typeof vct === 'string') return [vct];
  const { type, '@context': contexts } = (definition ?? {}) as { type?: string[]; '@context'?: string[] };
  const name = type?.find((one) => one !== 'VerifiableCredential');
  const context = contexts?.find((url) => url.includes(`/contexts/${hex}/`));
  const url = context === undefined ? undefined : URL.parse(context);
  return name !== undefined && url ? [`${url.origin}/vocab/${hex}#${name}`] : [];
}
