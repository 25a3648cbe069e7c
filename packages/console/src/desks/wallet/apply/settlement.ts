/** What the service's word on a payment means for whoever sent it. Pure. */
import { paymentLimits } from '@symbolon/core/limits/payments';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';

type PaymentStatus = Pick<
  CredentialReply<'getPaymentStatus'>,
  'status' | 'outcome' | 'vcId' | 'txHash' | 'reason'
>;

export type PaymentStanding =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'issued'; readonly vcId: string; readonly txHash: string | null }
  | { readonly kind: 'failed'; readonly reason?: string; readonly txHash?: string };

/** `sentAt`: when the payment went out. */
export function readPaymentStanding(
  { status, outcome, vcId, txHash, reason }: PaymentStatus,
  sentAt: number,
  now: number,
): PaymentStanding {
  if (status === 'ISSUED' && vcId !== undefined) return { kind: 'issued', vcId, txHash: txHash ?? null };
  if (outcome === 'known' && status === 'FAILED')
    return {
      kind: 'failed',
      ...(reason !== undefined && { reason }),
      ...(txHash !== undefined && { txHash }),
    };
  // It may be on its way to the service as long as that takes it.
  const isTooLate = now - sentAt > paymentLimits.offerSeconds * 1_000;
  return status === 'REQUIRED' && outcome === 'known' && isTooLate ? { kind: 'failed' } : { kind: 'unknown' };
}
