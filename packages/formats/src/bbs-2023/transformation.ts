/**
 * Documents as the statements that bbs-2023 signs: canonical, with nodes without a name shuffled by a secret of the issuer,
 * so that their numbers say nothing about what is hidden (`Data Integrity BBS Cryptosuites`: base and derived proof
 * transformation).
 */

import {
  canonicalize,
  canonicalizeAndGroup,
  createHmac,
  createHmacIdLabelMapFunction,
  labelReplacementCanonicalizeJsonLd,
  selectJsonLd,
  stripBlankNodePrefixes,
} from '@digitalbazaar/di-sd-primitives';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, encodeUtf8 } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { canonicalHash, jsonLdWork, workOptions } from '../json-ld/canonical.ts';
import type { DocumentLoader } from '../json-ld/document-loader.ts';

/** A document without its proofs. */
export function withoutProof(document: Fields): Fields {
  const { proof: _, ...rest } = document;
  return rest;
}

/** The hash of what a proof says about itself, under the contexts of its document. */
export function proofConfigHash(document: Fields, proof: Fields, load: DocumentLoader): Promise<Uint8Array> {
  const { proofValue: _, '@context': __, ...options } = proof;
  return canonicalHash({ '@context': document['@context'], ...options }, load);
}

/** What the signature's header is: the hash of the proof's options and the hash of what is always shown. */
export const bbsHeader = (proofHash: Uint8Array, mandatory: readonly string[]): Uint8Array =>
  concatBytes(proofHash, sha256(encodeUtf8(mandatory.join(''))));

/** The issuer's shuffled names: b0, b1 and so on, in the order of a keyed hash of the canonical ones. */
async function shuffledLabels(hmacKey: Uint8Array) {
  const hmac = await createHmac({ key: hmacKey });
  const hashedLabels = createHmacIdLabelMapFunction({ hmac });
  return async (given: { readonly canonicalIdMap: ReadonlyMap<string, string> }) => {
    const labels = await hashedLabels(given);
    const order = [...labels.values()].toSorted();
    return new Map([...labels].map(([node, hashed]) => [node, `b${order.indexOf(hashed)}`]));
  };
}

const node = '_:b\\d+';
const address = '<(?:(?!_:)[^>])*>';
const literal = String.raw`"(?:(?!_:)(?:[^"\\]|\\.))*"(?:\^\^${address}|@[A-Za-z0-9-]+)?`;
/** One statement whose names of nodes stand where names stand, and nowhere else. */
const statementPattern = new RegExp(
  String.raw`^(?:${address}|${node}) ${address} (?:${address}|${node}|${literal})(?: (?:${address}|${node}))? \.\n$`,
);

/**
 * The library replaces names of nodes by pattern, inside texts and addresses as well: a value with `_:` in it would be
 * signed as another value, and could be exchanged for one that is signed the same. So every statement is read again.
 */
function checkStatements(statements: Iterable<string>): void {
  for (const statement of statements)
    if (!statementPattern.test(statement))
      throw new Fault('credentialMalformed', {
        detail: 'A value holds "_:", which selective disclosure takes for a node without a name',
      });
}

export interface GroupedStatements {
  readonly all: readonly string[];
  readonly mandatory: ReadonlyMap<number, string>;
  readonly nonMandatory: ReadonlyMap<number, string>;
}

/** The statements of a document, those that are always shown apart. */
export function groupStatements(
  document: Fields,
  { hmacKey, mandatoryPointers }: { hmacKey: Uint8Array; mandatoryPointers: readonly string[] },
  load: DocumentLoader,
): Promise<GroupedStatements> {
  return jsonLdWork(async () => {
    const { groups, nquads } = await canonicalizeAndGroup({
      document: withoutProof(document),
      labelMapFactoryFunction: await shuffledLabels(hmacKey),
      groups: { mandatory: mandatoryPointers },
      options: workOptions(load),
    });
    checkStatements(nquads);
    return { all: nquads, mandatory: groups.mandatory.matching, nonMandatory: groups.mandatory.nonMatching };
  });
}

export interface StatementDisclosure {
  /** What is shown. */
  readonly document: Fields;
  /** Of all messages that were signed. */
  readonly messages: readonly string[];
  /** Among the statements that are shown. */
  readonly mandatoryIndexes: readonly number[];
  /** Among the messages. */
  readonly selectiveIndexes: readonly number[];
  readonly labels: ReadonlyMap<number, number>;
}

interface Selection {
  readonly hmacKey: Uint8Array;
  readonly mandatoryPointers: readonly string[];
  readonly selectivePointers: readonly string[];
}

const numberOf = (label: string, prefix: string): number => Number(label.slice(prefix.length));

/** The places, in one list, of members of another. */
const placesOf = (shown: Iterable<number>, isWanted: (index: number) => boolean): number[] =>
  [...shown].flatMap((index, place) => (isWanted(index) ? [place] : []));

/** What a holder shows of a document, and where its statements stand among those that the issuer signed. */
export function discloseStatements(
  document: Fields,
  { hmacKey, mandatoryPointers, selectivePointers }: Selection,
  load: DocumentLoader,
): Promise<StatementDisclosure> {
  return jsonLdWork(async () => {
    const pointers = [...mandatoryPointers, ...selectivePointers];
    const options = workOptions(load);
    const unsigned = withoutProof(document);
    const { groups, labelMap, nquads } = await canonicalizeAndGroup({
      document: unsigned,
      labelMapFactoryFunction: await shuffledLabels(hmacKey),
      groups: { mandatory: mandatoryPointers, selective: selectivePointers, combined: pointers },
      options,
    });
    checkStatements(nquads);
    const { mandatory, selective, combined } = groups;
    return {
      document: selectJsonLd({ document: unsigned, pointers }) as Fields,
      messages: [...mandatory.nonMatching.values()],
      mandatoryIndexes: placesOf(combined.matching.keys(), (index) => mandatory.matching.has(index)),
      selectiveIndexes: placesOf(mandatory.nonMatching.keys(), (index) => selective.matching.has(index)),
      labels: await verifierLabels(combined.deskolemizedNQuads, labelMap, options),
    };
  });
}

/** Which of the issuer's names each node has that a verifier will count. */
async function verifierLabels(
  shown: readonly string[],
  labels: ReadonlyMap<string, string>,
  options: ReturnType<typeof workOptions>,
): Promise<Map<number, number>> {
  const canonicalIdMap = new Map<string, string>();
  await canonicalize(shown.join(''), { ...options, inputFormat: 'application/n-quads', canonicalIdMap });
  return new Map(
    [...stripBlankNodePrefixes(canonicalIdMap)].map(([node, counted]) => [
      numberOf(counted, 'c14n'),
      numberOf(labels.get(node) as string, 'b'),
    ]),
  );
}

/** The statements of what was shown, under the issuer's names. */
export function shownStatements(
  document: Fields,
  labels: ReadonlyMap<number, number>,
  load: DocumentLoader,
): Promise<readonly string[]> {
  return jsonLdWork(async () => {
    const statements = await labelReplacementCanonicalizeJsonLd({
      document: withoutProof(document),
      labelMapFactoryFunction: async ({ canonicalIdMap }) => {
        if (canonicalIdMap.size !== labels.size)
          throw new Fault('credentialMalformed', {
            detail: 'The derived proof names other nodes than are shown',
          });
        return new Map(
          [...canonicalIdMap].map(([node, counted]) => {
            const label = labels.get(numberOf(counted, 'c14n'));
            if (label === undefined)
              throw new Fault('credentialMalformed', {
                detail: 'The derived proof leaves a node without a name',
              });
            return [node, `b${label}`];
          }),
        );
      },
      options: workOptions(load),
    });
    checkStatements(statements);
    return statements;
  });
}
