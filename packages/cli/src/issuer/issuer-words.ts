/** What a command that makes an issuer is told, and how its steps are shown. */
import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import type { Records } from '@symbolon/credential-service/wiring/open-records';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import { ifInterrupted } from '../terminal/interruption.ts';
import { shellWord } from '../terminal/quoting.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addressOfService, folderDesk, type IssuerDesk } from './issuer-desk.ts';
import { type IssuerOrder, type SetUpIssuer, setUpIssuer } from './set-up-issuer.ts';

export interface IssuerWords {
  readonly name: string;
  /** The folder of the service, where it is here. */
  readonly data?: string | undefined;
  readonly key?: string | undefined;
  /** Puts a password on a key that is made. */
  readonly encrypt?: boolean | undefined;
  readonly fundFrom?: string | undefined;
  readonly json?: boolean | undefined;
}

export interface IssuerPlaces {
  readonly desk: IssuerDesk;
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
}

/** The service and the ledger of a folder, whose records are open. */
export const placesOfFolder = (records: Records, config: ServiceConfig): IssuerPlaces => ({
  desk: folderDesk(records),
  serviceUrl: addressOfService(config),
  ledgerUrl: config.nodeUrl,
});

interface SetUpStep {
  readonly step: string;
  readonly outcome: string;
}

/** For programs, too. */
export interface ToldIssuer extends SetUpIssuer {
  readonly profile: string;
  readonly steps: readonly SetUpStep[];
}

/** Makes the issuer and tells every step, in words that people can read while they wait. */
export async function tellSetUp(
  { name, data, key, encrypt, fundFrom, json }: IssuerWords,
  places: IssuerPlaces,
  terminal: Terminal,
): Promise<ToldIssuer> {
  const steps: SetUpStep[] = [];
  const folder = data === undefined ? '' : ` --data ${shellWord(data)}`;
  const funded = fundFrom === undefined ? '' : ` --fund-from ${shellWord(fundFrom)}`;
  const order: IssuerOrder = {
    name,
    ...places,
    ledger: createLedgerClient(httpTransport(places.ledgerUrl)),
    ...(key !== undefined && { keyFile: key }),
    ...(encrypt && { isEncrypted: true }),
    ...(fundFrom !== undefined && { fundFrom }),
    again: `symbolon issuer init ${name}${folder}`,
    tell: (step, outcome) => {
      steps.push({ step, outcome });
      if (!json) terminal.print(`  ${step.padEnd(stepWidth)}  ${outcome}`);
    },
  };
  ifInterrupted([
    'Interrupted. The steps that were told are done, and stay.',
    `This does what is missing: ${order.again}${funded}`,
  ]);
  if (!json) terminal.print(`The issuer ${name}`);
  return { profile: name, ...(await setUpIssuer(order)), steps };
}

const stepWidth = 'published'.length;

/** What to type next, with the profile where it has to be named. */
export const nextWords = ({ profile, isCurrent }: ToldIssuer): string =>
  `symbolon template create --name "Choir membership" --attribute voice:string:required${isCurrent ? '' : ` --profile ${profile}`}`;
