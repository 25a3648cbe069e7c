/**
 * What a holder does: takes a credential that was issued to it, shows the claims that were asked for and nothing else,
 * and signs for one verifier and one moment.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, encodeUtf8, type Sha256 } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { type JwsSigner, type ParsedJws, parseCompactJws, signJws } from '../jose/compact-jws.ts';
import { signatureAlgorithms } from '../jose/public-keys.ts';
import { sdJwtLimits } from '../limits/format-limits.ts';
import { keyBindingType, sdJwtType } from './claim-names.ts';
import { hasClaim, requirePath, touches, type WantedPath } from './claim-paths.ts';
import { type CombinedForm, combinedText, parseCombinedForm } from './combined-form.ts';
import { type Unpacked, unpackClaims } from './unpacking.ts';

export interface HolderBinding {
  readonly signer: JwsSigner;
  readonly nonce: string;
  /** The full client id of the verifier. */
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The texts of `transaction_data` as they came. */
  readonly transactionData?: readonly string[];
}

export interface HeldSdJwt {
  readonly form: CombinedForm;
  readonly token: ParsedJws;
  readonly unpacked: Unpacked;
}

const malformed = (detail: string): Fault => new Fault('credentialMalformed', { detail });

/** What a wallet keeps, taken apart; its signature is not looked at. Throws `credentialMalformed`. */
export function readHeldSdJwt(text: string, sha256: Sha256): HeldSdJwt {
  const form = parseCombinedForm(text, sha256);
  if (isComplaint(form)) throw malformed(`The SD-JWT ${form.complaint}`);
  const token = parseCompactJws(form.token, { typ: sdJwtType, algorithms: signatureAlgorithms });
  if (isComplaint(token)) throw malformed(`The token of the SD-JWT ${token.complaint}`);
  const unpacked = unpackClaims(token.payload, form.disclosures);
  const [complaint] = unpacked.complaints;
  if (complaint !== undefined) throw malformed(`In the SD-JWT ${complaint}`);
  return { form, token, unpacked };
}

/** Throws `requestMalformed` for a path where the credential has nothing. */
export async function presentSdJwt(
  text: string,
  { paths, keyBinding }: { readonly paths: readonly WantedPath[]; readonly keyBinding?: HolderBinding },
  sha256: Sha256,
): Promise<string> {
  const { form, unpacked } = readHeldSdJwt(text, sha256);
  const lacking = paths.map(requirePath).find((path) => !hasClaim(unpacked.claims, path));
  if (lacking)
    throw new Fault('requestMalformed', { detail: `The credential has no claim ${JSON.stringify(lacking)}` });
  const shown = unpacked.placed
    .filter(({ path }) => paths.some((wanted) => touches(wanted, path)))
    .map(({ disclosure }) => disclosure);
  const presented = combinedText(form.token, shown);
  return keyBinding ? `${presented}${await bind(presented, keyBinding, sha256)}` : presented;
}

const hashOf = (text: string, sha256: Sha256): string => encodeBase64Url(sha256(encodeUtf8(text)));

/** Hashes of the texts as they came, not of what they mean. */
export const transactionDataHashes = (texts: readonly string[], sha256: Sha256): readonly string[] =>
  texts.map((text) => hashOf(text, sha256));

/** What the holder's token says of the rest. */
export const presentedHash = (presented: string, sha256: Sha256): string => hashOf(presented, sha256);

async function bind(presented: string, binding: HolderBinding, sha256: Sha256): Promise<string> {
  const { signer, nonce, audience, now, transactionData = [] } = binding;
  if (transactionData.length > sdJwtLimits.transactionDataMax)
    throw new Fault('requestMalformed', { detail: 'There is too much to be agreed to at once' });
  const payload = {
    iat: Math.floor(now / 1_000),
    aud: audience,
    nonce,
    sd_hash: presentedHash(presented, sha256),
    ...(transactionData.length > 0 && {
      transaction_data_hashes: transactionDataHashes(transactionData, sha256),
      transaction_data_hashes_alg: 'sha-256',
    }),
  };
  return signJws(keyBindingType, payload, signer);
}
