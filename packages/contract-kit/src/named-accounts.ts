/**
 * The people of a test chain by name. A name is all it takes: keys and addresses come from it, so that the same name
 * has the same address in every test, and can sign what a contract is to verify.
 */
import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import type { LedgerRules } from '@symbolon/core/ledger/terms/chain-parameters';
import { publicKeyOf, signEd25519 } from '@symbolon/ledger-node/signatures/ed25519';

export interface Person {
  readonly address: string;
  /** Encoded, as contracts get it. */
  readonly publicKey: string;
  /** The Ed25519 signature over bytes, or over a text's UTF-8, in hex. */
  sign(message: string | Uint8Array): string;
}

export class NamedAccounts {
  readonly #rules: Pick<LedgerRules, 'keys' | 'sha256'>;
  readonly #addresses = new Map<string, string>();
  #newcomer: { readonly name: string; address?: string } | undefined;

  constructor(rules: Pick<LedgerRules, 'keys' | 'sha256'>) {
    this.#rules = rules;
  }

  person(name: string): Person {
    const { keys, sha256 } = this.#rules;
    const seed = sha256(encodeUtf8(`test chain account ${name}`));
    const publicKey = publicKeyOf(seed);
    return {
      address: keys.addressOf(publicKey),
      publicKey: keys.encodePublicKey(publicKey),
      sign: (message) =>
        encodeHex(signEd25519(seed, typeof message === 'string' ? encodeUtf8(message) : message)),
    };
  }

  /** Gives an address a name of its own. */
  name(name: string, address: string): void {
    if (this.#addresses.has(name)) throw new Error(`There is a "${name}" already.`);
    this.#addresses.set(name, address);
  }

  /** The name of an address; the address itself where it has none. */
  nameOf(address: string): string {
    for (const [name, named] of this.#addresses) if (named === address) return name;
    if (!this.#newcomer) return address;
    this.#newcomer.address ??= address;
    return this.#newcomer.address === address ? this.#newcomer.name : address;
  }

  /** Works while somebody without an address yet is about to come: the first unknown address that is asked for. */
  expecting<Answer>(name: string | undefined, work: () => Answer): Answer {
    this.#newcomer = name === undefined ? undefined : { name };
    try {
      return work();
    } finally {
      this.#newcomer = undefined;
    }
  }

  /** The address of a name that was given, or the address itself. */
  addressOf(nameOrAddress: string): string {
    const address = this.#addresses.get(nameOrAddress);
    if (address !== undefined) return address;
    if (this.#rules.keys.isAddress(nameOrAddress)) return nameOrAddress;
    const known = [...this.#addresses.keys()].join(', ');
    throw new Error(`"${nameOrAddress}" is neither an address nor a name of this chain (${known}).`);
  }
}
