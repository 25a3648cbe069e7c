/**
 * A signer whose key a credential service holds (`/wallet/hsm/...`): every signature is one call, checked against the
 * account's policy there. The password stays in this object and travels with each call, so the service's address should
 * be https, or this machine.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import { type Signer, type SignerOptions, signerOptionMembers, verifyWithWebCrypto } from '../keys/signer.ts';
import type { CredentialClient } from './credential-client.ts';

/** An account whose key the service keeps. */
export interface CustodyAccount {
  /** Encoded, as `createCustodyAccount` answers it (`publicKeyHex`). */
  readonly publicKey: string;
  readonly password: string;
}

/** Nothing is asked before the first signature; a wrong password is a `ServiceError` then. */
export function signerFromCustody(
  client: Pick<CredentialClient, 'signCustodyBlob'>,
  account: CustodyAccount,
  options: SignerOptions = {},
): Signer {
  assertMembers(account, { publicKey: true, password: true }, 'the account');
  assertMembers(options, signerOptionMembers, 'options of a signer');
  const { publicKey, password } = account;
  const keys = createKeyFormat(options.profile ?? zetrixProfile, sha256);
  const raw = keys.parsePublicKey(publicKey);
  if (!raw) {
    const hint = 'Give publicKeyHex as createCustodyAccount answered it.';
    throw new SdkError('invalidArgument', 'this is not an encoded public key of this network', { hint });
  }
  const address = keys.addressOf(raw);
  return {
    address,
    publicKey,
    async sign(bytes) {
      const { signBlob } = await client.signCustodyBlob({ blob: encodeHex(bytes), address, password });
      const signature = parseHex(signBlob);
      if (signature && (await verifyWithWebCrypto({ publicKey: raw, message: bytes, signature }))) {
        return signature;
      }
      const hint = 'Is publicKey that of this account? Nothing was sent to the ledger.';
      const members = ['data.signBlob'];
      throw new SdkError('unexpectedReply', 'the service signed with another key', { hint, members });
    },
  };
}
