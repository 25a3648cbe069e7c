/**
 * Status lists as they are served: derived when they are asked for, signed when they say something new or grow old, and
 * kept for every process. While the ledger is silent the list that was signed last is given until it expires, and then
 * none: a fresh signature would say that old facts are new.
 */
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { Fault } from '@symbolon/core/faults/faults';
import type { JwsSigner } from '@symbolon/formats/jose/compact-jws';
import { statusListLimits } from '@symbolon/formats/limits/format-limits';
import { bitstringCredential } from '@symbolon/formats/status-lists/bitstring-list';
import type { StatusPurpose } from '@symbolon/formats/status-lists/slots';
import { signTokenList } from '@symbolon/formats/status-lists/token-status-list';
import type { Clock } from '@symbolon/host/work/clock';
import { statusListWorkLimits as limits } from '../limits/service-limits.ts';
import { areSameMarks, type DerivedList, deriveList, type ListSources } from './derived-list.ts';
import { findSignedList, keepSignedList, type SignedList } from './signed-list-rows.ts';
import { hasList, type ListName } from './slot-rows.ts';

/** The two kinds: one list of tokens, and a credential for each purpose. */
export type StatusListKind = 'token' | StatusPurpose;

export const listMediaTypes: Readonly<Record<StatusListKind, string>> = {
  token: 'application/statuslist+jwt',
  revocation: 'application/vc',
  suspension: 'application/vc',
};

/** Whoever holds the keys of issuers. */
export interface ListSigners {
  readonly tokenSigner: (issuer: string) => Promise<JwsSigner>;
  /** A credential as text, with a proof of the issuer that it names. */
  readonly secure: (issuer: string, credential: object) => Promise<string>;
  /** What the issuer is called in credentials that are secured so. */
  readonly nameOf: (issuer: string) => string;
}

export interface PublishedListsOptions extends ListSources {
  readonly signers: ListSigners;
  readonly clock: Clock;
  /** The address of a list, letter for letter as credentials refer to it. */
  readonly uriOf: (name: ListName, kind: StatusListKind) => string;
  /** Told when a list is given although the ledger does not answer. */
  readonly onSilence?: (error: unknown) => void;
}

export interface ServedList {
  readonly mediaType: string;
  readonly text: string;
  /** For how long whoever asks may keep it. */
  readonly keepSeconds: number;
}

export interface PublishedLists {
  /** Faults: statusListUnknown, statusListStale. */
  serve(name: ListName, kind: StatusListKind): Promise<ServedList>;
}

interface KnownList {
  readonly derived: DerivedList;
  /** When the ledger said so, in milliseconds since 1970. */
  readonly readAt: number;
}

export function createPublishedLists(options: PublishedListsOptions): PublishedLists {
  const { queries, clock, uriOf } = options;
  const known = new RecentMap<string, KnownList>(limits.knownListsMax);
  const underWay = new Map<string, Promise<KnownList>>();
  const signed = new RecentMap<string, SignedList & { readonly derived?: DerivedList }>(
    limits.knownListsMax * 3,
  );

  /** What the ledger says, asked for once by all who come meanwhile. */
  const readFacts = (name: ListName): Promise<KnownList> => {
    const key = keyOf(name);
    const old = known.get(key);
    if (old && clock.nowMs() - old.readAt < limits.refreshMs) return Promise.resolve(old);
    const asked = underWay.get(key) ?? refresh(name, old).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
  const refresh = async (name: ListName, old: KnownList | undefined): Promise<KnownList> => {
    const readAt = clock.nowMs();
    const derived = await deriveList(options, name, old?.derived);
    const facts = { derived, readAt };
    known.set(keyOf(name), facts);
    return facts;
  };

  const sign = async (
    name: ListName,
    kind: StatusListKind,
    { derived, readAt }: KnownList,
  ): Promise<SignedList> => {
    const uri = uriOf(name, kind);
    const old = signed.get(uri);
    if (old?.derived && areSameMarks(old.derived.marked, derived.marked) && !isAged(old, clock.nowMs()))
      return old;
    const text = await documentOf(options, { name, kind, uri, derived, readAt });
    const expiresAt = readAt + statusListLimits.lifetimeSeconds * 1_000;
    const made = { uri, seq: derived.seq, text, readAt, expiresAt };
    await keepSignedList(queries, made);
    signed.set(uri, { ...made, derived });
    return made;
  };

  /** The one that was signed last, by whichever process, if it counts still. */
  const lastSigned = async (uri: string): Promise<SignedList | undefined> => {
    const last = (await findSignedList(queries, uri)) ?? signed.get(uri);
    return last && last.expiresAt > clock.nowMs() ? last : undefined;
  };

  return {
    async serve(name, kind) {
      if (!known.has(keyOf(name)) && !(await hasList(queries, name))) throw new Fault('statusListUnknown');
      const facts = await readFacts(name).catch((error: unknown) => {
        if (!isSilence(error)) throw error;
        options.onSilence?.(error);
        return undefined;
      });
      const list = facts ? await sign(name, kind, facts) : await lastSigned(uriOf(name, kind));
      if (!list) throw new Fault('statusListStale', { retryAfterSeconds: 5 });
      const lifeSeconds = Math.floor((list.expiresAt - clock.nowMs()) / 1_000);
      const keepSeconds = Math.max(0, Math.min(statusListLimits.keepSeconds, lifeSeconds));
      return { mediaType: listMediaTypes[kind], text: list.text, keepSeconds };
    },
  };
}

const keyOf = ({ issuer, list }: ListName): string => `${issuer} ${list}`;

/** Signed anew long before it expires, also where nothing has changed. */
const isAged = ({ readAt, expiresAt }: SignedList, now: number): boolean =>
  now - readAt > (expiresAt - readAt) * limits.renewShare;

/** The ledger's own trouble; a defect of ours is none, and comes out. */
const isSilence = (error: unknown): boolean =>
  error instanceof Fault &&
  [
    'ledgerUnreachable',
    'ledgerSilent',
    'ledgerFailed',
    'ledgerChanged',
    'ledgerUnconfirmed',
    'overloaded',
  ].includes(error.code);

interface ListContents extends KnownList {
  readonly name: ListName;
  readonly kind: StatusListKind;
  readonly uri: string;
}

async function documentOf(
  { signers }: PublishedListsOptions,
  { name, kind, uri, derived, readAt }: ListContents,
): Promise<string> {
  const contents = { uri, marked: derived.marked, at: readAt };
  if (kind === 'token') return signTokenList(contents, await signers.tokenSigner(name.issuer));
  const issuer = signers.nameOf(name.issuer);
  return signers.secure(name.issuer, await bitstringCredential({ ...contents, issuer, purpose: kind }));
}
