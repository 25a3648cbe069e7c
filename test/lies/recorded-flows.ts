/** Every flow, carried out once with honest servers and taken down, and once more for another order. */
import assert from 'node:assert/strict';
import { presentCredential } from '@symbolon/sdk/index';
import type { Owner } from '../support/owner.ts';
import { twelveValues } from '../support/service-steps.ts';
import { createWatch, type Flow, partsOf, type RunTerms } from './flow.ts';
import { holderFlows } from './flows-holder.ts';
import { issuerFlows } from './flows-issuer.ts';
import { payerFlows } from './flows-payer.ts';
import { readerFlows } from './flows-reader.ts';
import { type LiesWorld, ledgerTransport, startLiesWorld } from './lies-world.ts';
import { recording, type Tape } from './tape.ts';

export const flowNames = [
  'registerTemplate',
  'registerTemplate of twelve attributes',
  'issueCredential',
  'issueCredential with an own BBS key',
  'issueRow with a key of the holder',
  'issueRow of an application',
  'suspendCredential',
  'reinstateCredential',
  'revokeCredential',
  'revokeCredential with a remark',
  'applyForCredential',
  'downloadCredential and keep it',
  'presentCredential',
  'presentCredential of ranges',
  'presentCredential of an age',
  'presentCredential of several credentials',
  'derivePresentation',
  'buyCredential with coins',
  'buyCredential with a token',
  'sendTransaction that pays coins',
  'sendTransaction with terms of its own',
  'sendTransaction that pays an asset',
  'sendTransaction that sets metadata',
  'sendTransaction that calls a contract',
  'signPayment of coins',
  'createExactScheme of a token',
  'publishKey',
  'rotateKey',
  'endKey',
  'publishName',
  'publishService',
  'deactivateDid',
  'signerFromCustody',
  'openSignedResult',
  'verifyStateProof',
  'fetchOfflineFacts',
  'askVerdict',
] as const;

export interface RecordedFlow {
  readonly flow: Flow;
  readonly tape: Tape;
  /** Of another order. */
  readonly other?: Tape;
  readonly terms: RunTerms;
  /** What must not get to anybody whom it is not meant for. */
  readonly secrets: readonly string[];
}

export interface Recorded {
  readonly world: LiesWorld;
  of(name: string): RecordedFlow;
}

/** Who waits for a receipt from a liar does not wait long. */
const shortWait = { timeoutMs: 30, pollIntervalMs: 3 };

export async function recordFlows(owner: Owner): Promise<Recorded> {
  const world = await startLiesWorld(owner);
  const audience = world.serviceUrl;
  const take = async (run: Flow['run']): Promise<Tape> => {
    const servers = recording(world.serviceUrl, ledgerTransport(world));
    await run(partsOf(servers, createWatch(), { audience, wait: {} }));
    return servers.tape();
  };
  const made = new Map<string, RecordedFlow>();
  for (const make of await flowsOf(world)) {
    const flow = await make();
    const tape = flow.tape ?? (await take(flow.run));
    const other = flow.other ? await take(flow.other) : undefined;
    const terms = { audience, wait: shortWait };
    made.set(flow.name, { flow, tape, ...(other && { other }), terms, secrets: secretsOf(world) });
  }
  return {
    world,
    of: (name) => {
      const found = made.get(name);
      assert.ok(found, `there is no flow ${name}`);
      return found;
    },
  };
}

async function flowsOf(world: LiesWorld): Promise<(() => Promise<Flow>)[]> {
  const given = (flows: readonly Flow[]) => flows.map((flow) => async () => flow);
  const order = {
    vc: world.held[0],
    revealAttributes: ['city'],
    challenge: 'asked-once',
    domain: 'shop.example',
  };
  const shown = await presentCredential(world.service.stranger, { signer: world.holder.signer, ...order });
  return [
    ...(await issuerFlows(world)),
    ...given(holderFlows(world)),
    ...given(await payerFlows(world)),
    ...readerFlows(world, shown),
  ];
}

/** Values of the holder, and everybody's API keys. */
const secretsOf = ({ service, ownKeys }: LiesWorld): string[] => [
  ...Object.values(twelveValues).filter((value) => value.length > 4),
  service.issuer.apiKey,
  ownKeys.apiKey,
];
