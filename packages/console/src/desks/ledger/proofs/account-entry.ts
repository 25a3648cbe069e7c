/**
 * All of an account that a page shows, in one spelling, so that what a node answers can be compared with what it proves:
 * whoever believes that the balance is proven believes the same of who signs and of the code beside it. Pure.
 */
export interface AccountEntry {
  readonly kind: 'account';
  readonly balance: bigint;
  readonly nonce: bigint;
  /** Who signs, with which weight, and how much is needed. */
  readonly control: string;
  /** Code and owner of a contract; empty where there is none. */
  readonly contract: string;
}

export interface ControlParts {
  readonly signers: readonly { readonly address: string; readonly weight: bigint }[];
  readonly needed: bigint;
  readonly types: readonly { readonly type: number; readonly needed: bigint }[];
}

export const controlText = ({ signers, needed, types }: ControlParts): string =>
  JSON.stringify([
    signers.map(({ address, weight }) => `${address} ${weight}`).sort(),
    String(needed),
    types.map((one) => `${one.type} ${one.needed}`).sort(),
  ]);

export const contractText = ({ code = '', owner = '' }: { code?: string; owner?: string }): string =>
  code === '' ? '' : JSON.stringify([code, owner]);
