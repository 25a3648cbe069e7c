/**
 * `GET /status/<i>/<list>.jwt` and `GET /status/<i>/<list>/revocation|suspension`: what is asked for, and what is
 * answered. The routes stand in `wire`; this is what they call.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import { isPurpose } from '@symbolon/formats/status-lists/slots';
import type { PublishedLists, StatusListKind } from './published-lists.ts';
import type { ListName } from './slot-rows.ts';

export interface ListRequest {
  /** 64 hex digits of the issuer's DID. */
  readonly issuer: string;
  /** The rest of the path: `0.jwt`, `0/revocation`, `0/suspension`. */
  readonly list: string;
  /** The draft's parameter for lists of the past. */
  readonly time?: string | undefined;
}

export interface ListAnswer {
  readonly status: 200;
  readonly contentType: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Faults: statusListUnknown, statusListPast, statusListStale. */
export async function answerListRequest(
  { lists, profile }: { readonly lists: PublishedLists; readonly profile: Pick<NetworkProfile, 'didMethod'> },
  request: ListRequest,
): Promise<ListAnswer> {
  if (request.time !== undefined) throw new Fault('statusListPast');
  const asked = readListPath(request, profile);
  if (!asked) throw new Fault('statusListUnknown');
  const { mediaType, text, keepSeconds } = await lists.serve(asked.name, asked.kind);
  return {
    status: 200,
    contentType: mediaType,
    text,
    headers: { 'cache-control': `public, max-age=${keepSeconds}` },
  };
}

/** One spelling only: what is served names its own address. */
export function readListPath(
  { issuer, list }: ListRequest,
  { didMethod }: Pick<NetworkProfile, 'didMethod'>,
): { readonly name: ListName; readonly kind: StatusListKind } | undefined {
  const [, number = '', kind = ''] = /^(0|[1-9][0-9]{0,8})(\.jwt|\/[a-z]{1,20})$/.exec(list) ?? [];
  if (number === '' || !/^[0-9a-f]{64}$/.test(issuer)) return undefined;
  const name = { issuer: `did:${didMethod}:${issuer}`, list: Number(number) };
  if (kind === '.jwt') return { name, kind: 'token' };
  const purpose = kind.slice(1);
  return isPurpose(purpose) ? { name, kind: purpose } : undefined;
}

const identifierOf = (issuer: string): string => issuer.slice(issuer.lastIndexOf(':') + 1);

/** The address of a list, as credentials refer to it. */
export const listUri =
  (publicUrl: string) =>
  ({ issuer, list }: ListName, kind: StatusListKind): string => {
    const base = `${publicUrl.replace(/\/$/, '')}/status/${identifierOf(issuer)}/${list}`;
    return kind === 'token' ? `${base}.jwt` : `${base}/${kind}`;
  };

/** Which list an address names, if it is one of this service's. */
export function listAtUri(
  { publicUrl, profile }: { readonly publicUrl: string; readonly profile: Pick<NetworkProfile, 'didMethod'> },
  uri: string,
): { readonly name: ListName; readonly kind: StatusListKind } | undefined {
  const base = `${publicUrl.replace(/\/$/, '')}/status/`;
  if (!uri.startsWith(base)) return undefined;
  const [issuer = '', ...list] = uri.slice(base.length).split('/');
  return readListPath({ issuer, list: list.join('/') }, profile);
}
