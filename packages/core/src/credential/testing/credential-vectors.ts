/**
 * The fixed examples of `packages/core/vectors/credential.json`, computed from the sample credential. Other
 * implementations compare with the file; the test beside compares the file with this.
 */

import { holderSigningInput, planDisclosure } from '../../presentation/presentation-derivation.ts';
import { commitContents, commitmentBases } from '../../proofs/commitment.ts';
import type { BbsMessage } from '../../proofs/proof-engine.ts';
import { credentialSignatureOrder, issuerDigests, issuerSigningInput } from '../credential-assembly.ts';
import {
  binding,
  contents,
  issuerBbsKey,
  parsed,
  request,
  sampleCredential,
  samplePresentation,
  sha256,
  template,
} from './sample-credentials.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const utf8 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function messageVector(message: BbsMessage, index: number): object {
  const { key, type } = template.attributes[index] ?? { key: '$salt', type: 'salt' };
  return 'bytes' in message
    ? { key, type, bytes: hex(message.bytes) }
    : { key, type, integer: String(message.integer) };
}

export function credentialVectors(): object {
  const credential = sampleCredential();
  const whole = parsed(credential);
  const order = credentialSignatureOrder(whole, issuerBbsKey, sha256);
  const { jws: _issuerJws, ...options } = credential.proof[1];
  const statement = { credential: whole.credential, options, contents };
  const digests = issuerDigests(statement, sha256);
  const plan = planDisclosure({ parsed: whole, publicKey: issuerBbsKey, request }, binding, sha256);
  const presentation = samplePresentation();
  const { jws: _holderJws, ...holderOptions } = presentation.proof;
  return {
    note:
      'A credential of twelve attributes and what is computed from it. Ed25519 seeds: issuer 32 bytes 01, holder 32 bytes 02. ' +
      'The BBS signature (80 bytes 09), the commitment (48 bytes 8b) and the derived proof are placeholders; header, messages, context and nonce are what real ones cover. ' +
      'Bytes are hex, integers decimal text. header is UTF-8 of the canonical JSON of the frame without @context and with holder. ' +
      'realCommitment is the commitment to this header and these messages; commitmentBases are those of the first two attributes and of the salt.',
    template,
    credential,
    header: utf8(order.header),
    headerSha256: hex(sha256(order.header)),
    messages: order.messages.map(messageVector),
    realCommitment: hex(commitContents(order)),
    commitmentBases: commitmentBases([0, 1, order.messages.length - 1], order.messages.length).map(hex),
    issuerOptionsDigest: hex(digests.options),
    issuerCredentialDigest: hex(digests.credential),
    issuerSigningInput: hex(issuerSigningInput(statement, sha256)),
    request,
    revealedIndexes: plan.order.revealed.map(({ index }) => index),
    ranges: plan.order.ranges.map(({ index, min, max }) => ({ index, min: String(min), max: String(max) })),
    context: utf8(plan.order.context),
    nonce: hex(plan.order.nonce),
    presentation,
    holderSigningInputSha256: hex(sha256(holderSigningInput({ ...presentation, proof: holderOptions }))),
  };
}
