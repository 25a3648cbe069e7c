/**
 * A credential as it is ordered by the VC-API: which template it is of, its values and its terms. What would not be in the
 * credential that is issued is refused, never dropped: proofs and places in lists are the service's to add.
 */
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { unknownName } from '@symbolon/core/basics/known-names';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { type AttributeValues, readAttributeValues } from '@symbolon/core/credential/template-rules';
import type { Template } from '@symbolon/core/documents/model';
import { Fault, type FaultDetail } from '@symbolon/core/faults/faults';
import { credentialProblems } from '@symbolon/formats/credential/data-model';
import { dateTimeMs } from '@symbolon/formats/credential/date-times';
import { templateProblems, typeOfTemplate } from '@symbolon/formats/credential/template-context';
import { contextUrls } from '@symbolon/formats/json-ld/contexts';
import type { VcApiIssueOrder } from '@symbolon/wire/vc-api/vc-api-requests';
import { templateOfContext } from '../ldp-credentials/template-contexts.ts';
import { findPrice } from '../payments/price-rows.ts';
import { findStoredTemplate } from '../templates/template-rows.ts';
import type { VcApiParts } from './vc-api-parts.ts';

export interface OrderedCredential {
  readonly template: Template;
  readonly values: AttributeValues;
  readonly subject: string | undefined;
  readonly credentialId: string | undefined;
  readonly validFrom: string | undefined;
  readonly validUntil: string;
}

const members = ['@context', 'id', 'type', 'issuer', 'validFrom', 'validUntil', 'credentialSubject'];
const added: Readonly<Record<string, string>> = {
  proof: 'is added by the service, and nothing that is signed already is taken',
  credentialStatus: 'is added by the service: leave it out',
};

const refuse = (...errors: readonly FaultDetail[]): Fault =>
  new Fault('credentialMalformed', {
    detail: 'No such credential is issued here',
    errors: errors.map(({ pointer, detail }) => ({ pointer: `/credential${pointer}`, detail })),
  });

/** Throws `credentialMalformed`, `templateUnknown`, `issuerMismatch`, `templatePriced`, `attributesInvalid`. */
export async function readOrderedCredential(
  parts: VcApiParts,
  order: VcApiIssueOrder,
  issuer: string,
): Promise<OrderedCredential> {
  const credential: Fields = order.credential;
  const webDid = parts.places().webDid(issuer);
  const unknown = Object.keys(credential)
    .filter((name) => !members.includes(name))
    .map((name) => ({
      pointer: `/${name}`,
      detail: (Object.hasOwn(added, name) && added[name]) || unknownName(name, members),
    }));
  const problems = credentialProblems({ issuer: webDid, ...credential }, { versions: ['2.0'] });
  if (unknown.length + problems.length > 0) throw refuse(...unknown, ...problems);
  requireIssuer(credential, webDid);
  const template = await templateOf(parts, credential, issuer);
  const { id: subject, ...values } = subjectOf(credential);
  return {
    template,
    values: readAttributeValues(
      template,
      Object.entries(values).map(([key, value]) => ({
        key,
        value: value as never,
        pointer: `/credential/credentialSubject/${key}`,
      })),
      { pointer: '/credential/credentialSubject' },
    ),
    subject: subject as string | undefined,
    credentialId: idOf(credential, order),
    ...timesOf(credential),
  };
}

function requireIssuer({ issuer }: Fields, webDid: string): void {
  const named = asObject(issuer);
  if (named && Object.keys(named).length > 1)
    throw refuse({ pointer: '/issuer', detail: 'must be an address, or have it as id and nothing else' });
  if (issuer !== undefined && (named?.id ?? issuer) !== webDid)
    throw refuse({ pointer: '/issuer', detail: `must be ${webDid}, or be left out` });
}

async function templateOf(parts: VcApiParts, credential: Fields, issuer: string): Promise<Template> {
  const { publicUrl } = parts.settings;
  const contexts = credential['@context'] as readonly unknown[];
  const [, own] = contexts;
  const named =
    contexts.length === 2 && typeof own === 'string'
      ? templateOfContext({ publicUrl, profile: parts.profile }, own)
      : undefined;
  if (named === undefined)
    throw refuse({
      pointer: '/@context',
      detail: `must be ${contextUrls.credentialsV2} and the context of a template of yours, which begins with ${publicUrl}/contexts/`,
    });
  const queries = parts.database.kysely;
  const found = await findStoredTemplate(queries, named.id, named.version);
  if (!found) throw new Fault('templateUnknown');
  const { template } = found;
  if (template.issuer !== issuer) throw new Fault('issuerMismatch');
  const price = await findPrice(queries, template.id);
  if (price && price.amount !== '0') throw new Fault('templatePriced');
  const unusable = templateProblems(template);
  if (unusable.length > 0) throw refuse(...unusable);
  const types = ['VerifiableCredential', typeOfTemplate(template)];
  const isTyped = JSON.stringify(credential.type) === JSON.stringify(types);
  if (!isTyped) throw refuse({ pointer: '/type', detail: `must be ${JSON.stringify(types)}` });
  return template;
}

/** Of one alone: a template says what is known of one. */
function subjectOf({ credentialSubject }: Fields): Fields {
  const all = Array.isArray(credentialSubject) ? credentialSubject : [credentialSubject];
  const subject = all.length === 1 ? asObject(all[0]) : undefined;
  if (!subject) throw refuse({ pointer: '/credentialSubject', detail: 'must be one object' });
  return subject;
}

function idOf({ id }: Fields, { credentialId }: VcApiIssueOrder): string | undefined {
  if (id !== undefined && credentialId !== undefined && id !== credentialId)
    throw refuse({ pointer: '/id', detail: 'is another than options.credentialId' });
  const chosen = credentialId ?? id;
  if (chosen === undefined) return undefined;
  if (typeof chosen !== 'string' || !URL.canParse(chosen))
    throw refuse({ pointer: '/id', detail: 'must be an address, as options.credentialId must be' });
  return chosen;
}

/** They are dates and times already. */
function timesOf({ validFrom, validUntil }: Fields): Pick<OrderedCredential, 'validFrom' | 'validUntil'> {
  const [from, until] = [validFrom, validUntil].map((text) =>
    typeof text === 'string' ? dateTimeMs(text) : undefined,
  );
  if (until === undefined)
    throw refuse({ pointer: '/validUntil', detail: 'is missing: the ledger records until when it holds' });
  return {
    validFrom: from === undefined ? undefined : instantTextOfUnixMs(from),
    validUntil: instantTextOfUnixMs(until),
  };
}
