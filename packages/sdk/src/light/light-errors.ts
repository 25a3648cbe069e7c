/** The ways in which a node's word about a network is not believed. */
import type { LightRefusal, LightRefusalName } from '@symbolon/core/light/light-verification';
import type { JsonValue } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';

const hints: Partial<Record<LightRefusalName, string>> = {
  trustExpired: 'Take a newer anchor from a source that you trust, or keep what the light client stores.',
  otherThanTrusted: 'Check the anchor. If it is right, the node is of another network, or lies.',
  otherChain: 'Check the anchor. If it is right, the node is of another network.',
  timeInFuture: 'Set the clock of this machine. If it is right, ask another node.',
};

/** A block that a node shows is not to be believed: `refusal` says by name what is wrong with it. */
export class LightBlockRefused extends SdkError {
  readonly refusal: LightRefusal;

  constructor(refusal: LightRefusal) {
    const hint = hints[refusal.name] ?? 'Use nothing of what this node says: it is damaged or dishonest.';
    super('lightBlockRefused', `a block of the network is not believed: ${refusal.detail}`, { hint });
    this.refusal = refusal;
  }
}

/**
 * Two blocks of one height, each signed by enough of the validators: some of these have signed both, and `blocks` is
 * the evidence.
 */
export class NetworkForked extends SdkError {
  readonly seq: bigint;
  /** As the nodes sent them. */
  readonly blocks: readonly [JsonValue, JsonValue];

  constructor(seq: bigint, blocks: readonly [JsonValue, JsonValue]) {
    const hint = 'Believe neither. Keep both blocks, and tell the operators of the network.';
    super('networkForked', `there are two blocks ${seq}, and validators have signed both`, { hint });
    this.seq = seq;
    this.blocks = blocks;
  }
}
