/**
 * The rules of the Verifiable Credentials Data Model 2.0 for the members of credentials and presentations, and those of 1.1
 * for what is verified: what is wrong, and where. Nothing is fetched and no proof is looked at. Beyond what the libraries
 * check: types of schemas and refresh services, related resources, subjects that say something, statuses, evidence and
 * terms of use that say what they are.
 */
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import type { FaultDetail } from '@symbolon/core/faults/faults';
import { contextUrls } from '../json-ld/contexts.ts';
import { documentProblem } from '../json-ld/document-bounds.ts';
import { dateTimeMs } from './date-times.ts';
import {
  asArray,
  type Complaints,
  checkEach,
  checkLanguageText,
  checkOptionalUrl,
  checkTypes,
  checkUrl,
  isUrl,
} from './member-rules.ts';
import { checkRelatedResources } from './related-resources.ts';

export type ModelVersion = '1.1' | '2.0';

/** Which version of the data model a document is of, by its first context. */
export function modelVersionOf(document: unknown): ModelVersion | undefined {
  const first = asArray(asObject(document)?.['@context'])[0];
  if (first === contextUrls.credentialsV2) return '2.0';
  return first === contextUrls.credentialsV1 ? '1.1' : undefined;
}

export interface ModelOptions {
  /** Documents of 1.1 are verified and not issued. */
  readonly versions?: readonly ModelVersion[];
}

function checkContexts(document: Fields, complaints: Complaints, versions: readonly ModelVersion[]): void {
  const contexts = document['@context'];
  if (!Array.isArray(contexts) && typeof contexts !== 'string') {
    complaints.add('/@context', 'must be an array that begins with the context of credentials');
    return;
  }
  const version = modelVersionOf(document);
  if (version === undefined || !versions.includes(version)) {
    const wanted = versions.map((one) =>
      one === '2.0' ? contextUrls.credentialsV2 : contextUrls.credentialsV1,
    );
    complaints.add('/@context', `must begin with ${wanted.join(' or ')}`);
  }
  if (version === '2.0' && !Array.isArray(contexts)) complaints.add('/@context', 'must be an array');
  for (const [index, context] of asArray(contexts).entries())
    if (!(isUrl(context) || asObject(context) !== undefined))
      complaints.add(`/@context/${index}`, 'must be an address or an object');
  if (asArray(contexts).includes(contextUrls.credentialsV1) && version === '2.0')
    complaints.add('/@context', 'names the contexts of both versions of the data model');
}

function checkSubject(subject: unknown, pointer: string, complaints: Complaints): void {
  const object = asObject(subject);
  if (object === undefined) complaints.add(pointer, 'must be an object');
  else if (Object.keys(object).length === 0) complaints.add(pointer, 'says nothing: it is empty');
  else checkOptionalUrl(object.id, `${pointer}/id`, complaints);
}

/** An issuer or a holder: an address, or an object with one. */
function checkParty(party: unknown, pointer: string, complaints: Complaints): void {
  const object = asObject(party);
  if (object === undefined) checkUrl(party, pointer, complaints);
  else {
    checkUrl(object.id, `${pointer}/id`, complaints);
    checkLanguageText(object.name, `${pointer}/name`, complaints);
    checkLanguageText(object.description, `${pointer}/description`, complaints);
  }
}

interface TypedMember {
  readonly name: string;
  /** Whether the object must have an address of its own. */
  readonly hasId: boolean;
}

const typedMembers: readonly TypedMember[] = [
  { name: 'credentialStatus', hasId: false },
  { name: 'credentialSchema', hasId: true },
  { name: 'refreshService', hasId: false },
  { name: 'termsOfUse', hasId: false },
  { name: 'evidence', hasId: false },
  { name: 'proof', hasId: false },
];

/** Objects that must say what they are. */
function checkTyped(document: Fields, { name, hasId }: TypedMember, complaints: Complaints): void {
  checkEach(document[name], `/${name}`, (item, pointer) => {
    const object = asObject(item);
    if (object === undefined) {
      complaints.add(pointer, 'must be an object');
      return;
    }
    checkTypes(object.type, `${pointer}/type`, complaints);
    if (hasId) checkUrl(object.id, `${pointer}/id`, complaints);
    else checkOptionalUrl(object.id, `${pointer}/id`, complaints);
  });
}

const validityNames: Readonly<Record<ModelVersion, readonly [from: string, until: string]>> = {
  '2.0': ['validFrom', 'validUntil'],
  '1.1': ['issuanceDate', 'expirationDate'],
};

export interface ModelValidity {
  readonly fromMs?: number;
  readonly untilMs?: number;
}

const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? dateTimeMs(value) : undefined;

function checkValidity(credential: Fields, version: ModelVersion, complaints: Complaints): void {
  const [from, until] = validityNames[version];
  for (const name of [from, until])
    if (credential[name] !== undefined && timeOf(credential[name]) === undefined)
      complaints.add(`/${name}`, 'must be a date and time with an offset, such as 2030-12-31T23:59:59Z');
  if (version === '1.1' && credential[from] === undefined) complaints.add(`/${from}`, 'is missing');
  const [fromMs, untilMs] = [timeOf(credential[from]), timeOf(credential[until])];
  if (fromMs !== undefined && untilMs !== undefined && untilMs < fromMs)
    complaints.add(`/${until}`, `lies before ${from}`);
}

/** From when and until when a credential holds, as far as it says so. Its times have been checked. */
export function validityOf(credential: Fields): ModelValidity {
  const [from, until] = validityNames[modelVersionOf(credential) ?? '2.0'];
  const [fromMs, untilMs] = [timeOf(credential[from]), timeOf(credential[until])];
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(untilMs === undefined ? {} : { untilMs }) };
}

/** Who made a credential. */
export function issuerOfDocument({ issuer }: Fields): string | undefined {
  const id = asObject(issuer)?.id ?? issuer;
  return typeof id === 'string' ? id : undefined;
}

const bothVersions: readonly ModelVersion[] = ['2.0', '1.1'];

/** Everything that is wrong with a credential's members. */
export function credentialProblems(
  credential: unknown,
  { versions = bothVersions }: ModelOptions = {},
): readonly FaultDetail[] {
  const complaints = new ComplaintList();
  const problem = documentProblem(credential);
  if (problem !== undefined) return [{ pointer: '', detail: problem }];
  const fields = credential as Fields;
  checkContexts(fields, complaints, versions);
  checkOptionalUrl(fields.id, '/id', complaints);
  checkTypes(fields.type, '/type', complaints, 'VerifiableCredential');
  checkLanguageText(fields.name, '/name', complaints);
  checkLanguageText(fields.description, '/description', complaints);
  checkParty(fields.issuer, '/issuer', complaints);
  const { credentialSubject } = fields;
  if (asArray(credentialSubject).length === 0) complaints.add('/credentialSubject', 'is missing');
  checkEach(credentialSubject, '/credentialSubject', (subject, pointer) =>
    checkSubject(subject, pointer, complaints),
  );
  checkValidity(fields, modelVersionOf(fields) ?? '2.0', complaints);
  for (const member of typedMembers) checkTyped(fields, member, complaints);
  checkRelatedResources(fields.relatedResource, complaints);
  return complaints.all;
}

const envelopedCredential = 'EnvelopedVerifiableCredential';

function checkPresented(presented: unknown, pointer: string, complaints: Complaints): void {
  const object = asObject(presented);
  if (object === undefined) {
    complaints.add(pointer, 'must be a credential, or an envelope with one');
    return;
  }
  if (asArray(object.type).includes(envelopedCredential)) {
    if (typeof object.id !== 'string' || !object.id.startsWith('data:'))
      complaints.add(`${pointer}/id`, 'must be a data: address with the credential in it');
    return;
  }
  for (const { pointer: inner, detail } of credentialProblems(object))
    complaints.add(`${pointer}${inner}`, detail);
}

/** Everything that is wrong with a presentation's members, and with the credentials in it. */
export function presentationProblems(presentation: unknown): readonly FaultDetail[] {
  const complaints = new ComplaintList();
  const problem = documentProblem(presentation);
  if (problem !== undefined) return [{ pointer: '', detail: problem }];
  const fields = presentation as Fields;
  checkContexts(fields, complaints, bothVersions);
  checkOptionalUrl(fields.id, '/id', complaints);
  checkTypes(fields.type, '/type', complaints, 'VerifiablePresentation');
  if (fields.holder !== undefined) checkParty(fields.holder, '/holder', complaints);
  checkEach(fields.verifiableCredential, '/verifiableCredential', (presented, pointer) =>
    checkPresented(presented, pointer, complaints),
  );
  for (const name of ['termsOfUse', 'proof']) checkTyped(fields, { name, hasId: false }, complaints);
  return complaints.all;
}

const complaintsMax = 100;

class ComplaintList implements Complaints {
  readonly all: FaultDetail[] = [];

  add(pointer: string, detail: string): void {
    if (this.all.length < complaintsMax) this.all.push({ pointer, detail });
  }
}
