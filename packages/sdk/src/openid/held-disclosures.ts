/**
 * What a kept credential would show for one part of a query, exactly, and how that is made into a presentation. What is
 * told to its holder beforehand is read off the very document that would be shown, not off the query.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import type { RangeClaim } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { bbs2023, deriveDocument, disclosedDocument } from '@symbolon/formats/bbs-2023/bbs-2023';
import { withoutProof } from '@symbolon/formats/bbs-2023/transformation';
import { addProof, proofsOf } from '@symbolon/formats/data-integrity/signing';
import { signerOfSecretKey } from '@symbolon/formats/jose/web-signatures';
import { expandedDocument } from '@symbolon/formats/json-ld/canonical';
import { contextUrls } from '@symbolon/formats/json-ld/contexts';
import type { WantedCredential } from '@symbolon/formats/oid4vp/presentation-query';
import { answeringClaims, isOfWantedKind } from '@symbolon/formats/oid4vp/query-answering';
import { placesAt, unmetClaims } from '@symbolon/formats/oid4vp/query-matching';
import { presentSdJwt, readHeldSdJwt } from '@symbolon/formats/sd-jwt/presenting';
import type { ClaimPath } from '@symbolon/formats/sd-jwt/unpacking';
import { viewFieldCredential } from './credential-view.ts';
import { textsOf } from './openid-json.ts';
import type { HeldFieldCredential } from './receiving.ts';
import type { WalletFacts } from './wallet-facts.ts';

/** What a presentation is made for. */
export interface ShowingOccasion {
  readonly nonce: string;
  /** The full client id. */
  readonly audience: string;
  /** What its holder agrees to with it, as it came. */
  readonly transactionData: readonly string[];
}

/** What would be shown, and how it is. */
export interface HeldDisclosure {
  /** What the verifier would see of its holder, by name. */
  readonly shows: Fields;
  /** What would be proved of values that are not shown. */
  readonly proves: readonly RangeClaim[];
  /** Attributes of which so narrow a range is proved that it tells the value. */
  readonly telling: readonly string[];
  /** Whether all that it says is shown, because it cannot be shown in parts. */
  readonly isWhole: boolean;
  readonly make: (occasion: ShowingOccasion) => Promise<unknown>;
}

/** What a query wants of one credential, of a verifier that takes these formats. */
export interface WantedOf {
  readonly wanted: WantedCredential;
  readonly formats: Fields | undefined;
}

const otherKind: Complaint = { complaint: 'it is of another type' };
const notTaken: Complaint = { complaint: 'the verifier does not take its signatures' };
const unplaced: Complaint = { complaint: 'its parts cannot be shown as they are asked for' };

/** Of a list that a verifier may have sent: without one everything is taken. */
const takes = (list: unknown, name: string): boolean => list === undefined || textsOf(list).includes(name);

/** What a credential of the field would show; why it does not answer, where it does not. */
export async function fieldDisclosure(
  held: HeldFieldCredential,
  asked: WantedOf,
  facts: WalletFacts,
): Promise<HeldDisclosure | Complaint> {
  if (held.format !== asked.wanted.format) return otherKind;
  const { untilMs } = viewFieldCredential(held);
  if (untilMs !== undefined && untilMs <= facts.now()) return { complaint: 'it has expired' };
  try {
    return typeof held.document === 'string'
      ? await sdJwtDisclosure(held.document, { held, ...asked }, facts)
      : await ldpDisclosure(held.document, { held, ...asked }, facts);
  } catch (error) {
    // A document that is none any more, or a path that cannot be pointed at.
    if (error instanceof Fault) return { complaint: error.message };
    throw error;
  }
}

type AskedOf = WantedOf & { readonly held: HeldFieldCredential };

async function sdJwtDisclosure(
  text: string,
  { held, wanted, formats }: AskedOf,
  { sha256, now }: WalletFacts,
): Promise<HeldDisclosure | Complaint> {
  const { token, unpacked } = readHeldSdJwt(text, sha256);
  const { claims } = unpacked;
  const kept = { format: held.format, kinds: [String(claims.vct)], claims };
  if (!isOfWantedKind(wanted, kept)) return otherKind;
  const terms = asObject(formats?.[held.format]);
  const signsBy = held.key.kty === 'EC' ? 'ES256' : 'EdDSA';
  if (!takes(terms?.['sd-jwt_alg_values'], token.header.alg) || !takes(terms?.['kb-jwt_alg_values'], signsBy))
    return notTaken;
  const answering = answeringClaims(wanted, kept);
  if (isComplaint(answering)) return answering;
  const paths = answering.claims.map(({ path }) => path);
  const shown = await presentSdJwt(text, { paths }, sha256);
  if (unmetClaims(answering.claims, readHeldSdJwt(shown, sha256).unpacked.claims).length > 0) return unplaced;
  return {
    shows: viewFieldCredential({ document: shown }).claims,
    ...{ proves: [], telling: [], isWhole: false },
    make: async ({ nonce, audience, transactionData }) => {
      if (!wanted.needsHolder) return shown;
      const signer = await signerOfSecretKey(held.key);
      const keyBinding = { signer, nonce, audience, now: now(), transactionData };
      return presentSdJwt(text, { paths, keyBinding }, sha256);
    },
  };
}

async function ldpDisclosure(
  document: Fields,
  { held, wanted, formats }: AskedOf,
  facts: WalletFacts,
): Promise<HeldDisclosure | Complaint> {
  const { load } = await facts.tools();
  const claims = withoutProof(document);
  const [node] = await expandedDocument(claims, load);
  const kinds = textsOf((node as Fields | undefined)?.['@type']);
  const kept = { format: held.format, kinds, claims };
  if (!isOfWantedKind(wanted, kept)) return otherKind;
  const suites = asObject(formats?.ldp_vc)?.cryptosuite_values;
  const proofs = proofsOf(document).filter(({ cryptosuite }) => takes(suites, String(cryptosuite)));
  if (proofs.length === 0 || (wanted.needsHolder && !takes(suites, holderSuite))) return notTaken;
  const answering = answeringClaims(wanted, kept);
  if (isComplaint(answering)) return answering;
  const base = proofs.find(({ cryptosuite }) => cryptosuite === bbs2023);
  // A base proof is never shown: whoever has it can show all of it.
  const whole = proofs.filter((proof) => proof !== base);
  const pointers = pointersTo(
    claims,
    answering.claims.map(({ path }) => path),
  );
  const derive = { selectivePointers: pointers, load };
  const shown = base ? await disclosedDocument(claims, base, derive) : claims;
  if (unmetClaims(answering.claims, shown).length > 0) return unplaced;
  return {
    shows: viewFieldCredential({ document: shown }).claims,
    ...{ proves: [], telling: [], isWhole: !base },
    make: async (occasion) => {
      const { engine } = await facts.tools();
      const presentationHeader = encodeUtf8(occasion.nonce);
      const credential = base
        ? await deriveDocument(claims, base, { ...derive, engine, presentationHeader })
        : { ...claims, proof: whole.length === 1 ? whole[0] : whole };
      return wanted.needsHolder ? signedByHolder(credential, held, { occasion, facts }) : credential;
    },
  };
}

const pointerOf = (path: ClaimPath): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** JSON pointers to what paths lead to; to the subject in any case, without which a credential is about nothing. */
function pointersTo(claims: Fields, paths: Parameters<typeof placesAt>[1][]): readonly string[] {
  const found = paths.flatMap((path) => placesAt(claims, path)).map(({ path }) => path);
  const hasSubject = found.some(([first, second]) => first === 'credentialSubject' && second !== undefined);
  const subject = Array.isArray(claims.credentialSubject) ? ['credentialSubject', 0] : ['credentialSubject'];
  const all = hasSubject ? found : [...found, [...subject, 'id']];
  return [...new Set(all.map(pointerOf))];
}

/** Keys of a wallet are of P-256. */
const holderSuite = 'ecdsa-rdfc-2019';

/** A presentation by the subject, for one verifier and one occasion. */
async function signedByHolder(
  credential: Fields,
  { key }: HeldFieldCredential,
  { occasion, facts }: { readonly occasion: ShowingOccasion; readonly facts: WalletFacts },
): Promise<Fields> {
  const { load } = await facts.tools();
  const { sign } = await signerOfSecretKey(key);
  const holder = String(asObject([credential.credentialSubject].flat()[0])?.id);
  const fragment = holder.startsWith('did:jwk:') ? '0' : holder.slice('did:key:'.length);
  const [model] = [credential['@context']].flat();
  const presentation = {
    '@context': [model === contextUrls.credentialsV1 ? model : contextUrls.credentialsV2],
    type: ['VerifiablePresentation'],
    holder,
    verifiableCredential: [credential],
  };
  return addProof(presentation, {
    signer: {
      verificationMethod: `${holder}#${fragment}`,
      suite: holderSuite,
      sign: async (message) => sign(message),
    },
    load,
    purpose: 'authentication',
    created: new Date(facts.now()).toISOString(),
    challenge: occasion.nonce,
    domain: occasion.audience,
  });
}
