/**
 * One row becomes one credential: its application is found or made, approved, signed and recorded, each step in the
 * journal before the next. The row is the order: what the service drafts is held against it, and what the row leaves to
 * the holder against the holder's own signature. Every request carries a key that is the row's own, so a request whose
 * answer was lost is made again and answered as the first time; and a row that was under way when the command ended is
 * asked after, not begun again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { isAway } from '@symbolon/sdk/errors/passing';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { type IssuanceOrder, type IssuerBbsKey, issueCredential } from '@symbolon/sdk/flows/issuer-flows';
import type { Signer } from '@symbolon/sdk/keys/signer';
import type { GivenTemplate } from '@symbolon/sdk/orders/template-order';
import type { CredentialClient, CredentialReply } from '@symbolon/sdk/service/credential-client';
import { verifyApplication } from '@symbolon/sdk/verification/applications';
import { bulkLimits } from '../limits/command-limits.ts';
import type { BulkMode } from './column-mapping.ts';
import { HolderKeyMissing } from './holder-keys.ts';
import type { Journal } from './journal.ts';
import type { RowProgress } from './journal-index.ts';
import type { Patient } from './retry.ts';
import type { CheckedRow } from './row-check.ts';
import type { OffersByReference, WaitingApplications } from './waiting-applications.ts';

/** What of the service issuing needs. */
export type IssuingClient = Pick<
  CredentialClient,
  | 'createCredential'
  | 'submitCredential'
  | 'getApplication'
  | 'getCredentialStatus'
  | 'getTemplate'
  | 'audience'
>;

export interface IssuingParts {
  readonly client: IssuingClient;
  /** Shows no API key: holders apply for themselves, and the issuer's key is not theirs. */
  readonly holderClient: Pick<CredentialClient, 'applyForCredential'>;
  readonly signer: Signer;
  readonly issuer: string;
  readonly bbsKey: IssuerBbsKey;
  readonly templateId: string;
  /** In its newest version. */
  readonly template: GivenTemplate;
  readonly network: Pick<IssuanceOrder, 'ledger' | 'pins' | 'engine'>;
  readonly journal: Journal;
  readonly patiently: Patient;
  readonly mode: BulkMode;
  /** Of the mode `holder`. */
  readonly waiting?: WaitingApplications;
  /** Of the mode `reference`. */
  readonly offers?: OffersByReference;
  /** Of the mode `keys`. */
  readonly holderKey?: (holder: string) => Promise<Signer>;
  readonly settleMs?: number;
}

export type RowOutcome =
  | { readonly vcId: string; readonly tx: string | undefined }
  /** Nobody has accepted its offer yet. */
  | { readonly isWaiting: true }
  /** The column is named by whoever knows the file. */
  | { readonly reason: string; readonly isAboutSubject: boolean };

/** No credential comes of this row, for a reason of its own. */
class RowRefused extends Error {
  override name = 'RowRefused';
  /** False when nobody knows yet: then the next run finds out. */
  readonly isFinal: boolean;
  readonly isAboutSubject: boolean;
  constructor(reason: string, { isFinal = true, isAboutSubject = false } = {}) {
    super(reason);
    this.isFinal = isFinal;
    this.isAboutSubject = isAboutSubject;
  }
}

/** Throws what concerns every row, such as a service that is away or a key that is not allowed to issue. */
export async function issueRow(
  parts: IssuingParts,
  row: CheckedRow,
  progress: RowProgress | undefined,
): Promise<RowOutcome> {
  const { journal, mode } = parts;
  const key = journal.keyOf(row);
  const entry = { row: row.row, key };
  let vcId = knownApplication(parts, progress);
  if (vcId === undefined && isOfferOpen(parts, row)) return { isWaiting: true };
  try {
    let shown = vcId === undefined ? undefined : await fetchApplication(parts, vcId);
    const isIssued = shown !== undefined && isIssuedAlready(shown);
    if (vcId === undefined) {
      const found = await findApplication(parts, row, key);
      ({ vcId, shown } = found);
      await journal.append({ ...entry, state: 'applied', vcId });
    }
    if (!isIssued) await approve(parts, row, { vcId, shown, key });
    const tx = await transactionOf(parts, vcId);
    await journal.append({ ...entry, state: 'issued', vcId, ...(tx !== undefined && { tx }) });
    return { vcId, tx };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const { isFinal, message: reason, isAboutSubject } = refusal;
    // An application that was made for this row stays the row's.
    const kept = mode === 'keys' && vcId !== undefined ? { vcId } : {};
    if (isFinal) await journal.append({ ...entry, state: 'failed', ...kept });
    return { reason, isAboutSubject };
  }
}

function knownApplication({ mode }: IssuingParts, progress: RowProgress | undefined): string | undefined {
  if (!progress?.isSameRow) return undefined;
  // After a refusal an application that was made elsewhere is looked at anew.
  return progress.state === 'applied' || mode === 'keys' ? progress.vcId : undefined;
}

type ShownApplication = CredentialReply<'getApplication'>;

interface FoundApplication {
  readonly vcId: string;
  /** As the service shows it; absent where the command has just made it. */
  readonly shown: ShownApplication | undefined;
}

const fetchApplication = ({ client, patiently }: IssuingParts, vcId: string): Promise<ShownApplication> =>
  patiently(() => client.getApplication({ vcId }));

function findApplication(parts: IssuingParts, row: CheckedRow, key: string): Promise<FoundApplication> {
  switch (parts.mode) {
    case 'application':
      return requirePending(parts, row.subject, row.holder);
    case 'holder': {
      const vcId = parts.waiting?.get(row.subject);
      if (vcId !== undefined) return requirePending(parts, vcId, row.subject);
      const reason = 'no application of this holder waits for this template';
      throw new RowRefused(reason, { isAboutSubject: true });
    }
    case 'reference':
      return requirePending(parts, acceptedOnce(parts, row));
    case 'keys':
      return apply(parts, row, key);
  }
}

const isOfferOpen = ({ offers }: IssuingParts, { subject }: CheckedRow): boolean =>
  offers?.get(subject)?.accepted.length === 0;

/** The application of the one offer with the row's reference: of two, the row does not say which person it means. */
function acceptedOnce({ offers }: IssuingParts, { subject }: CheckedRow): string {
  const [only, ...others] = offers?.get(subject)?.accepted ?? [];
  const refuse = (reason: string) => new RowRefused(reason, { isAboutSubject: true });
  if (!only)
    throw refuse('no offer with this reference is open or waits to be issued: it has ended, or is issued');
  if (others.length === 0) return only.vcId;
  const ids = [only, ...others].map(({ offerId }) => offerId);
  const count = ids.length === 2 ? 'two' : String(ids.length);
  throw refuse(
    `${count} offers with this reference were accepted (offer ids ${ids.slice(0, offerIdsTold).join(', ')}): issue the right one with vc issue`,
  );
}

const offerIdsTold = 5;

/** Only what was seen waiting is taken for this row's: what was issued before is somebody else's doing. */
async function requirePending(parts: IssuingParts, vcId: string, holder?: string): Promise<FoundApplication> {
  const application = await fetchApplication(parts, vcId);
  const refuse = (reason: string) => new RowRefused(reason, { isAboutSubject: true });
  if (application.templateId !== parts.templateId)
    throw refuse('the application is for another template: templateId');
  // Values of one person must not become the credential of another.
  if (holder !== undefined && application.holder !== holder)
    throw refuse("the application is another holder's than the row says");
  if (application.status !== 'Pending')
    throw refuse(`the application is ${application.status.toLowerCase()} already`);
  return { vcId, shown: application };
}

/** In the form without a moment: what a lost journal makes this command ask again must be the same request. */
async function apply(parts: IssuingParts, row: CheckedRow, key: string): Promise<FoundApplication> {
  const { holderClient, patiently, templateId, journal, holderKey } = parts;
  const signer = await holderKey?.(row.subject);
  if (!signer) throw new HolderKeyMissing("there is no folder with holders' keys");
  await journal.append({ row: row.row, key, state: 'begun' });
  const options = { idempotencyKey: `${key}-apply` };
  const metadata = Object.entries(row.values).map(([name, value]) => ({ key: name, value }));
  const signature = await signer.sign(encodeUtf8(canonicalJson({ templateId, metadata })));
  const signData = encodeHex(signature);
  const body = { templateId, metadata, signData, holderPublicKey: signer.publicKey };
  const { vcId } = await patiently(() => holderClient.applyForCredential(body, options));
  return { vcId, shown: undefined };
}

interface Approval extends FoundApplication {
  readonly key: string;
}

type SaidOrder = Pick<IssuanceOrder, 'vcId' | 'holder' | 'templateId' | 'templateVersion' | 'attributes'>;

/** What the row orders. Whatever it does not say itself is what the holder signed. */
async function orderOf(parts: IssuingParts, row: CheckedRow, { vcId, shown }: Approval): Promise<SaidOrder> {
  const { templateId, template, mode, client } = parts;
  const templateVersion = shown?.templateVersion ?? template.version;
  const saysAll = template.credentialFormat.every(({ key }) => Object.hasOwn(row.values, key));
  const holder = mode === 'application' || mode === 'reference' ? row.holder : row.subject;
  if (holder !== undefined && (mode === 'keys' || saysAll))
    return { vcId, holder, templateId, templateVersion, attributes: row.values };
  const application = await verifyApplication(shown ?? (await fetchApplication(parts, vcId)), client);
  const isTheRows = application.vcId === vcId && application.templateId === templateId;
  if (!isTheRows || (holder !== undefined && application.holder !== holder))
    throw new RowRefused('the application is another than the row says', { isAboutSubject: true });
  // What was offered is what the table says: anything else came in between.
  if (mode === 'reference' && !isSameValues(application.attributes, row.values))
    throw new RowRefused('the holder accepted other values than the row says');
  return { ...application, attributes: { ...application.attributes, ...row.values } };
}

const isSameValues = (left: CheckedRow['values'], right: CheckedRow['values']): boolean =>
  canonicalJson({ ...left }) === canonicalJson({ ...right });

async function approve(parts: IssuingParts, row: CheckedRow, approval: Approval): Promise<void> {
  const { client, patiently, signer, bbsKey, journal, template, network } = parts;
  const { vcId, key } = approval;
  const keyed = {
    ...client,
    createCredential: (...[body]: Parameters<CredentialClient['createCredential']>) =>
      patiently(() => client.createCredential(body, { idempotencyKey: `${key}-create` })),
    submitCredential: (...[body]: Parameters<CredentialClient['submitCredential']>) =>
      patiently(() => client.submitCredential(body, { idempotencyKey: `${key}-submit` })),
  } as CredentialClient;
  const said = await orderOf(parts, row, approval);
  // An application keeps the version that was the newest when it was made.
  const known = said.templateVersion === template.version ? { template } : {};
  const terms = { expiredDate: journal.validUntil, signer, bbsKey, ...network, ...known };
  try {
    await issueCredential(keyed, { ...said, ...terms });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'stateForbids') throw error;
    await waitUntilIssued(parts, vcId, error);
  }
}

/** An earlier request may have got through, and its credential may be on its way to the ledger. */
async function waitUntilIssued(parts: IssuingParts, vcId: string, refusal: ServiceError): Promise<void> {
  const end = performance.now() + (parts.settleMs ?? bulkLimits.settleMs);
  while (!isIssuedAlready(await fetchApplication(parts, vcId))) {
    if (performance.now() >= end) throw new RowRefused(lowerFirst(refusal.detail), { isFinal: false });
    await sleep(bulkLimits.settlePollMs);
  }
}

function isIssuedAlready({ status }: ShownApplication): boolean {
  if (status === 'Rejected') throw new RowRefused('the application was rejected meanwhile');
  return status === 'Issued' || status === 'Suspended' || status === 'Revoked';
}

/** Good to know and nothing depends on it: the credential is issued. */
async function transactionOf({ client, issuer }: IssuingParts, vcId: string): Promise<string | undefined> {
  const found = await client.getCredentialStatus({ vcId, issuer }).catch(() => undefined);
  return found?.txHash ?? undefined;
}

/** Refusals that are no row's own: the next row would meet them too. */
const commonRefusals: ReadonlySet<string> = new Set([
  'notAuthenticated',
  'notAllowed',
  'keyNotPublished',
  'templateUnknown',
  'validityInvalid',
  'signerMismatch',
  'routeUnknown',
]);

function refusalOf(error: unknown): RowRefused | undefined {
  if (error instanceof RowRefused) return error;
  if (error instanceof HolderKeyMissing) return new RowRefused(error.message, { isAboutSubject: true });
  // Nothing was signed for this row, and another run may ask another server.
  if (error instanceof SdkError && error.code === 'notAsOrdered')
    return new RowRefused(error.message, { isFinal: false });
  if (!(error instanceof ServiceError) || isAway(error) || commonRefusals.has(error.code)) return undefined;
  const places = error.errors.map(({ detail }) => detail);
  const reason = places.length > 0 ? places.join('; ') : lowerFirst(error.detail);
  // What failed inside the service may be done all the same.
  return new RowRefused(`${reason} (${error.code})`, { isFinal: error.status < 500 });
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
