/**
 * What differs between networks, in one value. The default profile is the one the public clients speak;
 * no other file of the product knows these texts.
 */
export interface NetworkProfile {
  readonly name: string;
  /** The bytes in front of an account's 20 address bytes (the key type byte follows them). */
  readonly addressPrefix: readonly number[];
  readonly base58Alphabet: string;
  readonly didMethod: string;
  /** The `{chain}` segment of the facilitator's paths. */
  readonly pathSegment: string;
  readonly nativeAsset: { readonly code: string; readonly decimals: number };
  /** The network's name in payment requests. */
  readonly networkId: string;
}

export const zetrixProfile: NetworkProfile = {
  name: 'zetrix',
  addressPrefix: [0xf0, 0x26],
  base58Alphabet: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  didMethod: 'zid',
  pathSegment: 'ztx',
  nativeAsset: { code: 'ZTX', decimals: 6 },
  networkId: 'zetrix:testnet',
};

/** The older sibling network: other address prefix, and an alphabet with B/b and U/u exchanged. */
export const bumoProfile: NetworkProfile = {
  name: 'bumo',
  addressPrefix: [0x01, 0x56],
  base58Alphabet: '123456789AbCDEFGHJKLMNPQRSTuVWXYZaBcdefghijkmnopqrstUvwxyz',
  didMethod: 'bid',
  pathSegment: 'bumo',
  nativeAsset: { code: 'BU', decimals: 8 },
  networkId: 'bumo:testnet',
};

export const profiles: Readonly<Record<string, NetworkProfile>> = {
  [zetrixProfile.name]: zetrixProfile,
  [bumoProfile.name]: bumoProfile,
};
