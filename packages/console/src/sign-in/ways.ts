/**
 * The ways to show who one is: each gives a session, and a signer where one has the key. Loaded with the dialog; a key is
 * in the memory of this tab and nowhere else.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { parseLedgerDid } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { didOfSigner, type Signer } from '@symbolon/sdk/keys/signer';
import { signerFromCustody } from '@symbolon/sdk/service/custody-signer';
import { signPresence } from '@symbolon/sdk/transport/presence';
import { passwordHeader } from '@symbolon/wire/custody/requests';
import type { Clients } from '../api/clients.ts';
import type { BegunSession } from '../api/console-config.ts';
import { type AudienceProblem, audienceProblem } from './audience.ts';

type Service = Clients['service'];

/** Who signed in, and who signs for them from now on, if their key was shown. */
export interface Shown {
  readonly begun: BegunSession;
  readonly signer?: Signer;
}

/** Nothing was signed, because of what the service calls itself. */
export class NotForThisPage extends Error {
  override readonly name = 'NotForThisPage';
  readonly problem: AudienceProblem;
  readonly audience: string;

  constructor(problem: AudienceProblem, audience: string) {
    super('the service calls itself something else');
    this.problem = problem;
    this.audience = audience;
  }
}

/** The key signs a challenge of the service; it is sent nowhere. */
export async function signInByKey(service: Service, signer: Signer): Promise<Shown> {
  const { challenge, audience } = await service.makeSignInChallenge();
  const problem = audienceProblem(audience, location.origin);
  if (problem) throw new NotForThisPage(problem, audience);
  const did = didOfSigner(signer);
  const order = { purpose: 'sign-in', subject: did, challenge } as const;
  const { text: signedText, signature: signData } = await signPresence(signer, { audience }, order);
  return { begun: await service.signIn({ did, signedText, signData }), signer };
}

export async function signInByCustody(
  service: Service,
  { address, password }: { readonly address: string; readonly password: string },
): Promise<Shown> {
  const begun = await service.signIn({ address: address.trim(), password });
  const signer = begun.did === undefined ? undefined : custodySigner(service, begun.did, password);
  return { begun, ...(signer && { signer }) };
}

const keys = createKeyFormat(zetrixProfile, sha256);

/** The service signs with the key that it keeps for a DID; the password goes along each time. */
function custodySigner(service: Service, did: string, password: string): Signer | undefined {
  const raw = parseLedgerDid(did, zetrixProfile);
  return raw && signerFromCustody(service, { publicKey: keys.encodePublicKey(raw), password });
}

/** The same for whoever is signed in already; the password is tried first. Undefined for a DID that has no account. */
export async function unlockCustody(
  service: Service,
  did: string,
  password: string,
): Promise<Signer | undefined> {
  const signer = custodySigner(service, did, password);
  if (signer)
    await service.getCustodyPolicy(
      { address: signer.address },
      { headers: { [passwordHeader]: encodeURIComponent(password) } },
    );
  return signer;
}
