/** Where something leads that a search has found; undefined where the explorer has no page for it. Pure. */
import { accountOfDid } from '@symbolon/sdk/keys/key-owners';
import { accountPath, blockPath, credentialPath, transactionPath } from '../written/paths.ts';

export type FoundPlaceKind = 'block' | 'transaction' | 'account' | 'did' | 'profile' | 'credential';

export interface Found {
  readonly kind: FoundPlaceKind;
  /** What it is called, where it has a name. */
  readonly name?: string;
  readonly id: string;
  readonly path: string;
}

interface ServiceResult {
  readonly kind: string;
  readonly target: string;
  readonly label: string;
}

/** Of the service, which knows names and DIDs. */
export function foundByService({ kind, target, label }: ServiceResult): Found | undefined {
  if (kind === 'block') return { kind, id: target, path: blockPath(BigInt(target)) };
  if (kind === 'transaction') return { kind, id: target, path: transactionPath(target) };
  if (kind === 'account') return { kind, id: target, path: accountPath(target) };
  if (kind === 'credential') return { kind, id: target, path: credentialPath(target) };
  if (kind !== 'did' && kind !== 'profile') return undefined;
  const address = accountOfDid(target);
  return address === undefined ? undefined : { kind, name: label, id: target, path: accountPath(address) };
}

interface NodeResult {
  readonly kind: 'block' | 'transaction' | 'account';
  readonly seq?: number | bigint | undefined;
  readonly hash?: string | undefined;
  readonly address?: string | undefined;
}

/** Of the node, which knows how hashes and addresses begin. */
export function foundByNode({ kind, seq, hash, address }: NodeResult): Found | undefined {
  if (kind === 'block' && seq !== undefined) return { kind, id: String(seq), path: blockPath(seq) };
  if (kind === 'transaction' && hash !== undefined) return { kind, id: hash, path: transactionPath(hash) };
  if (kind === 'account' && address !== undefined) return { kind, id: address, path: accountPath(address) };
  return undefined;
}

/** Each place once, the first of them. */
export function eachPlaceOnce(found: readonly (Found | undefined)[]): readonly Found[] {
  const seen = new Set<string>();
  return found.filter((one): one is Found => {
    if (!one || seen.has(one.path)) return false;
    seen.add(one.path);
    return true;
  });
}
