/**
 * What was typed into the form of a template and not handed in yet, for whoever leaves the form and comes back. It is
 * personal, so it is in memory alone, and gone with the vault that was open meanwhile.
 */
import type { OpenedVault } from '../../../vault/vaults.ts';
import type { Typed } from './typed-form.ts';

type Owner = Pick<OpenedVault, 'facts'>;

const kept = new WeakMap<Owner, ReadonlyMap<string, Typed>>();

export const typedBefore = (owner: Owner, templateId: string): Typed =>
  kept.get(owner)?.get(templateId) ?? {};

export function keepTyped(owner: Owner, templateId: string, typed: Typed): void {
  kept.set(owner, new Map([...(kept.get(owner) ?? []), [templateId, typed]]));
}
