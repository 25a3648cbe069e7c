/** The steps of a life on the ledger, oldest first; what the ledger does not tell is left out. Pure. */

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

const changes = { Active: 'active', Suspended: 'suspended', Revoked: 'revoked' } as const;

/** When it was issued and how it stands; between the two more may have happened, which the ledger's record leaves out. */
export function credentialLife(
  { status, record }: CredentialTold,
  executed: ExecutionFacts,
): readonly LifeStep[] {
  const issuedAt = Date.parse(record.issuedAt);
  const changedIn = record.ledgerSeq === null ? undefined : Number(record.ledgerSeq);
  // Blocks have microseconds, what is told of them whole seconds or milliseconds.
  const isIssuing = !executed.hasFailed && Math.abs(issuedAt - executed.at) < 1_000;
  const isLast = changedIn === executed.block;
  const isUnchanged = status === 'Active' && isIssuing && isLast;
  const issued: LifeStep = {
    name: 'issued',
    at: issuedAt,
    ...(isIssuing && { block: executed.block, isThis: true }),
  };
  if (isUnchanged) return [issued];
  const isThis = isLast && !isIssuing && !executed.hasFailed;
  return [
    issued,
    {
      name: changes[status],
      ...(changedIn !== undefined && { block: changedIn }),
      ...(isThis && { at: executed.at, isThis }),
    },
  ];
}
