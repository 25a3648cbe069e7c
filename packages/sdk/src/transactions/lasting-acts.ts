/**
 * What a transaction does for good in the name of an account: changes of its DID and its contracts, and calls of registries
 * of credentials.
 * Whoever signs has to know, however many other operations stand before it.
 */
import { statusChanges } from '@symbolon/core/credential/registry-calls';
import { type DidChange, didLogKey, parseDidLogEntry } from '@symbolon/core/did/did-log';
import type { Operation, SetMetadata, Transaction } from '@symbolon/core/proto/ledger_pb';
import { callOf } from '../sentences/contract-call.ts';
import type { KnownRegistries } from '../sentences/teller.ts';

/** What the registries' contracts do for an account that calls them. */
const registryActs = ['issue', 'addTemplate', 'anchorAudit', ...statusChanges] as const;
export type RegistryAct = (typeof registryActs)[number];

export type LastingAct =
  /** The identifier is given up, keys that speak for it change, or something else of its document does. */
  | { readonly kind: 'didEnd' | 'didKeys' | 'didChange'; readonly address: string }
  /** A contract gets other code or another owner. */
  | { readonly kind: 'upgrade'; readonly address: string; readonly contract: string }
  /** `act` undefined: nothing that this reader knows the registry to do. */
  | { readonly kind: 'registry'; readonly address: string; readonly act: RegistryAct | undefined }
  /** A contract that the reader does not know is told what one tells a registry: it may be one. */
  | {
      readonly kind: 'likeRegistry';
      readonly address: string;
      readonly act: RegistryAct;
      readonly contract: string;
    };

/** Each once, in the order of the operations. */
export function lastingActs(
  { sourceAddress, operations }: Pick<Transaction, 'sourceAddress' | 'operations'>,
  registries: KnownRegistries | undefined,
): readonly LastingAct[] {
  const acts = new Map<string, LastingAct>();
  for (const operation of operations) {
    const address = operation.sourceAddress || sourceAddress;
    const act =
      didAct(address, operation.setMetadata) ??
      upgradeAct(address, operation.upgradeContract) ??
      registryAct(address, operation, Object.values(registries ?? {}));
    if (act) acts.set(JSON.stringify(act), act);
  }
  return [...acts.values()];
}

function didAct(address: string, entry: SetMetadata | undefined): LastingAct | undefined {
  if (entry?.key !== didLogKey) return undefined;
  const changes = parseDidLogEntry(entry.value)?.changes ?? [];
  const has = (...kinds: readonly DidChange['change'][]): boolean =>
    changes.some(({ change }) => kinds.includes(change));
  if (has('deactivate')) return { kind: 'didEnd', address };
  return { kind: has('publishKey', 'endKey') ? 'didKeys' : 'didChange', address };
}

const upgradeAct = (address: string, upgrade: Operation['upgradeContract']): LastingAct | undefined =>
  upgrade && { kind: 'upgrade', address, contract: upgrade.destAddress };

function registryAct(
  address: string,
  { payCoin, payAsset }: Operation,
  registries: readonly string[],
): LastingAct | undefined {
  const payment = payCoin ?? payAsset;
  if (!payment?.input) return undefined;
  const { destAddress: contract, input } = payment;
  const method = callOf(input)?.method;
  const act = registryActs.find((one) => one === method);
  if (registries.includes(contract)) return { kind: 'registry', address, act };
  return act && { kind: 'likeRegistry', address, act, contract };
}
