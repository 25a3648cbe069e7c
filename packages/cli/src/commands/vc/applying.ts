/** `symbolon vc apply`: a holder applies, and signs what it applies with. */
import type { AttributeValues } from '@symbolon/core/credential/template-rules';
import { applyForCredential } from '@symbolon/sdk/flows/holder-flows';
import type { Acting } from '../../credentials/party-commands.ts';
import { type FoundTemplate, lookUpTemplate } from '../../credentials/template-lookup.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, printFields, printJson } from '../../terminal/terminal.ts';
import { readValues, type ValueWords } from './values.ts';

export async function apply(
  { connection, words, terminal }: Acting<ValueWords>,
  template: string,
): Promise<void> {
  const attributes = await readValues(words);
  const signer = await connection.walletSigner();
  const found = await lookUpTemplate(connection, template);
  assertFits(found, attributes);
  const { templateId, templateName } = found;
  const { vcId, status } = await applyForCredential(connection.service, { signer, templateId, attributes });
  if (words.json) return printJson(terminal, { vcId, status, templateId });
  printFields(terminal, `You applied for "${printable(templateName)}".`, { credential: vcId, state: status });
  terminal.remark(`Next, as its issuer: symbolon vc issue ${shellWord(vcId)}`);
}

/** Names alone: what the values must be is the service's to say. */
export function assertFits(
  { templateName, credentialFormat }: FoundTemplate,
  attributes: AttributeValues,
): void {
  const keys = credentialFormat.map(({ key }) => key);
  const unknown = Object.keys(attributes).filter((name) => !keys.includes(name));
  const missing = credentialFormat
    .filter(({ key, mandatory }) => mandatory && !Object.hasOwn(attributes, key))
    .map(({ key }) => key);
  if (unknown.length === 0 && missing.length === 0) return;
  const lines = [
    `The values do not fit the template "${printable(templateName)}".`,
    ...unknown.map((name) => `  ${name}: is not one of its attributes`),
    ...missing.map((name) => `  ${name}: is required and missing`),
    `It has ${keys.join(', ')}.`,
  ];
  throw usageFailure(lines.join('\n'), { code: 'attributesInvalid' });
}
