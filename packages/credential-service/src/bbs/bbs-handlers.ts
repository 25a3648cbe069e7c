/**
 * BBS+ utilities: keys from seeds, kept in the vault for the caller who made them, and signatures over plain strings as
 * the IETF draft defines them.
 */

import { emptyBytes, encodeBase64, encodeUtf8, equalBytes } from '@symbolon/core/basics/bytes';
import { nextApplicationState } from '@symbolon/core/credential/application-states';
import { encodeBbsPublicKey, encodeBbsSecretKey } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import { ProofEngineError, type SignOrder } from '@symbolon/core/proofs/proof-engine';
import type { BbsSigningRequest } from '@symbolon/wire/credentials/requests';
import type { CredentialHandlers } from '@symbolon/wire/credentials/routes';
import { type Caller, malformedAt } from '@symbolon/wire/http/service-route';
import {
  draftLapsed,
  messagesToSign,
  publishedBbsKeys,
  readDraft,
  signingTask,
} from '../issuance/credential-drafts.ts';
import { requireApplication } from '../issuance/issuance-handlers.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findBbsKey, keepBbsKey, keyOwnerOf } from '../vault/caller-keys.ts';
import { secretKeyOfSeed } from './bbs-seeds.ts';

export function createBbsHandlers(parts: ServiceParts) {
  const { database, vault, proofDesk, audit, clock } = parts;
  const { kysely } = database;
  return {
    async createBbsKey({ seed }, { caller }) {
      const proofs = proofDesk.metered(caller);
      const secretKey = await secretKeyOfSeed(seed);
      try {
        const publicKey = encodeBbsPublicKey(await proofs.publicKeyOf(secretKey));
        const owner = keyOwnerOf(caller);
        await keepBbsKey(kysely, vault, { owner, publicKey, secretKey, now: clock.nowMs() });
        await audit.record({ actor: caller, action: 'bbsKey.create', subject: publicKey });
        return { publicKeyMultibase: publicKey, privateKeyMultibase: encodeBbsSecretKey(secretKey) };
      } finally {
        secretKey.fill(0);
      }
    },

    async signWithBbs(request, { caller }) {
      const { publicKey, secretKey: given } = request;
      const proofs = proofDesk.metered(caller);
      const name = { owner: keyOwnerOf(caller), publicKey: encodeBbsPublicKey(publicKey) };
      const task = await askedTask(parts, request, caller);
      const secretKey = given ?? (await findBbsKey(kysely, vault, name));
      if (!secretKey) throw new Fault('keyUnknown', { detail: 'The caller keeps no such key here' });
      try {
        // A signature with another's key would be made without complaint, and be worth nothing.
        if (given && !equalBytes(await proofs.publicKeyOf(given), publicKey)) throw otherKey();
        const signature = await proofs.sign({ ...task, publicKey, secretKey });
        await audit.record({ actor: caller, action: 'bbsKey.sign', subject: name.publicKey });
        return { signature: encodeBase64(signature) };
      } catch (error) {
        throw error instanceof ProofEngineError && error.code === 'invalidInput' ? otherKey() : error;
      } finally {
        secretKey.fill(0);
      }
    },
  } satisfies Partial<CredentialHandlers>;
}

/**
 * Plain texts as they stand; or a draft, whose header and integers are no plain texts. What the caller has looked at is
 * what is signed: messages that are not those of the draft are refused, and nobody signs for another issuer.
 */
async function askedTask(
  parts: Pick<ServiceParts, 'database' | 'vault' | 'clock' | 'format' | 'resolver'>,
  { vcId, publicKey, messages }: BbsSigningRequest,
  caller: Caller,
): Promise<Pick<SignOrder, 'interface' | 'header' | 'messages'>> {
  if (vcId === undefined)
    return { interface: 'plain', header: emptyBytes, messages: messages.map((bytes) => ({ bytes })) };
  const application = await requireApplication(parts, vcId, caller);
  nextApplicationState(application.state, 'submit');
  const draft = await readDraft(parts, application);
  if (!draft) throw draftLapsed();
  const wanted = messagesToSign(parts, draft).map((text) => encodeUtf8(text));
  const isSame =
    wanted.length === messages.length && wanted.every((text, index) => equalBytes(text, messages[index]));
  if (!isSame) {
    const detail = 'is not what the draft of this credential says, as the last vc/create answered it';
    throw malformedAt('/data', detail);
  }
  await requirePublished(parts, draft.credential.issuer, publicKey);
  return signingTask(parts, draft);
}

/** No submit takes a signature by another key, so none is made. */
async function requirePublished(
  parts: Pick<ServiceParts, 'resolver'>,
  issuer: string,
  key: Uint8Array,
): Promise<void> {
  const published = await publishedBbsKeys(parts, issuer);
  if (published.some(({ publicKey }) => equalBytes(publicKey, key))) return;
  throw new Fault('keyNotPublished', {
    detail: "publicKeyMultibase is no key of the issuer's DID document: vc/submit would refuse the signature",
  });
}

const otherKey = (): Fault =>
  new Fault('requestMalformed', { detail: 'The private key is not that of the public key' });
