/**
 * What a wallet has to answer a request by OpenID4VP with: its credentials of the field, one copy of each that nobody has
 * seen, and its own credentials beside them. A copy that is shown is noted before anything is sent: whoever sees one twice
 * knows that it is the same.
 */
import type { AttributeValue } from '@symbolon/core/documents/model';
import { derivePresentation } from '@symbolon/sdk/flows/holder-flows';
import type { OpenidWallet } from '@symbolon/sdk/openid/openid-wallet';
import type { OwnShowing } from '@symbolon/sdk/openid/own-disclosures';
import type { OpenedPresentationRequest } from '@symbolon/sdk/openid/presentation-requests';
import type {
  CredentialOption,
  MatchedRequest,
  PresentableCredential,
  PresentationOutcome,
} from '@symbolon/sdk/openid/presenting';
import { judgeCredential } from './keeping.ts';
import type { KeptCredential } from './kept-credentials.ts';
import type { KeptField } from './kept-fields.ts';
import { rememberRanges } from './proved-ranges.ts';
import type { Wallet } from './wallet.ts';

/** A credential that could be shown. */
export interface ShowableCredential {
  readonly id: string;
  readonly title: string;
  readonly credential: PresentableCredential;
  /** Which copy of a credential of the field; none of one of our own. */
  readonly copy?: number;
  /** Whether this copy was shown before, because no other is left. */
  readonly isAgain: boolean;
  /** Whether it counts still, by its issuer's list or the ledger. */
  readonly isGood: (openid: OpenidWallet) => Promise<boolean>;
}

export interface PlannedShowing {
  readonly option: CredentialOption;
  readonly showable: ShowableCredential;
}

export const showableCredentials = (wallet: Wallet): readonly ShowableCredential[] => [
  ...wallet.fields.kept().flatMap(showableField),
  ...wallet.credentials.all().map((kept) => showableOwn(wallet, kept)),
];

function showableField({ id, title, credentials, used = [] }: KeptField): readonly ShowableCredential[] {
  const fresh = credentials.findIndex((_, place) => !used.includes(place));
  const copy = Math.max(fresh, 0);
  const credential = credentials[copy];
  if (!credential) return [];
  const isGood = async (openid: OpenidWallet): Promise<boolean> =>
    ['valid', 'not known'].includes(await openid.statusOf(credential));
  return [{ id, title, credential, copy, isAgain: fresh === -1, isGood }];
}

function showableOwn(wallet: Wallet, { document, parsed }: KeptCredential): ShowableCredential {
  const { id, type } = parsed.credential;
  return {
    id,
    title: type[1] ?? '',
    isAgain: false,
    credential: {
      format: 'symbolon-bbs-2026',
      document: parsed.credential,
      present: (showing) => presentOwn(wallet, document, showing),
    },
    isGood: async () => {
      const { isGenuine, status } = await judgeCredential(wallet, document);
      return isGenuine && status === 'active';
    },
  };
}

const boundOf = (value: AttributeValue | undefined): string | number | undefined =>
  typeof value === 'boolean' ? undefined : value;

async function presentOwn(
  wallet: Wallet,
  document: KeptCredential['document'],
  { reveal, ranges, telling, challenge, domain }: OwnShowing,
): Promise<object> {
  const { issuerKeys } = await judgeCredential(wallet, document);
  const rangeProof = ranges.map(({ attribute, min, max }) => ({
    attribute,
    ...(boundOf(min) !== undefined && { min: boundOf(min) }),
    ...(boundOf(max) !== undefined && { max: boundOf(max) }),
  }));
  return derivePresentation({
    ...{ signer: wallet.signer, issuerKeys, now: Date.now(), engine: await wallet.proofEngine() },
    vcs: [{ vc: document, revealAttributes: [...reveal], rangeProof: rangeProof as never }],
    tellingRanges: [...telling],
    ...{ challenge, domain },
  });
}

/** What answers a request, of credentials that still count. Only of those that would do are lists and ledger asked. */
export async function matchShowable(
  openid: OpenidWallet,
  request: OpenedPresentationRequest,
  all: readonly ShowableCredential[],
): Promise<{ readonly matched: MatchedRequest; readonly showable: readonly ShowableCredential[] }> {
  const match = (some: readonly ShowableCredential[]) =>
    openid.matchCredentials(
      request,
      some.map(({ credential }) => credential),
    );
  const first = await match(all);
  const fitting = new Set(first.parts.flatMap(({ options }) => options.map((one) => one.credential)));
  const showable: ShowableCredential[] = [];
  for (const place of fitting) {
    const one = all[place];
    if (one && (await one.isGood(openid))) showable.push(one);
  }
  if (showable.length === fitting.size && first.suggested) return { matched: first, showable: all };
  // Without one that fits the nearest miss is told, not that there is nothing at all.
  return fitting.size === 0
    ? { matched: first, showable: all }
    : { matched: await match(showable), showable };
}

/** Sends what was agreed to. The copies are noted as shown before that, whatever becomes of the answer. */
export async function showPlanned(
  { fields, database }: Pick<Wallet, 'fields' | 'database'>,
  openid: OpenidWallet,
  {
    request,
    planned,
  }: {
    readonly request: OpenedPresentationRequest;
    readonly planned: readonly PlannedShowing[];
  },
): Promise<PresentationOutcome> {
  const record = () => {
    fields.use(
      planned.flatMap(({ showable: { id, copy, isAgain } }) =>
        copy === undefined ? [] : [{ id, copy, isAgain }],
      ),
    );
    const ranges = planned.flatMap(({ option }) => option.proves);
    rememberRanges(database, ranges, Date.now());
  };
  const shown = planned.map(({ option: { queryId }, showable: { credential } }) => ({ queryId, credential }));
  return openid.answerRequest(request, { shown, record });
}
