/**
 * The cryptosuite bbs-2023, baseline: an issuer signs every statement of a document, its holder shows some of them, and
 * whoever verifies learns nothing of the others, not even which of two showings were of the same document. Canonicalising is
 * the library's, signatures and proofs are the proof engine's.
 *
 * What stays the same in every showing links them all the same: a status index, an identifier of the holder, a time to the
 * second. No `created` is written for that reason.
 */
import { encodeUtf8, equalBytes } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { bbsLimits } from '@symbolon/core/limits/documents';
import { falseIfRefused, type ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { boundedDocument } from '../json-ld/document-bounds.ts';
import type { DocumentLoader } from '../json-ld/document-loader.ts';
import { checkPointers } from './pointers.ts';
import {
  encodeBaseProof,
  encodeDerivedProof,
  hmacKeyBytes,
  parseBaseProof,
  parseDerivedProof,
} from './proof-value.ts';
import {
  bbsHeader,
  discloseStatements,
  groupStatements,
  proofConfigHash,
  shownStatements,
} from './transformation.ts';

export const bbs2023 = 'bbs-2023';

/** Whoever has the issuer's key: it never comes here. */
export interface BbsSigner {
  readonly verificationMethod: string;
  /** 96 bytes. */
  readonly publicKey: Uint8Array;
  /** A signature over header and messages by the plain interface of the draft, 80 bytes. */
  sign(order: { readonly header: Uint8Array; readonly messages: readonly Uint8Array[] }): Promise<Uint8Array>;
}

export interface BaseProofOptions {
  readonly signer: BbsSigner;
  /** What every showing shows. */
  readonly mandatoryPointers: readonly string[];
  readonly load: DocumentLoader;
  readonly proofPurpose?: string;
  /** Random; given in tests alone. */
  readonly hmacKey?: Uint8Array;
  /** Further members of the proof, such as its time. */
  readonly more?: Readonly<Record<string, string>>;
}

const messagesOf = (statements: Iterable<string>): Uint8Array[] => [...statements].map(encodeUtf8);

/** A base proof over a document, which must name the contexts that proofs need. */
export async function createBaseProof(document: unknown, options: BaseProofOptions): Promise<Fields> {
  const { signer, load } = options;
  const bounded = boundedDocument(document);
  const mandatoryPointers = checkPointers(bounded, options.mandatoryPointers, 'mandatoryPointers');
  const hmacKey = options.hmacKey ?? crypto.getRandomValues(new Uint8Array(hmacKeyBytes));
  const config = {
    type: 'DataIntegrityProof',
    cryptosuite: bbs2023,
    ...options.more,
    verificationMethod: signer.verificationMethod,
    proofPurpose: options.proofPurpose ?? 'assertionMethod',
  };
  const proofHash = await proofConfigHash(bounded, config, load);
  const { mandatory, nonMandatory } = await groupStatements(bounded, { hmacKey, mandatoryPointers }, load);
  const messages = messagesOf(nonMandatory.values());
  checkMessageCount(messages.length);
  const header = bbsHeader(proofHash, [...mandatory.values()]);
  const signature = await signer.sign({ header, messages });
  const proofValue = encodeBaseProof({
    signature,
    header,
    publicKey: signer.publicKey,
    hmacKey,
    mandatoryPointers,
  });
  return { ...config, proofValue };
}

function checkMessageCount(count: number): void {
  if (count === 0)
    throw new Fault('credentialMalformed', {
      detail: 'Everything in the document is always shown: there is nothing to disclose selectively',
    });
  if (count > bbsLimits.messagesMax)
    throw new Fault('credentialMalformed', {
      detail: `The document has ${count} statements that can be hidden, and ${bbsLimits.messagesMax} are possible`,
    });
}

export interface DeriveOptions {
  readonly selectivePointers: readonly string[];
  /** What the verifier asked the showing to be bound to; nothing else of it does. */
  readonly presentationHeader?: Uint8Array;
  readonly engine: Pick<ProofEngine, 'derivePlain'>;
  readonly load: DocumentLoader;
}

/** What a showing would have in it, without a proof: for its holder to see beforehand. */
export async function disclosedDocument(
  document: unknown,
  baseProof: Fields,
  { selectivePointers, load }: Pick<DeriveOptions, 'selectivePointers' | 'load'>,
): Promise<Fields> {
  const bounded = boundedDocument(document);
  const base = parseBaseProof(baseProof.proofValue);
  const selection = {
    hmacKey: base.hmacKey,
    mandatoryPointers: checkPointers(bounded, base.mandatoryPointers, 'mandatoryPointers'),
    selectivePointers: checkPointers(bounded, selectivePointers, 'selectivePointers'),
  };
  return (await discloseStatements(bounded, selection, load)).document;
}

/** What a holder shows of a document with a base proof: the parts that were pointed at, and one derived proof. */
export async function deriveDocument(
  document: unknown,
  baseProof: Fields,
  { selectivePointers, presentationHeader = new Uint8Array(0), engine, load }: DeriveOptions,
): Promise<Fields> {
  const bounded = boundedDocument(document);
  const base = parseBaseProof(baseProof.proofValue);
  const mandatoryPointers = checkPointers(bounded, base.mandatoryPointers, 'mandatoryPointers');
  const selected = checkPointers(bounded, selectivePointers, 'selectivePointers');
  if (mandatoryPointers.length + selected.length === 0)
    throw new Fault('requestMalformed', { detail: 'Nothing is selected to be shown' });
  const disclosure = await discloseStatements(
    bounded,
    { hmacKey: base.hmacKey, mandatoryPointers, selectivePointers: selected },
    load,
  );
  const { messages, mandatoryIndexes, selectiveIndexes, labels } = disclosure;
  checkMessageCount(messages.length);
  const proof = await engine.derivePlain({
    publicKey: base.publicKey,
    header: base.header,
    presentationHeader,
    messages: messagesOf(messages),
    signature: base.signature,
    revealed: selectiveIndexes,
  });
  const proofValue = encodeDerivedProof({
    proof,
    labels,
    mandatoryIndexes,
    selectiveIndexes,
    presentationHeader,
  });
  const { '@context': _, ...config } = baseProof;
  return { ...disclosure.document, proof: { ...config, proofValue } };
}

export interface VerifyDerivedOptions {
  /** Of the verification method that the proof names, found by whoever asks. */
  readonly publicKey: Uint8Array;
  readonly engine: Pick<ProofEngine, 'verifyPlain'>;
  readonly load: DocumentLoader;
  /** If given, the proof must be bound to it. */
  readonly presentationHeader?: Uint8Array;
}

/** Whether a derived proof over a document is one by the holder of its public key. Throws `Fault` for what is no proof. */
export async function verifyDerivedProof(
  document: unknown,
  proof: Fields,
  { publicKey, engine, load, presentationHeader }: VerifyDerivedOptions,
): Promise<boolean> {
  const bounded = boundedDocument(document);
  const parsed = parseDerivedProof(proof.proofValue);
  if (presentationHeader !== undefined && !equalBytes(presentationHeader, parsed.presentationHeader))
    return false;
  const statements = await shownStatements(bounded, parsed.labels, load);
  const mandatory = new Set(parsed.mandatoryIndexes);
  if (parsed.mandatoryIndexes.some((index) => index >= statements.length)) return false;
  const shown = statements.filter((_, index) => !mandatory.has(index));
  if (shown.length !== parsed.selectiveIndexes.length) return false;
  const header = bbsHeader(
    await proofConfigHash(bounded, proof, load),
    statements.filter((_, index) => mandatory.has(index)),
  );
  const messages = messagesOf(shown);
  return falseIfRefused(() =>
    engine.verifyPlain({
      publicKey,
      header,
      presentationHeader: parsed.presentationHeader,
      revealed: parsed.selectiveIndexes.map((index, place) => ({
        index,
        message: messages[place] as Uint8Array,
      })),
      proof: parsed.proof,
    }),
  );
}
