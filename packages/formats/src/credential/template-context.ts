/**
 * The JSON-LD context of a template: its type and its attributes as terms under the template's own vocabulary. Terms that the
 * context of data model 2.0 defines are protected, and are left as it means them.
 */
import { asObject } from '@symbolon/core/basics/plain-values';
import type { AttributeType, Template } from '@symbolon/core/documents/model';
import type { FaultDetail } from '@symbolon/core/faults/faults';
import { contextUrls, credentialTerms, publishedContext } from '../json-ld/contexts.ts';

/** Where the types and terms of a template live: an address of its issuer's service. */
export interface TemplatePlace {
  /** Of this version: what is fetched from here never changes. */
  readonly contextUrl: string;
  /** Ends in `#`; the same for all versions. */
  readonly vocabulary: string;
}

const xsd = 'http://www.w3.org/2001/XMLSchema#';

/** What values are as literals of RDF; text needs no type. */
const literalTypes: Readonly<Record<AttributeType, string | undefined>> = {
  text: undefined,
  image: undefined,
  integer: `${xsd}integer`,
  decimal: `${xsd}decimal`,
  date: `${xsd}date`,
  dateTime: `${xsd}dateTime`,
  boolean: `${xsd}boolean`,
};

const capitalised = (word: string): string => {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
};

/** The name of a template as a type: "University degree" is `UniversityDegree`. */
export function typeOfTemplate({ name, attributes }: Pick<Template, 'name' | 'attributes'>): string {
  const words = name.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const joined = words.map(capitalised).join('');
  const type = /^\p{L}/u.test(joined) ? joined : `Credential${joined}`;
  const isTaken = credentialTerms.has(type) || attributes.some(({ key }) => key === type);
  return isTaken ? `${type}Credential` : type;
}

/** Terms of the data model that take a plain value, whatever it is. */
function takesPlainValues(term: string): boolean {
  const { '@context': terms } = publishedContext(contextUrls.credentialsV2) as {
    '@context': Readonly<Record<string, unknown>>;
  };
  const definition = terms[term];
  if (typeof definition === 'string') return !definition.startsWith('@') && /^[a-z]/.test(term);
  return Object.keys(asObject(definition) ?? {}).every((member) => member === '@id');
}

/** The attributes of a template that mean something else in JSON-LD: such a template has no credentials of this form. */
export const templateProblems = ({ attributes }: Pick<Template, 'attributes'>): readonly FaultDetail[] =>
  attributes.flatMap(({ key }, index) =>
    credentialTerms.has(key) && !takesPlainValues(key)
      ? [{ pointer: `/attributes/${index}/key`, detail: `${key} means something else in the data model 2.0` }]
      : [],
  );

/** The context that is served at the template's address. */
export function templateContext(
  template: Pick<Template, 'name' | 'attributes'>,
  { vocabulary }: Pick<TemplatePlace, 'vocabulary'>,
): { readonly '@context': Readonly<Record<string, unknown>> } {
  const terms = template.attributes
    .filter(({ key }) => !credentialTerms.has(key))
    .map(({ key, type }) => {
      const literal = literalTypes[type];
      const definition = {
        '@id': `${vocabulary}${key}`,
        ...(literal === undefined ? {} : { '@type': literal }),
      };
      return [key, definition] as const;
    });
  const type = typeOfTemplate(template);
  return {
    '@context': {
      '@version': 1.1,
      '@protected': true,
      [type]: `${vocabulary}${encodeURIComponent(type)}`,
      ...Object.fromEntries(terms),
    },
  };
}
