/** Where the types of templates are published. What is fetched from an address of a version never changes. */
import type { Template } from '@symbolon/core/documents/model';
import { typeMetadataText } from '@symbolon/formats/sd-jwt/type-metadata';
import { digitsOf } from '../../ldp-credentials/template-contexts.ts';
import { displayLocale } from './configuration-members.ts';

type Version = Pick<Template, 'id' | 'version'>;

/** The address of a template's version as a type of SD-JWT VCs. */
export const typeOf = (publicUrl: string, template: Version): string =>
  `${publicUrl}/types/${digitsOf(template)}/${template.version}`;

export const typeTextOf = (publicUrl: string, template: Template): string =>
  typeMetadataText(template, { vct: typeOf(publicUrl, template), locale: displayLocale });
