/** Where the JSON-LD contexts of templates are published, and back: what is fetched from one of them never changes. */
import type { Template } from '@symbolon/core/documents/model';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import { type TemplatePlace, templateContext } from '@symbolon/formats/credential/template-context';
import { createDocumentLoader, type DocumentLoader } from '@symbolon/formats/json-ld/document-loader';

export type TemplateName = Pick<Template, 'id' | 'version'>;

/** What stands for a template in addresses. */
export const digitsOf = ({ id }: Pick<Template, 'id'>): string => id.slice(id.lastIndexOf(':') + 1);

/** The address of a template's version as a JSON-LD context, and of its vocabulary. */
export const contextPlaceOf = (publicUrl: string, template: TemplateName): TemplatePlace => ({
  contextUrl: `${publicUrl}/contexts/${digitsOf(template)}/${template.version}`,
  vocabulary: `${publicUrl}/vocab/${digitsOf(template)}#`,
});

export const contextOf = (publicUrl: string, template: Template): object =>
  templateContext(template, contextPlaceOf(publicUrl, template));

const placePattern = /^\/contexts\/([0-9a-f]{64})\/(\d[\d.]{0,39})$/;

/** Which version of a template a context is of, if it is one of this service's. */
export function templateOfContext(
  { publicUrl, profile }: { readonly publicUrl: string; readonly profile: NetworkProfile },
  contextUrl: string,
): TemplateName | undefined {
  if (!contextUrl.startsWith(`${publicUrl}/`)) return undefined;
  const [, digits, version] = placePattern.exec(contextUrl.slice(publicUrl.length)) ?? [];
  return digits === undefined || version === undefined
    ? undefined
    : { id: `did:${profile.didMethod}:${digits}`, version };
}

/** Nothing but the published contexts and those of some templates. */
export const templateLoader = (
  publicUrl: string,
  find: (contextUrl: string) => Template | undefined | Promise<Template | undefined>,
): DocumentLoader =>
  createDocumentLoader({
    async ownContext(url) {
      const template = await find(url);
      return template && contextOf(publicUrl, template);
    },
  });
