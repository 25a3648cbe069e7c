/**
 * Mutated proofs, signatures, keys, commitments and parameters through the workers of a service: none is taken for good,
 * good ones are all the while, nobody but who sent it notices what one does to an engine, and memory stays. With a second
 * pool the verdicts of two engines are compared.
 */
import { isDeepStrictEqual } from 'node:util';
import { ProofEngineError, type ProofOrder, type SignatureOrder } from '@symbolon/core/proofs/proof-engine';
import type { ProofPool } from '@symbolon/credential-service/proofs/proof-workers';
import { createRandom, type Random } from '../../crash/seeded-random.ts';
import { type Chance, changedDerive, changedProof, changedSignature } from './mutations.ts';
import { strayPoints } from './points.ts';
import { makeSamples, type ProofForm, type ProofSample, type ProofSamples } from './samples.ts';

export interface FuzzPlan {
  readonly count: number;
  readonly seed: number;
  readonly pool: ProofPool;
  /** Asked the same once in so many times. */
  readonly second?: { readonly pool: ProofPool; readonly every: number };
  readonly onProgress?: (done: number) => void;
}

export interface FuzzResult {
  /** Answered with no, and refused as no proof or key at all. */
  readonly denied: number;
  readonly refused: number;
  /** Good ones that were verified in between. */
  readonly good: number;
  readonly compared: number;
  /** What must not be, in words. */
  readonly wrong: readonly string[];
}

/** For the pools, however slow the machine is: what is looked for is not found by giving up. */
export const patience = { waitMs: 3_600_000, startMs: 3_600_000 };

const inFlight = 16;
const goodEvery = 50;
const strays = 16;

type Verdict = boolean | 'refused';

/** Yes, no, or that it is none at all. Every other failure of the engine is thrown. */
async function verdictOf(ask: () => Promise<boolean>): Promise<Verdict> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProofEngineError && error.code === 'invalidInput') return 'refused';
    throw error;
  }
}

/** One thing to ask, of either pool. */
interface Trial {
  readonly what: string;
  readonly isChanged: boolean;
  ask(pool: ProofPool): Promise<boolean>;
}

function pickForm(forms: readonly ProofForm[], random: Random): readonly [ProofSample, ProofSample] {
  const { pair } = random.pick(forms.flatMap((form) => Array<ProofForm>(form.weight).fill(form)));
  return random.chance(0.5) ? pair : [pair[1], pair[0]];
}

function proofTrial(original: ProofOrder, order: ProofOrder, name: string): Trial {
  return {
    what: `proof, ${name}`,
    isChanged: !isDeepStrictEqual(order, original),
    ask: (pool) => pool.verifyProof(order),
  };
}

function signatureTrial(original: SignatureOrder, order: SignatureOrder): Trial {
  return {
    what: 'signature',
    isChanged: !isDeepStrictEqual(order, original),
    ask: (pool) => pool.verifySignature(order),
  };
}

/** A proof made from what is not right must not prove what was signed. It may be that none is made. */
function deriveTrial(one: ProofSample, other: ProofSample, chance: Chance): Trial {
  const order = changedDerive(one, other, chance);
  return {
    what: `derived, ${one.name}`,
    isChanged: !isDeepStrictEqual(order, one.derive),
    async ask(pool) {
      const proof = await pool.derive(order).catch((error: unknown) => {
        if (error instanceof ProofEngineError && error.code === 'failed') return undefined;
        throw error;
      });
      return proof !== undefined && pool.verifyProof({ ...one.order, proof });
    },
  };
}

function anyTrial({ forms, signatures }: ProofSamples, chance: Chance): Trial {
  const { random } = chance;
  const [one, other] = pickForm(forms, random);
  if (random.chance(0.1)) return signatureTrial(signatures[0], changedSignature(...signatures, chance));
  if (random.chance(0.05)) return deriveTrial(one, other, chance);
  return proofTrial(one.order, changedProof(one, other, chance), one.name);
}

/** Some changes change nothing, where there is no range for one. */
function nextTrial(samples: ProofSamples, chance: Chance): Trial {
  for (;;) {
    const trial = anyTrial(samples, chance);
    if (trial.isChanged) return trial;
  }
}

export async function fuzzProofs({ count, seed, pool, second, onProgress }: FuzzPlan): Promise<FuzzResult> {
  const samples = await makeSamples(pool);
  const random = createRandom(seed);
  const chance: Chance = { random, strays: strayPoints(random, strays) };
  const result = { denied: 0, refused: 0, good: 0, compared: 0, wrong: [] as string[] };

  let attempts = 0;
  async function attempt({ what, ask }: Trial, number: number): Promise<void> {
    const isCompared = second !== undefined && attempts++ % second.every === 0;
    const verdict = await verdictOf(() => ask(pool));
    if (verdict === true) result.wrong.push(`${what}: number ${number} was verified`);
    else if (verdict === 'refused') result.refused += 1;
    else result.denied += 1;
    if (!isCompared) return;
    result.compared += 1;
    const otherVerdict = await verdictOf(() => ask(second.pool));
    if (otherVerdict !== verdict)
      result.wrong.push(
        `${what}: number ${number} was ${verdict} for one engine, ${otherVerdict} for the other`,
      );
  }

  async function checkGood(): Promise<void> {
    const [{ order, name }] = pickForm(samples.forms, random);
    result.good += 1;
    if (!(await pool.verifyProof(order))) result.wrong.push(`good, ${name}: was not verified`);
  }

  let done = 0;
  async function work(): Promise<void> {
    while (done < count) {
      const number = done++;
      const trial = nextTrial(samples, chance);
      await (number % goodEvery === 0 ? checkGood() : attempt(trial, number)).catch((error: unknown) => {
        result.wrong.push(`${trial.what}: number ${number} failed: ${error}`);
      });
      onProgress?.(number);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work));
  return result;
}
