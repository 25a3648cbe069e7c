/**
 * Issues what was applied for: the flow of the SDK, which signs what was ordered and nothing else, with the issuer's key
 * as the ledger has it. Afterwards the service is asked where it was recorded: nothing is called recorded before. Where no
 * answer came, it is asked whether it was issued.
 */
import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { issueCredential } from '@symbolon/sdk/flows/issuer-flows';
import { didOfSigner } from '@symbolon/sdk/keys/signer';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { type ReadApplication, readApplication } from '@symbolon/sdk/verification/applications';
import { readIssuingKey } from '@symbolon/sdk/verification/issuing-key';
import { workerEngine } from '../../../proofs/worker-engine.ts';
import { answerOrLook, OutcomeUnknown } from '../acting/lost-answer.ts';
import type { SigningDesk } from '../issuer-desk.ts';
import type { ReadValidity } from '../validity/read-validity.ts';

/** What became of it on the ledger. */
export interface OnLedger {
  readonly vcId: string;
  readonly txHash: string | null;
  /** Undefined where the service has not said which one. */
  readonly block: number | undefined;
  readonly requestId: string | undefined;
  /** Not by what was done here: somebody else had issued it. */
  readonly isOthers?: boolean;
}

export type IssueOrder = ReadApplication & ReadValidity;

export interface IssuingRun {
  /** `before`: what the last attempt at the same ended with. */
  readonly issue: (order: IssueOrder, before: unknown) => Promise<OnLedger>;
  /** As it was applied for; the holder's signature is verified first. */
  readonly issueAsApplied: (vcId: string, terms: ReadValidity, before: unknown) => Promise<OnLedger>;
}

/** One for everything that is issued in one go: the key is fetched once. */
export async function beginIssuing({ client, ledger, signer }: SigningDesk): Promise<IssuingRun> {
  const publicKeyMultibase = await readIssuingKey({ ledger }, didOfSigner(signer), Date.now());
  if (publicKeyMultibase === undefined) throw noKey();
  const issue = async ({ validUntil, validFrom, ...application }: IssueOrder): Promise<OnLedger> => {
    let requestId: string | undefined;
    await issueCredential(
      client,
      {
        ...application,
        signer,
        bbsKey: { publicKeyMultibase },
        expiredDate: validUntil,
        ...(validFrom !== undefined && { validFrom }),
        engine: workerEngine,
      },
      {
        onHeaders: (headers) => {
          requestId = headers['x-request-id'];
        },
      },
    );
    const { vcId } = application;
    // It is issued by now: what fails here is only that nobody says where.
    const told = await client.getIssued({ vcId }).catch(() => undefined);
    return { ...recordOf(told), vcId, requestId };
  };
  const surely = (vcId: string, before: unknown, act: () => Promise<OnLedger>): Promise<OnLedger> =>
    answerOrLook({ act, look: () => lookForIssued(client, vcId), before });
  return {
    issue: (order, before) => surely(order.vcId, before, () => issue(order)),
    issueAsApplied: async (vcId, terms, before) => {
      try {
        return await surely(vcId, before, async () =>
          issue({ ...(await readApplication(client, { vcId })), ...terms }),
        );
      } catch (error) {
        const found = isDecided(error) ? await lookForIssued(client, vcId).catch(() => undefined) : undefined;
        if (found === undefined) throw error;
        // What was done here, and answered to nobody, is one's own.
        return { ...found, isOthers: !(before instanceof OutcomeUnknown) };
      }
    },
  };
}

/** Whether somebody has decided on the application before: to try it again is in vain. */
export const isDecided = (error: unknown): boolean =>
  error instanceof SdkError && error.code === 'applicationDecided';

type IssuedNow = CredentialReply<'getIssued'>;

const recordOf = (told: IssuedNow | undefined): Pick<OnLedger, 'txHash' | 'block'> => ({
  txHash: told?.txHash ?? null,
  block: told?.ledgerSeq ? Number(told.ledgerSeq) : undefined,
});

/** What became of an application, if the ledger itself says that its credential was recorded. */
async function lookForIssued(client: SigningDesk['client'], vcId: string): Promise<OnLedger | undefined> {
  try {
    const told = await client.getIssued({ vcId });
    if (told.asOf.source !== 'ledger' || told.status === 'Missing') return undefined;
    return { ...recordOf(told), vcId, requestId: undefined };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'credentialUnknown') return undefined;
    throw error;
  }
}

const noKey = (): SdkError =>
  new SdkError('invalidArgument', "the issuer's identifier has no BBS+ key on the ledger to issue with", {
    hint: 'Publish one under Keys. Nothing was signed.',
    members: ['bbsKey'],
  });
