/** Finds the template that somebody means: by its id, or by its name where only one has it. */

import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { normalisedName } from '@symbolon/core/names/template-names';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import type { Connection } from '../profile/connection.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { printable } from '../terminal/terminal.ts';

export type FoundTemplate = CredentialReply<'getTemplate'>;

const looksLikeId = (text: string): boolean => text.startsWith('did:');
/** Names to mention to whoever missed. */
const suggestionsMax = 5;

export async function lookUpTemplate(
  { service }: Connection,
  text: string,
  version?: string,
): Promise<FoundTemplate> {
  const choice = version === undefined ? {} : { version };
  if (looksLikeId(text)) return service.getTemplate({ templateId: text, ...choice });
  const wanted = normalisedName(text);
  const q = text.trim().slice(0, credentialRequestLimits.nameCharsMax);
  const { templates } = q === '' ? { templates: [] } : await service.listTemplates({ q });
  const [found, ...others] = templates.filter(({ templateName }) => normalisedName(templateName) === wanted);
  if (found === undefined) throw await unknownTemplate(service, text);
  if (others.length > 0) {
    const advice = 'Give its id instead: symbolon template list';
    throw usageFailure(`Several templates are called ${printable(text)}.\n${advice}`);
  }
  return version === undefined ? found : service.getTemplate({ templateId: found.templateId, ...choice });
}

async function unknownTemplate(service: Connection['service'], text: string): Promise<CommandFailure> {
  const { templates } = await service.listTemplates({ limit: String(suggestionsMax) });
  const names = templates.map(({ templateName }) => `"${printable(templateName)}"`).join(', ');
  const there = names === '' ? 'None is registered here.' : `Some that are: ${names}.`;
  const lines = [
    `There is no template called ${printable(text)}.`,
    there,
    'See all with their ids: symbolon template list. Register one: symbolon template create',
  ];
  return new CommandFailure(lines.join('\n'), exitCodes.notFound, { code: 'templateUnknown' });
}
