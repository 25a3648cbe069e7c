/** Who has signed the last blocks: each block carries the commits to the one before it. */
import { ownerOfPublicKey } from '@symbolon/sdk/keys/key-owners';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';

const looked = 30;

export interface SignerShare {
  readonly address: string;
  /** Of the blocks that were looked at. */
  readonly signed: number;
}

export interface SignerShares {
  readonly blocks: number;
  readonly shares: readonly SignerShare[];
}

/** As `getLedgerValidators` names one: in a network, where the address only gets its fees, with the raw key in hex. */
export interface NamedValidator {
  readonly address: string;
  readonly public_key?: unknown;
}

/**
 * Whose commits stand in a consensus value: addresses and raw keys of those who signed; undefined where it has none.
 * They are counted here, not verified.
 */
function committersOf(value: unknown): ReadonlySet<string> | undefined {
  const plain = isJsonObject(value as JsonValue) ? (value as { previous_proof_plain?: JsonValue }) : {};
  const proof = plain.previous_proof_plain;
  if (!isJsonObject(proof)) return undefined;
  const commits = Array.isArray(proof.commits) ? proof.commits : [];
  const keys = commits.flatMap((commit) => {
    const signature = isJsonObject(commit) ? commit.signature : undefined;
    const key = isJsonObject(signature) ? signature.public_key : undefined;
    return typeof key === 'string' ? [key] : [];
  });
  return new Set(
    keys.flatMap((key) => {
      const owner = ownerOfPublicKey(key);
      return owner ? [owner.address, owner.publicKey] : [];
    }),
  );
}

export async function readSignerShares(
  ledger: Pick<LedgerClient, 'multiQuery'>,
  newest: number,
  validators: readonly NamedValidator[],
): Promise<SignerShares> {
  // The first block is signed by nobody, and the second carries no proof.
  const from = Math.max(3, newest - looked + 1);
  const numbers = Array.from({ length: Math.max(0, newest - from + 1) }, (_, at) => from + at);
  if (numbers.length === 0)
    return { blocks: 0, shares: validators.map(({ address }) => ({ address, signed: 0 })) };
  const items = numbers.map((seq) => ({ url: `getLedger?seq=${seq}&with_consvalue=true`, method: 'GET' }));
  const { results } = await ledger.multiQuery({ items });
  // What a network signed of its newest block is known a moment later.
  const signed = (results ?? []).flatMap(
    ({ result }) =>
      committersOf((result as { consensus_value?: unknown } | null | undefined)?.consensus_value) ?? [],
  );
  return {
    blocks: signed.length,
    shares: validators.map(({ address, public_key: key }) => ({
      address,
      signed: signed.filter((signers) => signers.has(typeof key === 'string' ? key : address)).length,
    })),
  };
}
