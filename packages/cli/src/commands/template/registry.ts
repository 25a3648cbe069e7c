/**
 * `symbolon template create|list|show`: a template is registered in two steps, blob and signature, so that the issuer's
 * key stays here; registered ones are found by id or name.
 */
import { given } from '@symbolon/core/basics/plain-values';
import { registerTemplate } from '@symbolon/sdk/flows/issuer-flows';
import type { Acting, PagingWords } from '../../credentials/party-commands.ts';
import { lookUpTemplate } from '../../credentials/template-lookup.ts';
import { networkOf } from '../../profile/connection.ts';
import type { FeeWords } from '../../profile/options.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { columns, printFields, printTable } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, printJson } from '../../terminal/terminal.ts';
import { requireBlock } from '../../transactions/blocks.ts';
import { withinCaps } from '../../transactions/fee-caps.ts';
import { readTemplateInput, type TemplateWords } from './input.ts';

export async function create(
  { connection, words, terminal }: Acting<TemplateWords & FeeWords>,
  file: string | undefined,
): Promise<void> {
  const template = await readTemplateInput(file, words);
  const signer = await connection.signer();
  const { pins, ...network } = networkOf(connection);
  ifInterrupted([
    'Interrupted. The template may have been handed in, and is registered then.',
    'See whether it is there: symbolon template list. If not, give the same command again.',
  ]);
  const { templateId, txHash } = await withinCaps({ pins, words, preparedBy: 'service' }, (caps) =>
    registerTemplate(connection.service, { signer, ...template, ...network, pins: { ...pins, ...caps } }),
  );
  const { templateName: name, version } = template;
  const block = await requireBlock(connection, txHash);
  const facts = { templateId, name, version, txHash, ...given({ block }) };
  if (words.json) return printJson(terminal, facts);
  const fields = { template: templateId, transaction: txHash, block };
  printFields(terminal, `The template "${printable(name)}" ${version} is registered.`, fields);
  terminal.remark(`Next: symbolon vc apply ${shellWord(templateId)} --set NAME=VALUE`);
}

interface ListWords extends PagingWords {
  readonly search?: string;
  readonly issuer?: string;
}

export async function list({ connection, words, terminal }: Acting<ListWords>): Promise<void> {
  const { search, issuer, limit, cursor } = words;
  const page = await connection.service.listTemplates(given({ q: search, issuer, limit, cursor }));
  if (words.json) return printJson(terminal, page);
  if (page.templates.length === 0) {
    terminal.remark('There is no such template here. Register one: symbolon template create');
    return;
  }
  const rows = page.templates.map(({ templateId, templateName, version, credentialFormat }) => [
    printable(templateName),
    version,
    credentialFormat.map(({ key }) => key).join(','),
    templateId,
  ]);
  printTable(terminal, [['NAME', 'VERSION', 'ATTRIBUTES', 'ID'], ...rows]);
  if (page.nextCursor !== undefined)
    terminal.remark(`There are more: --cursor ${shellWord(page.nextCursor)}`);
}

export async function show(
  { connection, words, terminal }: Acting<{ readonly templateVersion?: string }>,
  text: string,
): Promise<void> {
  const template = await lookUpTemplate(connection, text, words.templateVersion);
  if (words.json) return printJson(terminal, template);
  const { templateId, templateName, version, issuerDid, remark, txHash, credentialFormat } = template;
  printFields(terminal, `${printable(templateName)} ${version}`, {
    template: templateId,
    issuer: issuerDid,
    transaction: txHash,
    reason: remark === undefined ? undefined : printable(remark),
  });
  const rows = credentialFormat.map(({ key, attribute, format, mandatory }) => [
    `  ${key}`,
    format,
    mandatory ? 'required' : 'optional',
    attribute === key ? '' : printable(attribute),
  ]);
  terminal.print(columns(terminal, rows));
}
