/**
 * BBS+ utilities (`spec/credential-service.md`, "BBS+ issuer account"): keys from seeds, kept in the vault for the
 * caller who made them, and signatures over plain strings as the IETF draft defines them.
 */
import { encodePublicKey, encodeSecretKey } from '@symbolon/core/bbs/key-text';
import { emptyBytes, encodeBase64, equalBytes } from '@symbolon/core/bytes';
import { ProofEngineError } from '@symbolon/core/credential/proof-engine';
import { Fault } from '@symbolon/core/faults';
import type { CredentialHandlers } from '@symbolon/wire/credential-routes';
import type { ServiceParts } from '../service-parts.ts';
import { findBbsKey, keepBbsKey, ownerOf } from '../vault/caller-keys.ts';
import { auditEvent } from './audit-trail.ts';
import { secretKeyOfSeed } from './bbs-seeds.ts';

type BbsHandlers = Pick<CredentialHandlers, 'createBbsKey' | 'signWithBbs'>;

export function createBbsHandlers({ database, vault, proofDesk, audit, clock }: ServiceParts): BbsHandlers {
  const { kysely } = database;
  return {
    async createBbsKey({ seed }, { caller }) {
      const proofs = proofDesk.metered(caller);
      const secretKey = await secretKeyOfSeed(seed);
      try {
        const publicKey = encodePublicKey(await proofs.publicKeyOf(secretKey));
        const owner = ownerOf(caller);
        await keepBbsKey(kysely, vault, { owner, publicKey, secretKey, now: clock.nowMs() });
        await audit.record(auditEvent(caller, { action: 'bbsKey.create', subject: publicKey }));
        return { publicKeyMultibase: publicKey, privateKeyMultibase: encodeSecretKey(secretKey) };
      } finally {
        secretKey.fill(0);
      }
    },

    async signWithBbs({ publicKey, secretKey: given, messages }, { caller }) {
      const proofs = proofDesk.metered(caller);
      const name = { owner: ownerOf(caller), publicKey: encodePublicKey(publicKey) };
      const secretKey = given ?? (await findBbsKey(kysely, vault, name));
      if (!secretKey) throw new Fault('keyUnknown', { detail: 'The caller keeps no such key here' });
      try {
        // A signature with another's key would be made without complaint, and be worth nothing.
        if (given && !equalBytes(await proofs.publicKeyOf(given), publicKey)) throw otherKey();
        const signature = await proofs.sign({
          interface: 'plain',
          publicKey,
          secretKey,
          header: emptyBytes,
          messages: messages.map((bytes) => ({ bytes })),
        });
        await audit.record(auditEvent(caller, { action: 'bbsKey.sign', subject: name.publicKey }));
        return { signature: encodeBase64(signature) };
      } catch (error) {
        throw error instanceof ProofEngineError && error.code === 'invalidInput' ? otherKey() : error;
      } finally {
        secretKey.fill(0);
      }
    },
  };
}

const otherKey = (): Fault =>
  new Fault('requestMalformed', { detail: 'The private key is not that of the public key' });
