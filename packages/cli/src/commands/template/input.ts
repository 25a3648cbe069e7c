/**
 * A template as somebody writes it down: a file, in this program's words or the interface's, or options. What the
 * attributes may be is the service's rule; here only the form is read, so that a slip is told with its place.
 */
import { attributeTypeOfFormat, isAttributeFormat } from '@symbolon/core/attributes/attribute-formats';
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import type { TemplateOrder } from '@symbolon/sdk/flows/issuer-flows';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { readDocumentFile } from '../../credentials/document-files.ts';
import { usageFailure } from '../../terminal/failure.ts';

export type TemplateText = Pick<
  TemplateOrder,
  'templateName' | 'version' | 'credentialFormat' | 'remark' | 'acceptUnbound'
>;
type Attribute = TemplateText['credentialFormat'][number];

export interface TemplateWords {
  readonly name?: string;
  readonly version?: string;
  readonly attribute?: readonly Attribute[];
  readonly reason?: string;
  readonly remark?: string;
  readonly acceptUnbound?: boolean;
}

const firstVersion = '1.0.0';

const name = z.string().min(1).max(limits.nameCharsMax);
const attributeSchema = z
  .strictObject({
    key: name,
    format: name,
    /** What people read; the key, if left out. */
    label: name.optional(),
    attribute: name.optional(),
    required: z.boolean().optional(),
    mandatory: z.union([z.boolean(), z.literal(0), z.literal(1)]).optional(),
    type: z.union([z.int(), name]).optional(),
  })
  .transform(({ key, format, label, attribute, required, mandatory, type }) => ({
    key,
    format,
    attribute: label ?? attribute ?? key,
    mandatory: required ?? mandatory ?? false,
    ...(type !== undefined && { type }),
  }));

const attributes = z.array(attributeSchema).min(1).max(limits.attributesMax);
/** Members that a template has once it is registered are passed over, so that one can be made from another. */
const fileSchema = z
  .looseObject({
    name: name.optional(),
    templateName: name.optional(),
    version: name.default(firstVersion),
    attributes: attributes.optional(),
    credentialFormat: attributes.optional(),
    remark: z.string().max(limits.noteCharsMax).optional(),
  })
  .refine((file) => (file.name ?? file.templateName) !== undefined, { path: ['name'], error: 'is missing' })
  .refine((file) => (file.attributes ?? file.credentialFormat) !== undefined, {
    path: ['attributes'],
    error: 'is missing',
  });

const example =
  '{"name": "Membership", "version": "1.0.0", "attributes": [{"key": "since", "format": "date", "required": true}]}';

/** The template of a file, with what the options say instead. */
export async function readTemplateInput(
  file: string | undefined,
  words: TemplateWords,
): Promise<TemplateText> {
  const given =
    file === undefined ? undefined : parseTemplate(file, await readDocumentFile(file, 'a template'));
  const templateName = words.name ?? given?.templateName;
  const credentialFormat = words.attribute ?? given?.credentialFormat;
  if (templateName === undefined || credentialFormat === undefined) {
    const advice = 'Give a file, or --name and --attribute NAME:FORMAT[:required] as often as needed.';
    throw usageFailure(`A template has a name and attributes.\n${advice}`);
  }
  const remark = words.reason ?? words.remark ?? given?.remark;
  return {
    templateName,
    credentialFormat: [...credentialFormat],
    version: words.version ?? given?.version ?? firstVersion,
    ...(remark !== undefined && { remark }),
    // Never from a file: a template made from another one would go on accepting what only that one has.
    ...(words.acceptUnbound && { acceptUnbound: true }),
  };
}

export function parseTemplate(file: string, content: unknown): TemplateText {
  const read = fileSchema.safeParse(content);
  if (!read.success) {
    const places = read.error.issues.map(({ path, message }) => `  /${path.join('/')}: ${message}`);
    throw usageFailure(
      [`${file} is not a template.`, ...places, `One looks like this: ${example}`].join('\n'),
    );
  }
  const { templateName, version, credentialFormat, remark } = read.data;
  return {
    templateName: read.data.name ?? templateName ?? '',
    version,
    credentialFormat: (read.data.attributes ?? credentialFormat ?? []) as readonly Attribute[],
    ...(remark !== undefined && { remark }),
  };
}

/** `NAME:FORMAT[:required]`, collected. */
export function attributeWord(text: string, before: readonly Attribute[] = []): readonly Attribute[] {
  const [key = '', format = '', required, ...others] = text.split(':');
  const isGood = /^[A-Za-z]\w*$/.test(key) && format !== '' && others.length === 0;
  if (!isGood || !['required', 'optional', undefined].includes(required))
    throw new InvalidArgumentError('It must be like degree:string:required or since:date.');
  if (!isAttributeFormat(format))
    throw new InvalidArgumentError(`Formats are ${Object.keys(attributeTypeOfFormat).join(', ')}.`);
  return [...before, { key, attribute: key, format, mandatory: required === 'required' }];
}
