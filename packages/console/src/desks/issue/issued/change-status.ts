/** Revokes, suspends or reinstates by the flows of the SDK, and asks afterwards which block has it. */
import { reinstateCredential, revokeCredential, suspendCredential } from '@symbolon/sdk/flows/issuer-flows';
import type { OnLedger } from '../applications/issue-application.ts';
import type { SigningDesk } from '../issuer-desk.ts';

const flows = {
  revoke: revokeCredential,
  suspend: suspendCredential,
  reinstate: reinstateCredential,
} as const;
export type StatusAct = keyof typeof flows;

/** Resolves when the ledger has executed it. */
export async function changeStatus(
  { client, ledger, signer }: SigningDesk,
  act: StatusAct,
  { vcId, reason }: { readonly vcId: string; readonly reason: string },
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
