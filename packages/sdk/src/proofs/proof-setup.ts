/**
 * Parameters of statements as the proof library wants them. Decoding points costs about as much as proving with them,
 * so what was decoded once is kept, bounded, and handed to a proof by its number in the proof's own list.
 */

import { encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { commitmentBases } from '@symbolon/core/proofs/commitment';
import { createGenerators } from '@symbolon/core/proofs/generators';
import type { BbsInterface, ProofStatement } from '@symbolon/core/proofs/proof-engine';
import { basePointG1, basePointG2 } from '@symbolon/core/proofs/suite';
import type { DockLibrary, DockModule } from './dock-library.ts';

type SetupParameter = InstanceType<DockModule['SetupParam']>;

/** Keys, numbers of messages and choices of hidden ones come from many credentials; each takes some kilobytes. */
const keptParametersMax = 64;
/** Made by verifiers, and larger. */
const keptRangeParametersMax = 8;
const bulletproofsLabel = 'symbolon bulletproofs v1';
const inequalityLabel = 'symbolon inequality v1';

/** The messages that are not revealed, ascending. */
export function hiddenIndexes({
  messageCount,
  revealed,
}: Pick<ProofStatement, 'messageCount' | 'revealed'>): readonly number[] {
  const shown = new Set(revealed.map(({ index }) => index));
  return Array.from({ length: messageCount }, (_, index) => index).filter((index) => !shown.has(index));
}

export class KeptParameters {
  readonly #library: DockLibrary;
  #kept = new RecentMap<string, SetupParameter>(keptParametersMax);
  #setMembership = new RecentMap<string, SetupParameter>(keptRangeParametersMax);
  /** Made when first needed: takes a fifth of a second. */
  #bulletproofs: SetupParameter | undefined;
  #inequality: SetupParameter | undefined;

  constructor(library: DockLibrary) {
    this.#library = library;
  }

  signature(kind: BbsInterface, messageCount: number): SetupParameter {
    return this.#keep(this.#kept, `signature ${kind} ${messageCount}`, () => {
      const { BBSSignatureParams, SetupParam } = this.#library.dock;
      const h = createGenerators(kind, messageCount);
      return SetupParam.bbsSignatureParams(new BBSSignatureParams({ g1: basePointG1, g2: basePointG2, h }));
    });
  }

  publicKey(publicKey: Uint8Array): SetupParameter {
    return this.#keep(this.#kept, `key ${encodeHex(publicKey)}`, () => {
      const { BBSPublicKey, SetupParam } = this.#library.dock;
      return SetupParam.bbsPlusSignaturePublicKeyG2(new BBSPublicKey(publicKey));
    });
  }

  /** The points that hidden messages are committed to. */
  commitment(hidden: readonly number[], messageCount: number): SetupParameter {
    return this.#keep(this.#kept, `commitment ${messageCount} ${hidden.join(' ')}`, () =>
      this.#library.dock.SetupParam.pedersenCommitmentKeyG1(commitmentBases(hidden, messageCount)),
    );
  }

  bulletproofs(): SetupParameter {
    const { BoundCheckBppParams, SetupParam } = this.#library.dock;
    this.#bulletproofs ??= SetupParam.bppSetupParamsUncompressed(
      new BoundCheckBppParams(encodeUtf8(bulletproofsLabel), 2, 64).decompress(),
    );
    return this.#bulletproofs;
  }

  setMembership(parameters: Uint8Array): SetupParameter {
    return this.#keep(this.#setMembership, encodeHex(parameters), () => {
      const { BoundCheckSmcWithKVProverParams, SetupParam } = this.#library.dock;
      // The library's own class for these can only make fresh ones; a prover's other kind are the same bytes.
      const read = new BoundCheckSmcWithKVProverParams(parameters);
      return SetupParam.smcSetupParamsUncompressed(read.decompress());
    });
  }

  inequality(): SetupParameter {
    const { dock, commitmentKey } = this.#library;
    this.#inequality ??= dock.SetupParam.pedCommKeyG1Uncompressed(
      new commitmentKey(encodeUtf8(inequalityLabel)).decompress(),
    );
    return this.#inequality;
  }

  clear(): void {
    this.#kept = new RecentMap(keptParametersMax);
    this.#setMembership = new RecentMap(keptRangeParametersMax);
    this.#bulletproofs = undefined;
    this.#inequality = undefined;
  }

  #keep(kept: RecentMap<string, SetupParameter>, name: string, make: () => SetupParameter): SetupParameter {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = make();
    kept.set(name, made);
    return made;
  }
}

/** The parameters of one proof, each by its number. */
export class SetupList {
  readonly parameters: SetupParameter[] = [];

  add(parameter: SetupParameter): number {
    return this.parameters.push(parameter) - 1;
  }
}
