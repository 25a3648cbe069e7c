/** What a client of the resolution route accepts, and which form of answer that means (W3C DID Resolution, HTTP binding). */

/** The three forms of an answer: the result with all metadata, the document alone, the result of dereferencing. */
export type AnswerForm = 'result' | 'document' | 'dereferencing' | 'any';

export interface AnswerType {
  readonly form: AnswerForm;
  readonly contentType: string;
}

export const resultType = 'application/did-resolution';
export const dereferencingType = 'application/did-url-dereferencing';
export const documentType = 'application/did+ld+json';

const resolutionProfile = 'https://w3id.org/did-resolution';
const acceptCharsMax = 1_024;
const rangesMax = 32;

const anything: AnswerType = { form: 'any', contentType: resultType };

const formsByType: Readonly<Record<string, AnswerType>> = {
  [resultType]: { form: 'result', contentType: resultType },
  [dereferencingType]: { form: 'dereferencing', contentType: dereferencingType },
  'application/json': { form: 'result', contentType: 'application/json' },
  'application/did': { form: 'document', contentType: 'application/did' },
  'application/did+ld+json': { form: 'document', contentType: 'application/did+ld+json' },
  'application/did+json': { form: 'document', contentType: 'application/did+json' },
  'application/ld+json': { form: 'document', contentType: 'application/ld+json' },
  'text/uri-list': anything,
  'application/*': anything,
  '*/*': anything,
};

/** The form that the client likes best; undefined when it accepts none. A header that says nothing accepts all. */
export function chooseAnswerType(accept: string | undefined): AnswerType | undefined {
  const header = accept?.trim() ?? '';
  if (header === '') return anything;
  if (header.length > acceptCharsMax) return undefined;
  const ranges = header.split(',').slice(0, rangesMax).flatMap(readRange);
  // Sorting is stable: among equals the client's own order counts.
  return ranges.filter(({ quality }) => quality > 0).sort((left, right) => right.quality - left.quality)[0]
    ?.type;
}

function readRange(text: string): { type: AnswerType; quality: number }[] {
  const [name, ...parameters] = text.split(';').map((part) => part.trim());
  const mediaType = name.toLowerCase();
  const known = Object.hasOwn(formsByType, mediaType) ? formsByType[mediaType] : undefined;
  if (!known) return [];
  const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
  const isResult =
    mediaType === 'application/ld+json' &&
    parameters.some((parameter) => /^profile=/i.test(parameter) && parameter.includes(resolutionProfile));
  const contentType = `application/ld+json;profile="${resolutionProfile}"`;
  const type: AnswerType = isResult ? { form: 'result', contentType } : known;
  return [{ type, quality: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 0 }];
}
