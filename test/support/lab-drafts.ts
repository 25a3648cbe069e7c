/** Drafts for the lab, as links: what the page writes into its address. */
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import type { JsonObject } from '@symbolon/wire/json/json';
import { linkOfDraft } from '../../packages/console/src/desks/lab/draft/draft-link.ts';
import type { ConsoleWorld } from './console-world.ts';

export interface DemoPerson {
  readonly person: string;
  readonly name: string;
  readonly address: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

interface LabFacts {
  readonly issuer: DemoPerson;
  readonly holder: DemoPerson;
  readonly credentialRegistry: string;
}

/** Whom the demo has, and its registry. */
export async function labFacts(world: ConsoleWorld): Promise<LabFacts> {
  const answer = await fetch(`${world.console.url}/console/config`);
  const { people, network } = (await answer.json()) as {
    people: DemoPerson[];
    network: { credentialRegistry: string };
  };
  const of = (role: string) => people.find(({ person }) => person === role) as DemoPerson;
  return { issuer: of('issuer'), holder: of('holder'), credentialRegistry: network.credentialRegistry };
}

/** An address without an account, of a key that nobody has. */
export const nobodyYet = usualKeyFormat.addressOf(new Uint8Array(32).fill(9));

export const payment = (to: string, amount: string): JsonObject => ({
  type: 7,
  pay_coin: { dest_address: to, amount },
});

export const website: JsonObject = { type: 4, set_metadata: { key: 'website', value: 'university.example' } };

export const draftPath = (source: string, ...operations: JsonObject[]): string =>
  wholeDraftPath({ source_address: source, operations });

export const wholeDraftPath = (draft: JsonObject): string => `/lab/build?draft=${linkOfDraft(draft)}`;
