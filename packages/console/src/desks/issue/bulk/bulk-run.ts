/**
 * A run over a table: a few rows at a time, each outcome told as it comes and remembered before the next row is begun.
 * What concerns every row, such as a service that is gone, ends it; the same table goes on where it ended.
 */
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { Signer } from '@symbolon/sdk/keys/signer';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { readPages } from '@symbolon/sdk/service/pages';
import { workerEngine } from '../../../proofs/worker-engine.ts';
import type { Issuing } from '../acting/issuing.ts';
import { tableLimits } from './bulk-limits.ts';
import { type RememberedRow, recallRow, rememberRow } from './bulk-memory.ts';
import { codeOfFailure, type IssuingTerms, issuedOutcome, issueFitRow } from './issue-row.ts';
import { rowMarks } from './row-marks.ts';
import type { OutcomeLine, RowOutcomeTold } from './row-outcomes.ts';
import type { FitRow } from './table-check.ts';

export interface RunTerms {
  /** The end of the last day on which the credentials are good. */
  readonly validUntil: string;
  /** Whether only what an earlier run has begun or issued is looked up. */
  readonly isLook: boolean;
}

export interface BulkOrder extends RunTerms {
  readonly issuing: Issuing;
  readonly signer: Signer;
  readonly templateId: string;
  readonly rows: readonly FitRow[];
  readonly onOutcome: (line: OutcomeLine) => void;
  readonly isStopped: () => boolean;
}

export const subjectOfRow = ({ holder, application }: FitRow): string => application ?? holder ?? '';

/** Refusals that are no row's own: the next row would meet them, too. */
const commonCodes: ReadonlySet<string> = new Set([
  'notAuthenticated',
  'notAllowed',
  'keyNotPublished',
  'templateUnknown',
  'validityInvalid',
  'signerMismatch',
  'unreachable',
  'timedOut',
  'ledgerUnreachable',
  'tooManyRequests',
]);

export async function runTable(order: BulkOrder): Promise<void> {
  const { issuing, signer, templateId, rows, validUntil, isLook, onOutcome, isStopped } = order;
  const { client } = issuing;
  const [markOf, waiting, bbsKey] = await Promise.all([
    rowMarks(signer, templateId),
    isLook ? new Map<string, string>() : waitingByHolder(client, templateId),
    publishedKey(client),
  ]);
  const terms = {
    ...issuing,
    signer,
    bbsKey,
    engine: workerEngine,
    templateId,
    waiting,
    expiredDate: validUntil,
  };
  const queue = rows.values();
  let broken: unknown;
  const work = async (): Promise<void> => {
    for (const row of queue) {
      if (isStopped() || broken !== undefined) return;
      const mark = markOf(row);
      const known = await recallRow(mark);
      try {
        const remember = (facts: Omit<RememberedRow, 'mark' | 'at'>): Promise<void> =>
          rememberRow({ ...facts, mark, at: Date.now() });
        const outcome = await outcomeOf(terms, row, known, remember);
        if (outcome.state !== 'failed' && known?.block === undefined)
          await remember({ ...withoutState(outcome), isIssued: true });
        onOutcome({ line: row.line, subject: subjectOfRow(row), outcome });
      } catch (error) {
        if (commonCodes.has(codeOfFailure(error)) || codeOfFailure(error) === '') {
          broken ??= error;
          return;
        }
        const outcome = { state: 'failed', reason: reasonIn(error) } as const;
        onOutcome({ line: row.line, subject: subjectOfRow(row), outcome });
      }
    }
  };
  await Promise.all(Array.from({ length: tableLimits.concurrency }, work));
  if (broken !== undefined) throw broken;
}

/** What is known to be issued, with its block, is not asked for again. */
async function outcomeOf(
  terms: IssuingTerms,
  row: FitRow,
  known: RememberedRow | undefined,
  remember: (facts: Omit<RememberedRow, 'mark' | 'at'>) => Promise<void>,
): Promise<RowOutcomeTold> {
  if (known?.isIssued)
    return known.block === undefined
      ? issuedOutcome(terms, known.vcId, 'before')
      : { state: 'before', ...withoutState(known) };
  return issueFitRow(terms, row, {
    begun: known?.vcId,
    onBegun: (vcId) => remember({ vcId, isIssued: false }),
  });
}

const withoutState = ({ vcId, txHash, block }: Pick<RememberedRow, 'vcId' | 'txHash' | 'block'>) => ({
  vcId,
  ...(txHash !== undefined && { txHash }),
  ...(block !== undefined && { block }),
});

/** Values are not in it: complaints never repeat them. */
function reasonIn(error: unknown): string {
  if (error instanceof ServiceError) {
    const places = error.errors.map(({ detail }) => detail).join('; ');
    return `${places === '' ? error.detail : places} (${error.code})`;
  }
  return error instanceof SdkError ? `${error.message} (${error.code})` : '';
}

/** Applications that wait for this template, by whose they are: a holder has at most one. */
export async function waitingByHolder(
  client: Pick<CredentialClient, 'listApplications'>,
  templateId: string,
): Promise<ReadonlyMap<string, string>> {
  const waiting = new Map<string, string>();
  for (const status of ['Approved', 'Pending'] as const) {
    const question = { templateId, status, limit: String(credentialRequestLimits.pageItemsMax) };
    const pages = readPages({
      ask: (cursor) => client.listApplications({ ...question, ...(cursor !== undefined && { cursor }) }),
      next: ({ nextCursor }) => nextCursor,
    });
    for await (const { applications } of pages)
      for (const { holder, vcId } of applications) waiting.set(holder, vcId);
  }
  return waiting;
}

/** The newest key that the service keeps and the ledger shows. */
async function publishedKey(client: Pick<CredentialClient, 'listIssuerKeys'>) {
  const { bbsKeys } = await client.listIssuerKeys();
  const found = bbsKeys.find(({ isPublished }) => isPublished === true);
  if (found) return { publicKeyMultibase: found.publicKeyMultibase };
  const hint = 'Make and publish one under Keys.';
  throw new SdkError('invalidArgument', 'no BBS+ key that the service keeps is published', { hint });
}
