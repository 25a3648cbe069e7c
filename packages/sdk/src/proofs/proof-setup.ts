/**
 * Parameters of statements as the proof library wants them. Decoding points costs about as much as proving with them,
 * so what was decoded once is kept, bounded, and handed to a proof by its number in the proof's own list.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { RecentMap } from '@symbolon/core/basics/recent-map';
import { commitmentBases } from '@symbolon/core/proofs/commitment';
import { createGenerators } from '@symbolon/core/proofs/generators';
import type { BbsInterface } from '@symbolon/core/proofs/proof-engine';
import { basePointG1, basePointG2 } from '@symbolon/core/proofs/suite';
import type { DockModule } from './dock-library.ts';
import { rangeLabels } from './statement-facts.ts';

/** Keys, numbers of messages and choices of hidden ones come from many credentials; each takes some kilobytes. */
const keptParametersMax = 64;
/** Made by verifiers, and larger. */
const keptRangeParametersMax = 8;

/** The draft's points, with which the library signs. */
export const signatureParameters = (kind: BbsInterface, messageCount: number) => ({
  g1: basePointG1,
  g2: basePointG2,
  h: createGenerators(kind, messageCount),
});

type Kept = Map<string, Uint8Array> | RecentMap<string, Uint8Array>;

export class KeptParameters {
  readonly #dock: DockModule;
  #kept = new RecentMap<string, Uint8Array>(keptParametersMax);
  #setMembership = new RecentMap<string, Uint8Array>(keptRangeParametersMax);
  /** Those without a choice: made when first needed, which takes a fifth of a second. */
  #fixed = new Map<string, Uint8Array>();

  constructor(dock: DockModule) {
    this.#dock = dock;
  }

  signature(kind: BbsInterface, messageCount: number): Uint8Array {
    return this.#keep(this.#kept, `signature ${kind} ${messageCount}`, () =>
      this.#dock.generateSetupParamForBBSSignatureParameters(signatureParameters(kind, messageCount)),
    );
  }

  publicKey(publicKey: Uint8Array): Uint8Array {
    return this.#keep(this.#kept, `key ${encodeHex(publicKey)}`, () =>
      this.#dock.generateSetupParamForBBSPlusPublicKeyG2(publicKey),
    );
  }

  /** The points that hidden messages are committed to. */
  commitment(hidden: readonly number[], messageCount: number): Uint8Array {
    return this.#keep(this.#kept, `commitment ${messageCount} ${hidden.join(' ')}`, () =>
      this.#dock.generateSetupParamForPedersenCommitmentKeyG1(commitmentBases(hidden, messageCount)),
    );
  }

  bulletproofs(): Uint8Array {
    return this.#keep(this.#fixed, 'bulletproofs', () => {
      const made = this.#dock.boundCheckBppSetup(rangeLabels.bulletproofs, 2, 64, true);
      return this.#dock.generateSetupParamForBppParams(made, true);
    });
  }

  setMembership(parameters: Uint8Array): Uint8Array {
    return this.#keep(this.#setMembership, encodeHex(parameters), () =>
      this.#dock.generateSetupParamForSmcParams(this.#dock.decompressSmcParams(parameters), true),
    );
  }

  inequality(): Uint8Array {
    return this.#keep(this.#fixed, 'inequality', () => {
      const made = this.#dock.generatePedersenCommKeyG1(rangeLabels.inequality, true);
      return this.#dock.generateSetupParamForCommitmentKey(made, true);
    });
  }

  clear(): void {
    this.#kept = new RecentMap(keptParametersMax);
    this.#setMembership = new RecentMap(keptRangeParametersMax);
    this.#fixed = new Map();
  }

  #keep(kept: Kept, name: string, make: () => Uint8Array): Uint8Array {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = make();
    kept.set(name, made);
    return made;
  }
}
