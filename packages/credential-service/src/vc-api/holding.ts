/**
 * What a holder has made by the VC-API: parts of a credential with a base proof of bbs-2023, and presentations by the key
 * that the service has for the holder's `did:web`.
 */
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { Fault, type FaultDetail } from '@symbolon/core/faults/faults';
import { bbs2023, deriveDocument } from '@symbolon/formats/bbs-2023/bbs-2023';
import { kindOfProof } from '@symbolon/formats/bbs-2023/proof-value';
import { withoutProof } from '@symbolon/formats/bbs-2023/transformation';
import { credentialProblems, presentationProblems } from '@symbolon/formats/credential/data-model';
import { addProof, proofsOf } from '@symbolon/formats/data-integrity/signing';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { eddsaSigner } from '../ldp-credentials/issuer-proofs.ts';
import { provingParts, requireInstance, type VcApiParts } from './vc-api-parts.ts';
import { proofTools } from './verification-tools.ts';

const refuse = (member: string, errors: readonly FaultDetail[]): Fault =>
  new Fault(member === 'presentation' ? 'presentationMalformed' : 'credentialMalformed', {
    errors: errors.map(({ pointer, detail }) => ({ pointer: `/${member}${pointer}`, detail })),
  });

/** Throws for a proof value that is none. */
function isBaseProof({ cryptosuite, proofValue }: Fields): boolean {
  return cryptosuite === bbs2023 && kindOfProof(proofValue) === 'base';
}

interface Deriving {
  readonly issuer: string;
  readonly credential: JsonObject;
  readonly selectivePointers: readonly string[];
}

export async function deriveByVcApi(
  parts: VcApiParts,
  { issuer, credential, selectivePointers }: Deriving,
  caller: Caller,
): Promise<Fields> {
  requireInstance(parts, issuer, caller);
  const problems = credentialProblems(credential);
  if (problems.length > 0) throw refuse('verifiableCredential', problems);
  const base = proofsOf(credential).filter(({ cryptosuite }) => cryptosuite === bbs2023);
  const [proof] = base;
  if (proof === undefined || base.length > 1)
    throw refuse('verifiableCredential', [
      { pointer: '/proof', detail: `must have one proof of ${bbs2023}` },
    ]);
  const { load } = proofTools(parts, caller, 'assertionMethod');
  const engine = parts.proofDesk.metered(caller);
  return deriveDocument(withoutProof(credential), proof, { selectivePointers, engine, load });
}

interface Presenting {
  readonly issuer: string;
  readonly presentation: JsonObject;
  readonly challenge: string;
  readonly domain: string;
}

/** For one verifier and one time. What a base proof would give away is refused: it shows everything, and lets others show it. */
export async function presentByVcApi(
  parts: VcApiParts,
  { issuer: instance, presentation, challenge, domain }: Presenting,
  caller: Caller,
): Promise<Fields> {
  const did = requireInstance(parts, instance, caller);
  const holder = parts.places().webDid(did);
  const fields: Fields = { ...presentation, holder: presentation.holder ?? holder };
  const problems = presentationProblems(fields);
  if (problems.length > 0) throw refuse('presentation', problems);
  if ((asObject(fields.holder)?.id ?? fields.holder) !== holder)
    throw refuse('presentation', [{ pointer: '/holder', detail: `must be ${holder}, or be left out` }]);
  if (fields.proof !== undefined)
    throw refuse('presentation', [{ pointer: '/proof', detail: 'is there already: leave it out' }]);
  refuseBaseProofs(fields);
  const { load } = proofTools(parts, caller, 'authentication');
  const signer = await eddsaSigner(provingParts(parts, caller), did);
  return addProof(fields, { signer, load, purpose: 'authentication', challenge, domain });
}

function refuseBaseProofs({ verifiableCredential = [] }: Fields): void {
  const credentials = Array.isArray(verifiableCredential) ? verifiableCredential : [verifiableCredential];
  const errors = credentials.flatMap((credential, index) =>
    proofsOf(asObject(credential) ?? {}).some(isBaseProof)
      ? [
          {
            pointer: `/verifiableCredential/${index}/proof`,
            detail: 'is a base proof, which is never shown: derive what shall be seen',
          },
        ]
      : [],
  );
  if (errors.length > 0) throw refuse('presentation', errors);
}
