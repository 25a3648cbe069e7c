/**
 * What is mutated: for every form that a proof can have, two good proofs of it, by different issuers about different
 * contents, so that the pieces of one fit into the other.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import type {
  BbsMessage,
  DeriveOrder,
  ProofEngine,
  ProofOrder,
  ProofStatement,
  SignatureOrder,
  SignOrder,
} from '@symbolon/core/proofs/proof-engine';
import { pieceOffsets } from '@symbolon/sdk/proofs/proof-layout';
import { proofShapeOf } from '@symbolon/sdk/proofs/statement-facts';
import { saltOf, secretKeyOf, typedMessages } from '@symbolon/sdk/proofs/testing/proof-world';

export interface ProofSample {
  readonly name: string;
  readonly derive: DeriveOrder;
  readonly order: ProofOrder;
  /** Where the pieces of its proof are. */
  readonly points: readonly number[];
  readonly scalars: readonly number[];
}

/** Two samples of one form. */
export interface ProofForm {
  readonly pair: readonly [ProofSample, ProofSample];
  /** How often it is chosen, beside the others. */
  readonly weight: number;
}

export interface ProofSamples {
  readonly forms: readonly ProofForm[];
  readonly signatures: readonly [SignatureOrder, SignatureOrder];
  readonly sign: SignOrder;
}

interface Issued {
  readonly order: SignOrder;
  readonly signature: Uint8Array;
  readonly commitment: Uint8Array;
  readonly parameters: Uint8Array;
}

async function issue(engine: ProofEngine, number: number): Promise<Issued> {
  const secretKey = secretKeyOf(number);
  const publicKey = await engine.publicKeyOf(secretKey);
  const texts = typedMessages().map(
    (message, index): BbsMessage =>
      'integer' in message ? message : { bytes: encodeUtf8(`attribute ${index} of issuer ${number}`) },
  );
  const messages = [...texts, saltOf(`salt of ${number}`)];
  const header = encodeUtf8(`{"id":"did:zid:${number}"}`);
  const order: SignOrder = { interface: 'typed', publicKey, secretKey, header, messages };
  const [signature, commitment] = [await engine.sign(order), await engine.commit(order)];
  return { order, signature, commitment, parameters: await engine.makeRangeParameters() };
}

type Form = (issued: Issued) => Partial<ProofStatement>;
const narrow = [{ index: 3, min: 32_000n, max: 80_000n }];
const wide = [{ index: 6, min: 1n, max: 2n ** 40n }];

const forms: Readonly<Record<string, readonly [weight: number, form: Form]>> = {
  unbound: [6, () => ({})],
  bound: [10, ({ commitment }) => ({ commitment })],
  'all hidden': [3, ({ commitment }) => ({ commitment, revealed: [] })],
  bulletproofs: [1, ({ commitment }) => ({ commitment, ranges: narrow })],
  'narrow set membership': [
    1,
    ({ commitment, parameters }) => ({
      commitment,
      ranges: narrow,
      rangeParameters: { method: 'set-membership', parameters },
    }),
  ],
  'wide set membership': [
    1,
    ({ commitment, parameters }) => ({
      commitment,
      ranges: wide,
      rangeParameters: { method: 'set-membership', parameters },
    }),
  ],
};

async function sampleOf(engine: ProofEngine, issued: Issued, name: string): Promise<ProofSample> {
  const { secretKey: _, ...signed } = issued.order;
  const derive: DeriveOrder = {
    ...signed,
    signature: issued.signature,
    messageCount: signed.messages.length,
    revealed: [0, 1, 8].map((index) => ({ index, message: signed.messages[index] })),
    ranges: [],
    rangeParameters: { method: 'bulletproofs' },
    context: encodeUtf8('{"challenge":"c"}'),
    nonce: new Uint8Array(32).fill(9),
    ...forms[name][1](issued),
  };
  const proof = await engine.derive(derive);
  const { messages: __, signature: ___, ...statement } = derive;
  const shape = proofShapeOf(statement);
  return {
    name,
    derive,
    order: { ...statement, proof },
    points: pieceOffsets(shape, 'point'),
    scalars: pieceOffsets(shape, 'scalar'),
  };
}

export async function makeSamples(engine: ProofEngine): Promise<ProofSamples> {
  const [one, other] = [await issue(engine, 1), await issue(engine, 2)];
  const signatureOf = ({ order: { secretKey: _, ...order }, signature }: Issued) => ({ ...order, signature });
  const made: ProofForm[] = [];
  for (const [name, [weight]] of Object.entries(forms))
    made.push({
      pair: [await sampleOf(engine, one, name), await sampleOf(engine, other, name)],
      weight,
    });
  return { forms: made, signatures: [signatureOf(one), signatureOf(other)], sign: one.order };
}
