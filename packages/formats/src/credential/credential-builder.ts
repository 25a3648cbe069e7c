/**
 * A credential of data model 2.0 from a template and values: what is signed as `ldp_vc`. Pure: its identifier, times and
 * statuses are given.
 */

import { type Fields, given } from '@symbolon/core/basics/plain-values';
import {
  type ArrivedValue,
  attributesInvalid,
  readAttributeValues,
} from '@symbolon/core/credential/template-rules';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { contextUrls } from '../json-ld/contexts.ts';
import { credentialProblems } from './data-model.ts';
import { type TemplatePlace, templateProblems, typeOfTemplate } from './template-context.ts';

/** One entry of a status list, as another format's rules made it. */
export type StatusEntry = Readonly<Record<string, string>> & { readonly type: string };

export interface BuildOrder {
  readonly template: Template;
  readonly place: TemplatePlace;
  /** By the keys of the template. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The address or DID of whoever signs. */
  readonly issuer: string;
  /** Of whom it is; absent where it is of whoever shows it. */
  readonly subject?: string;
  readonly id?: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly statuses?: readonly StatusEntry[];
}

/** What every showing of a credential shows, as far as it has it. */
const alwaysShown = ['issuer', 'validFrom', 'validUntil', 'credentialStatus', 'credentialSchema'] as const;

export const mandatoryPointersOf = (credential: Fields): readonly string[] =>
  alwaysShown.filter((name) => credential[name] !== undefined).map((name) => `/${name}`);

const arrived = (values: BuildOrder['values']): ArrivedValue[] =>
  Object.entries(values).map(([key, value]) => ({ key, value, pointer: `/values/${key}` }));

/** The credential, without a proof. Throws `Fault` with everything that is wrong with values and addresses. */
export function buildCredential(order: BuildOrder): Fields {
  const { template, place, statuses = [] } = order;
  const unusable = templateProblems(template);
  if (unusable.length > 0) throw attributesInvalid(unusable);
  const values = readAttributeValues(template, arrived(order.values), { pointer: '/values' });
  const credential = {
    '@context': [contextUrls.credentialsV2, place.contextUrl],
    ...given({ id: order.id }),
    type: ['VerifiableCredential', typeOfTemplate(template)],
    issuer: order.issuer,
    ...given({ validFrom: order.validFrom, validUntil: order.validUntil }),
    ...(statuses.length === 0 ? {} : { credentialStatus: statuses.length === 1 ? statuses[0] : statuses }),
    credentialSubject: { ...given({ id: order.subject }), ...values },
  };
  const problems = credentialProblems(credential, { versions: ['2.0'] });
  if (problems.length > 0)
    throw new Fault('credentialMalformed', { detail: 'The credential cannot be made', errors: problems });
  return credential;
}
