/** Members and headers that are open by themselves: signatures, what comes with them, and what the answer before says. */
/** Never put into a sample, even where they were given. The catalogue has a sentence for each. */
export const openNames = [
  'signData',
  'signedText',
  'holderPublicKey',
  'publicKey',
  'signVcId',
  'ed25519SignData',
  'ed25519PubKey',
  'bbsBlsPubKey',
  'bbsBlsSignData',
  'blobId',
  'signBlob',
  'signedBlob',
  'vp_token',
  'paymentId',
  'sign_data',
  'public_key',
  'publickey',
  'signeddata',
  'signedtext',
  'x-wallet-public-key',
  'x-wallet-signed-data',
  'x-wallet-signed-text',
  'X-PAYMENT',
] as const;
export type OpenName = (typeof openNames)[number];

const openSet: ReadonlySet<string> = new Set(openNames);
export const isOpenName = (name: string): name is OpenName => openSet.has(name);
