/**
 * One row becomes one credential: its application is found, held against the holder's signature, approved with what the
 * row says, signed here and recorded. An application becomes one credential and no more, so a row that is tried again is
 * never issued twice.
 */

import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { type IssuanceOrder, issueCredential } from '@symbolon/sdk/flows/issuer-flows';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { verifyApplication } from '@symbolon/sdk/verification/applications';
import type { Issuing } from '../acting/issuing.ts';
import { tableLimits } from './bulk-limits.ts';
import type { RowOutcomeTold } from './row-outcomes.ts';
import { isIssuedState } from './row-outcomes.ts';
import type { FitRow } from './table-check.ts';

export interface IssuingTerms extends Issuing, Pick<IssuanceOrder, 'signer' | 'bbsKey' | 'engine'> {
  readonly templateId: string;
  /** Applications that wait, by holder. */
  readonly waiting: ReadonlyMap<string, string>;
  readonly expiredDate: string;
}

type Shown = CredentialReply<'getApplication'>;

export interface RowMemory {
  /** The application that an earlier run began with, whose end is not known. */
  readonly begun: string | undefined;
  /** Told before anything is signed. */
  readonly onBegun: (vcId: string) => Promise<void>;
}

export async function issueFitRow(
  terms: IssuingTerms,
  row: FitRow,
  { begun, onBegun }: RowMemory,
): Promise<RowOutcomeTold> {
  const { client, templateId, waiting } = terms;
  // What was begun may be issued by now, and then waits no more.
  const vcId = row.application ?? waiting.get(row.holder ?? '') ?? begun;
  if (vcId === undefined) return { state: 'failed', code: 'noneWaits' };
  const shown = await patiently(() => client.getApplication({ vcId }));
  if (shown.templateId !== templateId) return { state: 'failed', code: 'otherTemplate' };
  // Values of one person must not become the credential of another.
  if (row.holder !== undefined && shown.holder !== row.holder)
    return { state: 'failed', code: 'otherHolder' };
  if (isIssuedState(shown.status)) return issuedOutcome(terms, vcId, 'before');
  if (shown.status === 'Rejected') return { state: 'failed', code: 'rejected' };
  await onBegun(vcId);
  try {
    await issue(terms, row, shown);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'stateForbids') throw error;
    // An earlier request may have got through, and its credential may be on its way to the ledger.
    if (!(await isIssuedSoon(terms, vcId))) throw error;
  }
  return issuedOutcome(terms, vcId, 'issued');
}

async function issue(terms: IssuingTerms, row: FitRow, shown: Shown): Promise<void> {
  const { client, ledger, pins, signer, bbsKey, engine, expiredDate } = terms;
  // What the row leaves to the holder is what the holder has signed.
  const application = await verifyApplication(shown, client);
  const order = {
    ...application,
    attributes: { ...application.attributes, ...row.values },
    expiredDate,
    signer,
    bbsKey,
    engine,
    ledger,
    pins,
  };
  await patiently(() => issueCredential(client, order));
}

/** Said to be recorded only where the service says in which transaction. */
export async function issuedOutcome(
  { client }: IssuingTerms,
  vcId: string,
  state: 'issued' | 'before',
): Promise<RowOutcomeTold> {
  const found = await client.getIssued({ vcId }).catch(() => undefined);
  return {
    state,
    vcId,
    ...(found && { txHash: found.txHash }),
    ...(found?.ledgerSeq && { block: Number(found.ledgerSeq) }),
  };
}

async function isIssuedSoon({ client }: IssuingTerms, vcId: string): Promise<boolean> {
  const end = performance.now() + tableLimits.settleMs;
  while (performance.now() < end) {
    const { status } = await patiently(() => client.getApplication({ vcId }));
    if (isIssuedState(status)) return true;
    await pauseFor(tableLimits.settlePollMs);
  }
  return false;
}

const pauseFor = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The service answers and wants to be asked later, or somebody does not answer for a moment. */
const passingCodes: ReadonlySet<string> = new Set([
  'tooManyRequests',
  'overloaded',
  'requestInProgress',
  'unreachable',
  'timedOut',
  'ledgerUnreachable',
]);

export const codeOfFailure = (error: unknown): string =>
  error instanceof ServiceError || error instanceof SdkError ? error.code : '';

/** Asks again where that can help. Every call that is made through here may be made twice. */
async function patiently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= tableLimits.attemptsMax || !passingCodes.has(codeOfFailure(error))) throw error;
      const told = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
      const pause = told === undefined ? tableLimits.pauseMs * 2 ** (attempt - 1) : told * 1_000;
      await pauseFor(Math.min(pause, tableLimits.pauseMsMax));
    }
  }
}
