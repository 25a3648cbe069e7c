/** The steps of a life on the ledger, oldest first; what the ledger does not tell is left out. Pure. */
import type { CredentialDeed } from '@symbolon/sdk/sentences/registry-sayings';

export interface LifeStep {
  readonly name: 'issued' | 'active' | 'suspended' | 'revoked' | 'executed' | 'failed' | 'signed';
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly block?: number;
  /** It is the transaction of the page. */
  readonly isThis?: boolean;
  readonly isWaiting?: boolean;
}

export interface ExecutionFacts {
  readonly block: number;
  readonly at: number;
  readonly hasFailed: boolean;
}

/** In its block, and then signed by whoever makes blocks: the block after it carries the signatures. */
export function transactionLife(
  { block, at, hasFailed }: ExecutionFacts,
  newest: number | undefined,
): readonly LifeStep[] {
  const isSigned = newest !== undefined && newest > block;
  return [
    { name: hasFailed ? 'failed' : 'executed', at, block, isThis: true },
    { name: 'signed', block: block + 1, ...(!isSigned && { isWaiting: true }) },
  ];
}

interface CredentialTold {
  readonly status: 'Active' | 'Suspended' | 'Revoked';
  /** `ledgerSeq`: the block of the last change. */
  readonly record: { readonly issuedAt: string; readonly ledgerSeq: string | null };
}

/** A transaction, and what it asked the registry to do with the credential. */
export interface ExecutedDeeds extends ExecutionFacts {
  readonly deeds: readonly CredentialDeed[];
}

const changes = {
  Active: { name: 'active', deed: 'reinstate' },
  Suspended: { name: 'suspended', deed: 'suspend' },
  Revoked: { name: 'revoked', deed: 'revoke' },
} as const;

/** When it was issued and how it stands; between the two more may have happened, which the ledger's record leaves out. */
export function credentialLife({ status, record }: CredentialTold, act: ExecutedDeeds): readonly LifeStep[] {
  const { block, at, hasFailed } = act;
  const deeds = hasFailed ? [] : act.deeds;
  const issuedAt = Date.parse(record.issuedAt);
  const changedIn = record.ledgerSeq === null ? undefined : Number(record.ledgerSeq);
  // What is on the ledger already may be handed in again, which does nothing. Blocks have microseconds, and what is told
  // of them whole seconds or milliseconds.
  const isRepeated = Math.abs(issuedAt - at) >= 1_000 || (changedIn !== undefined && changedIn < block);
  const isIssuing = deeds.includes('issue') && !isRepeated;
  const isLast = changedIn === block;
  const { name, deed } = changes[status];
  const issued: LifeStep = {
    name: 'issued',
    at: issuedAt,
    ...(isIssuing && { block, isThis: true }),
  };
  if (status === 'Active' && isIssuing && isLast) return [issued];
  const isThis = isLast && deeds.includes(deed);
  return [
    issued,
    {
      name,
      ...(changedIn !== undefined && { block: changedIn }),
      ...(isThis && { at, isThis }),
    },
  ];
}
