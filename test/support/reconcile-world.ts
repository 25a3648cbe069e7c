/**
 * A service of a folder on a ledger that its operator does things to, with what tests of lost records do again and
 * again: issue, change, ask, and run `symbolon service reconcile` beside it.
 */
import { initServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { readEntry } from '@symbolon/sdk/ledger/registries';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type ChangingLedger, changingLedger } from './changing-ledger.ts';
import type { Owner } from './owner.ts';
import { person } from './people.ts';
import { operations } from './running-node.ts';
import { type RunningService, shareProofs, startService } from './running-service.ts';
import { getService, postService, type ServiceAnswer } from './service-http.ts';
import { ok, paths, revokeBody, signedBlobBody } from './service-steps.ts';
import { type World, worldOf } from './service-world.ts';
import { symbolon } from './symbolon-process.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';
import { until } from './until.ts';

export interface Shown {
  readonly vcId: string;
  readonly vp: JsonObject;
}

export type Act = 'revoke' | 'suspend' | 'reinstate';

export interface ReconcileWorld {
  readonly ledger: ChangingLedger;
  readonly folder: string;
  service(): RunningService;
  world(): World;
  /** Ends the service, does something to its folder, and starts it again. */
  restart(meanwhile?: () => void): Promise<void>;
  register(templateName: string): Promise<string>;
  issue(name: string, templateId: string): Promise<Shown>;
  /** Offers, signs and submits a change of a status; the answer that was the last. */
  change(act: Act, shown: Shown): Promise<ServiceAnswer>;
  verify(shown: Shown): Promise<ServiceAnswer>;
  isVerified(shown: Shown): Promise<unknown>;
  /** What the service says of its status. */
  toldOf(shown: Shown): Promise<JsonObject>;
  statusOf(shown: Shown): Promise<unknown>;
  /** What the ledger itself says, whatever the service does. */
  statusOnLedger(shown: Shown): Promise<string | undefined>;
  /** Takes numbers of the issuer's account for something else. */
  useNumbers(count: number): Promise<void>;
  run(...words: string[]): ReturnType<typeof symbolon>;
  isReady(): Promise<unknown>;
}

export async function reconcileWorld(owner: Owner, proofWorkers = 2): Promise<ReconcileWorld> {
  const proofs = shareProofs(owner, proofWorkers);
  const ledger = await changingLedger(owner);
  const folder = makeTempFolder();
  owner.after(() => removeFolder(folder));
  await initServiceFolder(folder);
  const start = () => startService(owner, { node: ledger.node(), client: ledger.client, proofs, folder });
  let service = await start();
  let world = worldOf(service);

  const change: ReconcileWorld['change'] = async (act, { vcId }) => {
    const { issuer, url } = world;
    const blob = await postService(url, `/cred/v1/vc/${act}/create-blob`, revokeBody(issuer, vcId));
    if (blob.status !== 200) return blob;
    return postService(url, `/cred/v1/vc/${act}/submit`, signedBlobBody(issuer, blob.body));
  };
  const verify: ReconcileWorld['verify'] = ({ vp }) =>
    postService(world.url, paths.verify, { vp, challenge: 'c', domain: 'd' });
  const toldOf: ReconcileWorld['toldOf'] = async ({ vcId }) =>
    ok(await getService(world.url, `/cred/v1/vc/status?vcId=${vcId}`));

  return {
    ledger,
    folder,
    service: () => service,
    world: () => world,
    async restart(meanwhile) {
      await service.close();
      meanwhile?.();
      service = await start();
      world = worldOf(service);
    },
    register: async (templateName) =>
      (await world.steps.registerTemplate(world.issuer, { templateName })).templateId as string,
    async issue(name, templateId) {
      const holder = person(`holder ${name}`);
      const { vcId, vc } = await world.steps.issue({ issuer: world.issuer, holder }, templateId);
      return { vcId, vp: await world.steps.present(holder, { vc, challenge: 'c', domain: 'd' }) };
    },
    change,
    verify,
    isVerified: async (shown) => ok(await verify(shown)).verified,
    toldOf,
    statusOf: async (shown) => (await toldOf(shown)).status,
    async statusOnLedger({ vcId }) {
      const { credentials } = service.served.parts.ledger.registries;
      const named = { issuer: world.issuer.address, credential: vcId };
      return (await readEntry(ledger.client, credentials, named))?.status;
    },
    async useNumbers(count) {
      for (let amount = 1; amount <= count; amount++)
        await ledger.node().execute({
          source: world.issuer,
          operations: [operations.payCoin(person('anybody').address, amount)],
        });
    },
    run: (...words) =>
      symbolon(owner, ['service', 'reconcile', '--data', folder, '--node', ledger.node().url, ...words]),
    isReady: () => until('the service goes on', async () => (await service.served.notReady()) === undefined),
  };
}
