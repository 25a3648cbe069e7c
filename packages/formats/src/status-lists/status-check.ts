/**
 * What a verifier asks of the status that a credential refers to: the list is fetched once and kept as long as it says,
 * held against its address and the credential's issuer, and a slot that it does not have is no status.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { unknownName } from '@symbolon/core/basics/known-names';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { statusListLimits } from '../limits/format-limits.ts';
import { bitstringEntryType, readBitstring } from './bitstring-list.ts';
import { bitstringValue, isPurpose, slotValues, tokenListValue } from './slots.ts';
import { type ReadTokenList, readTokenList, type TokenListFacts } from './token-status-list.ts';

export interface StatusTools extends Pick<TokenListFacts, 'findIssuerKeys' | 'verifySignature'> {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Guarded against addresses that are not public, bounded, without redirects. */
  readonly fetchText: (url: string, accept: string) => Promise<string | Complaint>;
  /** The credential in a text, if its proof is by the issuer that it names. */
  readonly readSecured?: (text: string) => Promise<Fields | Complaint>;
}

export interface StatusChecker {
  /** Of the `status` claim of a token. Empty where the list has it as valid. */
  readonly checkClaim: (status: unknown, issuer: string | undefined) => Promise<readonly string[]>;
  /** Of `credentialStatus`, one entry or several. */
  readonly checkEntries: (entries: unknown, issuer: string) => Promise<readonly string[]>;
}

interface KeptList {
  readonly until: number;
  readonly bytes: Uint8Array;
}

export function createStatusChecker(tools: StatusTools): StatusChecker {
  const tokenLists = createKeptLists<ReadTokenList>(tools.now);
  const bitstrings = createKeptLists<KeptList>(tools.now);

  const fetchTokenList = async (
    uri: string,
    issuer: string | undefined,
  ): Promise<ReadTokenList | Complaint> => {
    const text = await tools.fetchText(uri, 'application/statuslist+jwt');
    return typeof text === 'string' ? readTokenList(text, { ...tools, uri, issuer, now: tools.now() }) : text;
  };
  const checkClaim: StatusChecker['checkClaim'] = async (status, issuer) => {
    const reference = readReference(status);
    if (isComplaint(reference)) return [reference.complaint];
    const { uri, idx } = reference;
    const list = await tokenLists(JSON.stringify([uri, issuer]), () => fetchTokenList(uri, issuer));
    if (isComplaint(list)) return [list.complaint];
    const value = tokenListValue(list.bytes, list.bits, idx);
    return value === undefined
      ? ['the list does not have the slot of the credential']
      : slotComplaints(value);
  };

  const fetchBitstring = async (entry: ReadEntry, issuer: string): Promise<KeptList | Complaint> => {
    const text = await tools.fetchText(entry.uri, 'application/vc');
    if (typeof text !== 'string') return text;
    const credential = await tools.readSecured?.(text);
    if (!credential) return { complaint: 'lists of this kind cannot be read here' };
    if (isComplaint(credential)) return credential as Complaint;
    return readBitstring(credential, { uri: entry.uri, issuer, purpose: entry.purpose, now: tools.now() });
  };
  const checkEntry = async (value: unknown, issuer: string): Promise<readonly string[]> => {
    const entry = readEntry(value);
    if (isComplaint(entry)) return [entry.complaint];
    const { uri, purpose, slot } = entry;
    const list = await bitstrings(JSON.stringify([uri, issuer, purpose]), () =>
      fetchBitstring(entry, issuer),
    );
    if (isComplaint(list)) return [list.complaint];
    const isSet = bitstringValue(list.bytes, slot);
    if (isSet === undefined) return ['the list does not have the slot of the credential'];
    return isSet ? [purpose === 'revocation' ? revoked : suspended] : [];
  };
  return {
    checkClaim,
    async checkEntries(entries, issuer) {
      const all: readonly unknown[] = Array.isArray(entries) ? entries : [entries];
      if (all.length > entriesMax) return ['the credential refers to too many lists'];
      const found = await Promise.all(all.map((entry) => checkEntry(entry, issuer)));
      return [...new Set(found.flat())];
    },
  };
}

const entriesMax = 8;
/** What a list says of a credential that does not count. */
export const statusComplaints = {
  revoked: 'the credential is revoked',
  suspended: 'the credential is suspended',
} as const;
const { revoked, suspended } = statusComplaints;

/** What cannot be had is not kept, so that the next credential asks again. */
function createKeptLists<List extends { readonly until: number }>(now: () => number) {
  const kept = new RecentMap<string, List>(statusListLimits.keptListsMax);
  const underWay = new Map<string, Promise<List | Complaint>>();
  return async (key: string, fetchList: () => Promise<List | Complaint>): Promise<List | Complaint> => {
    const old = kept.get(key);
    if (old && old.until > now()) return old;
    const asked = underWay.get(key) ?? fetchList().finally(() => underWay.delete(key));
    underWay.set(key, asked);
    const list = await asked;
    if (!isComplaint(list)) kept.set(key, list);
    return list;
  };
}

function slotComplaints(value: number): readonly string[] {
  if (value === slotValues.valid) return [];
  if (value === slotValues.invalid) return [revoked];
  return [
    value === slotValues.suspended
      ? suspended
      : `the list has the credential as ${value}, which is not known`,
  ];
}

const isListUrl = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.length <= statusListLimits.uriCharsMax &&
  !text.includes('#') &&
  URL.canParse(text);

function readReference(status: unknown): { readonly uri: string; readonly idx: number } | Complaint {
  const members = asObject(status);
  const other = members && Object.keys(members).find((name) => name !== 'status_list');
  if (other !== undefined) return { complaint: `the status: ${unknownName(other, ['status_list'])}` };
  const { uri, idx } = asObject(members?.status_list) ?? {};
  if (!isListUrl(uri)) return { complaint: 'the status names no list' };
  if (!Number.isSafeInteger(idx) || Number(idx) < 0) return { complaint: 'the status names no slot' };
  return { uri, idx: Number(idx) };
}

interface ReadEntry {
  readonly uri: string;
  readonly purpose: string;
  readonly slot: number;
}

/** What is no text may be an object that does not want to be one. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'no text');

function readEntry(value: unknown): ReadEntry | Complaint {
  const { type, statusPurpose, statusListIndex, statusListCredential, statusSize } = asObject(value) ?? {};
  if (type !== bitstringEntryType)
    return { complaint: `the status: ${unknownName(textOf(type), [bitstringEntryType])}` };
  if (statusSize !== undefined && statusSize !== 1)
    return { complaint: 'the status has more than one bit, which is not known here' };
  if (!isPurpose(statusPurpose))
    return { complaint: 'the status is neither of revocation nor of suspension' };
  const isIndex = typeof statusListIndex === 'string' && /^(0|[1-9][0-9]{0,14})$/.test(statusListIndex);
  if (!isIndex) return { complaint: 'the status names no slot' };
  if (!isListUrl(statusListCredential)) return { complaint: 'the status names no list' };
  return { uri: statusListCredential, purpose: statusPurpose, slot: Number(statusListIndex) };
}
