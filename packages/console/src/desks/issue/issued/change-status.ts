/**
 * Revokes, suspends or reinstates by the flows of the SDK, and asks afterwards which block has it; where no answer came,
 * also whether it was done.
 */
import { reinstateCredential, revokeCredential, suspendCredential } from '@symbolon/sdk/flows/issuer-flows';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { answerOrLook } from '../acting/lost-answer.ts';
import type { OnLedger } from '../applications/issue-application.ts';
import type { SigningDesk } from '../issuer-desk.ts';

const flows = {
  revoke: revokeCredential,
  suspend: suspendCredential,
  reinstate: reinstateCredential,
} as const;
export type StatusAct = keyof typeof flows;

export type IssuedNow = CredentialReply<'getIssued'>;

/** How it stands once the ledger has executed the act; one that ran out while it was suspended is not active again. */
const standings: Readonly<Record<StatusAct, readonly IssuedNow['status'][]>> = {
  revoke: ['Revoked'],
  suspend: ['Suspended'],
  reinstate: ['Active', 'Expired'],
};

/** Where the ledger has the act, if a credential stands as it wanted by the ledger's own word. */
export function standingAfter(act: StatusAct, told: IssuedNow): OnLedger | undefined {
  if (told.asOf.source !== 'ledger' || !standings[act].includes(told.status)) return undefined;
  const [last] = told.history;
  const seq = last?.act === act ? last.ledgerSeq : told.changedInLedgerSeq;
  return {
    vcId: told.vcId,
    txHash: last?.act === act ? last.txHash : null,
    block: seq ? Number(seq) : undefined,
    requestId: undefined,
  };
}

export interface StatusWish {
  readonly vcId: string;
  readonly reason: string;
  /** What the last attempt at the same ended with. */
  readonly before: unknown;
}

/** Resolves when the ledger has executed it. */
export function changeStatus(
  desk: SigningDesk,
  act: StatusAct,
  { before, ...order }: StatusWish,
): Promise<OnLedger> {
  return answerOrLook({
    act: () => runFlow(desk, act, order),
    look: async () => standingAfter(act, await desk.client.getIssued({ vcId: order.vcId })),
    before,
  });
}

async function runFlow(
  { client, ledger, signer }: SigningDesk,
  act: StatusAct,
  { vcId, reason }: Omit<StatusWish, 'before'>,
): Promise<OnLedger> {
  let requestId: string | undefined;
  const { txHash } = await flows[act](
    client,
    { signer, vcId, ledger, ...(reason !== '' && { remark: reason }) },
    {
      onHeaders: (headers) => {
        requestId = headers['x-request-id'];
      },
    },
  );
  // It is done by now: what fails here is only that nobody says where.
  const told = await client.getIssued({ vcId }).catch(() => undefined);
  const seq = told?.history.find((one) => one.txHash === txHash)?.ledgerSeq ?? undefined;
  return { vcId, txHash, block: seq === undefined ? undefined : Number(seq), requestId };
}
