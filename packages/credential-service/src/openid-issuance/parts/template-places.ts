/** Where the types and contexts of templates are published. What is fetched from an address of a version never changes. */
import type { Template } from '@symbolon/core/documents/model';
import { type TemplatePlace, templateContext } from '@symbolon/formats/credential/template-context';
import { typeMetadataText } from '@symbolon/formats/sd-jwt/type-metadata';
import { displayLocale } from './configuration-members.ts';

type Version = Pick<Template, 'id' | 'version'>;

const digitsOf = ({ id }: Pick<Template, 'id'>): string => id.slice(id.lastIndexOf(':') + 1);

/** The address of a template's version as a type of SD-JWT VCs. */
export const typeOf = (publicUrl: string, template: Version): string =>
  `${publicUrl}/types/${digitsOf(template)}/${template.version}`;

export const typeTextOf = (publicUrl: string, template: Template): string =>
  typeMetadataText(template, { vct: typeOf(publicUrl, template), locale: displayLocale });

/** The address of a template's version as a JSON-LD context, and of its vocabulary. */
export const contextPlaceOf = (publicUrl: string, template: Version): TemplatePlace => ({
  contextUrl: `${publicUrl}/contexts/${digitsOf(template)}/${template.version}`,
  vocabulary: `${publicUrl}/vocab/${digitsOf(template)}#`,
});

export const contextOf = (publicUrl: string, template: Template): object =>
  templateContext(template, contextPlaceOf(publicUrl, template));
