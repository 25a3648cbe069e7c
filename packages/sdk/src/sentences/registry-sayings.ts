/**
 * Calls of the registries of credentials in words. Only of the registries that the reader knows: any contract may be
 * called in the same way. What is not of the registries' form is a call like any other.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { type StatusChange, statusChanges } from '@symbolon/core/credential/registry-calls';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import type { Operation, Transaction } from '@symbolon/core/proto/ledger_pb';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { type ContractCallText, callOf } from './contract-call.ts';
import { plainWords, type Saying, type SentencePart } from './sentence-parts.ts';
import type { Teller } from './teller.ts';

type Payment = NonNullable<Operation['payCoin']>;

/** Undefined where it is no call of a known registry, or none that the registry would understand. */
export function registrySaying(payment: Payment, teller: Teller): Saying | undefined {
  const { registries } = teller;
  // Registries take no coins.
  if (!registries || payment.amount !== 0n) return undefined;
  const call = callOf(payment.input);
  if (!call?.params) return undefined;
  if (payment.destAddress === registries.templates)
    return call.method === 'addTemplate' ? templateSaying(call.params, teller) : undefined;
  if (payment.destAddress !== registries.credentials) return undefined;
  if (call.method === 'issue') return recordSaying(readIssue(call.params, teller), teller);
  if (call.method === 'anchorAudit') return anchorSaying(call.params);
  const change = changeOf(call);
  return change && statusSaying(change, call.params, teller);
}

const changeOf = ({ method }: ContractCallText): StatusChange | undefined =>
  statusChanges.find((one) => one === method);

export interface Issuance {
  readonly issuer: SentencePart;
  readonly saying: Saying;
}

/**
 * What an issuer has done by a call that was executed: anybody may hand in what an issuer has signed, and the registry
 * has then checked the signature. Undefined where it is nothing of the kind, or of several issuers.
 */
export function issuanceSaying(payment: Payment, teller: Teller): Issuance | undefined {
  const call = credentialCallOf(payment, teller);
  const entries = call?.method === 'issue' ? readIssue(call.params, teller) : undefined;
  const one = entries && singleIssuerOf(entries);
  if (!entries || one === undefined) return undefined;
  const issuer = teller.account(one);
  const [first] = entries;
  if (entries.length === 1 && first)
    return { issuer, saying: { says: 'issues', with: entryPlaces(first, teller) } };
  return {
    issuer,
    saying: {
      says: 'issuesSome',
      with: { count: plainWords(String(entries.length)), kind: kindOf(entries, teller) },
    },
  };
}

/** What a call asks of the registry of credentials that the reader knows. */
function credentialCallOf(
  { destAddress, amount, input }: Payment,
  { registries }: Pick<Teller, 'registries'>,
): (ContractCallText & { readonly params: JsonObject }) | undefined {
  if (!registries || destAddress !== registries.credentials || amount !== 0n) return undefined;
  const call = callOf(input);
  return call?.params && { ...call, params: call.params };
}

export type CredentialDeed = 'issue' | StatusChange;

/**
 * What a transaction asks of the registry about one credential, in its order. The registry keeps credentials by issuer:
 * what another account does to a number of its own is nothing to this one.
 */
export function credentialDeeds(
  { sourceAddress, operations }: Transaction,
  { vcId, issuer }: { readonly vcId: string; readonly issuer: string },
  reader: Pick<Teller, 'registries' | 'profile'>,
): readonly CredentialDeed[] {
  return operations.flatMap(({ payCoin, sourceAddress: own }): CredentialDeed[] => {
    const call = payCoin && credentialCallOf(payCoin, reader);
    if (!call) return [];
    if (call.method === 'issue') {
      const entries = readIssue(call.params, reader) ?? [];
      return entries.some((entry) => entry.issuer === issuer && entry.credential === vcId) ? ['issue'] : [];
    }
    const change = changeOf(call);
    const { credentials } = call.params;
    const isAsked = Array.isArray(credentials) && credentials.includes(vcId);
    return change && isAsked && (own === '' ? sourceAddress : own) === issuer ? [change] : [];
  });
}

const didForm = /^did:[a-z0-9]{1,16}:[0-9a-f]{64}$/;
const entriesMax = 100;

const isDid = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && didForm.test(value);

function templateSaying(params: JsonObject, teller: Teller): Saying | undefined {
  const { templateId, templateName, version } = params;
  if (!isDid(templateId) || typeof templateName !== 'string') return undefined;
  if (typeof version !== 'string' || !/^\d[\d.]{0,39}$/.test(version)) return undefined;
  const template = teller.template(templateId, templateName);
  return { says: 'registersTemplate', with: { template, version: plainWords(version) } };
}

interface IssuedEntry {
  readonly issuer: string;
  readonly credential: string;
  readonly template: string;
}

function readIssue(
  { entries }: JsonObject,
  { profile }: Pick<Teller, 'profile'>,
): readonly IssuedEntry[] | undefined {
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > entriesMax) return undefined;
  const keys = createKeyFormat(profile, sha256);
  const read = entries.flatMap((entry): IssuedEntry[] => {
    if (!isJsonObject(entry)) return [];
    const { issuerKey, credential, template } = entry;
    const issuer = typeof issuerKey === 'string' ? keys.signerOf(issuerKey)?.address : undefined;
    return issuer !== undefined && isDid(credential) && isDid(template)
      ? [{ issuer, credential, template }]
      : [];
  });
  return read.length === entries.length ? read : undefined;
}

const singleIssuerOf = (entries: readonly IssuedEntry[]): string | undefined =>
  new Set(entries.map(({ issuer }) => issuer)).size === 1 ? entries[0]?.issuer : undefined;

const entryPlaces = ({ credential, template }: IssuedEntry, teller: Teller) => ({
  credential: teller.credential(credential),
  template: teller.template(template),
});

function kindOf(entries: readonly IssuedEntry[], teller: Teller): Saying | undefined {
  const [template, ...others] = new Set(entries.map((entry) => entry.template));
  if (template === undefined || others.length > 0) return undefined;
  return { says: 'byTemplate', with: { template: teller.template(template) } };
}

function recordSaying(entries: readonly IssuedEntry[] | undefined, teller: Teller): Saying | undefined {
  if (!entries) return undefined;
  const [first] = entries;
  const issuer = singleIssuerOf(entries);
  const count = plainWords(String(entries.length));
  if (issuer === undefined) {
    const issuers = plainWords(String(new Set(entries.map((entry) => entry.issuer)).size));
    return { says: 'recordsOfMany', with: { count, issuers } };
  }
  const by = { issuer: teller.account(issuer) };
  if (entries.length === 1 && first)
    return { says: 'records', with: { ...by, ...entryPlaces(first, teller) } };
  return { says: 'recordsSome', with: { ...by, count, kind: kindOf(entries, teller) } };
}

const statusWords = {
  revoke: ['revokes', 'revokesSome'],
  suspend: ['suspends', 'suspendsSome'],
  reinstate: ['reinstates', 'reinstatesSome'],
} as const;

function statusSaying(change: StatusChange, { credentials }: JsonObject, teller: Teller): Saying | undefined {
  if (!Array.isArray(credentials) || credentials.length === 0 || !credentials.every(isDid)) return undefined;
  const [says, saysSome] = statusWords[change];
  const [credential, ...others] = credentials;
  if (credential !== undefined && others.length === 0)
    return { says, with: { credential: teller.credential(credential) } };
  return { says: saysSome, with: { count: plainWords(String(credentials.length)) } };
}

function anchorSaying({ count }: JsonObject): Saying | undefined {
  const number = Number(count);
  if (!Number.isSafeInteger(number) || number < 1) return undefined;
  return { says: 'anchorsAudit', with: { count: plainWords(String(number)) } };
}
