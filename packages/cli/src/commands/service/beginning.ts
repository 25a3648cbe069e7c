/** `symbolon service init`: the folder of a new service, and on request an issuer on it. */
import { given } from '@symbolon/core/basics/plain-values';
import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import { VaultError } from '@symbolon/credential-service/vault/vault-error';
import type { Records } from '@symbolon/credential-service/wiring/open-records';
import { assertServiceSettings, initServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import { fundAccounts, payingWords } from '../../issuer/funding.ts';
import type { IssuerWords, ToldIssuer } from '../../issuer/issuer-words.ts';
import { askReadiness } from '../../servers/readiness.ts';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { ifInterrupted } from '../../terminal/interruption.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { processTerminal } from '../../terminal/terminal.ts';
import { withRecords } from './records.ts';

const { print, remark } = processTerminal;

interface InitWords {
  readonly data: string;
  readonly json?: boolean;
  readonly port?: number;
  readonly node?: string;
  readonly withIssuer?: string;
  readonly fundFrom?: string;
}

export async function initService(words: InitWords): Promise<void> {
  const { data, node, port, withIssuer: name, fundFrom, json } = words;
  const settings = given({ nodeUrl: node, port });
  // Before anything is written: what is left of a refused start would be in the way of the next.
  const { nodeUrl } = assertServiceSettings(settings, { env: process.env });
  if (name !== undefined || fundFrom !== undefined) await askReadiness(new URL('/readyz', nodeUrl), 'node');
  ifInterrupted([
    `Interrupted. The folder ${data} may have been begun, and holds nothing of value yet.`,
    'Delete it, and give the same command again.',
  ]);
  const takeBack = await initServiceFolder(data, settings);
  const { registrar, issuer, hadService } = await withRecords(
    data,
    async (records, config) => {
      const { hadService } = records;
      if (!json) print(madeWords(data, hadService));
      const registrar = records.registrarSigner.address;
      if (name === undefined && fundFrom !== undefined)
        await fundRegistrar(registrar, { ledgerUrl: config.nodeUrl, fundFrom, json });
      const issuer =
        name === undefined ? undefined : await makeIssuer({ name, data, fundFrom, json }, records, config);
      return { registrar, issuer, hadService };
    },
    { isNew: true },
  ).catch(async (error: unknown) => {
    if (!(error instanceof VaultError) || error.code !== 'wrongMasterKey') throw error;
    await takeBack();
    throw new CommandFailure(otherKeyWords(data), exitCodes.config);
  });
  if (json) return print(JSON.stringify({ data, registrar, ...given({ issuer }) }));
  if (hadService) print(`  registrar  ${registrar}`);
  else if (name === undefined && fundFrom === undefined)
    print([
      `  registrar  ${registrar}`,
      'It pays for what the service records. Have it paid before the first start:',
      `  ${payingWords(registrar, nodeUrl)}`,
    ]);
  print(`Start it with: symbolon service start --data ${shellWord(data)}`);
}

const madeWords = (data: string, hadService: boolean): readonly string[] =>
  hadService
    ? [`A replica is in ${data}: its database has the records of a service, and the master key fits.`]
    : [
        `A new service is in ${data}.`,
        'Keep master.key safe and apart from backups of the database: without it nothing can be read.',
      ];

const otherKeyWords = (data: string): string =>
  [
    'The database has the records of a service already, sealed under another master key; nothing was made.',
    `A replica of that service has its master key: put a copy of its master.key into ${data}, for its owner alone, and give the command again. Where the key is in a hardware module, set SYMBOLON_MASTER_KEY_HSM_… as it has them.`,
    'A new service takes a database of its own: SYMBOLON_DATABASE.',
  ].join('\n');

async function makeIssuer(words: IssuerWords, records: Records, config: ServiceConfig): Promise<ToldIssuer> {
  const { tellSetUp, placesOfFolder } = await import('../../issuer/issuer-words.ts');
  return tellSetUp(words, placesOfFolder(records, config), processTerminal);
}

interface RegistrarFunds {
  readonly ledgerUrl: string;
  readonly fundFrom: string;
  readonly json: boolean | undefined;
}

/** A folder that is made stays, whatever becomes of the payment; then it is made by hand. */
async function fundRegistrar(address: string, { ledgerUrl, fundFrom, json }: RegistrarFunds): Promise<void> {
  const tell = (what: string, outcome: string): void => {
    if (!json) print(`  ${what}  ${outcome}`);
  };
  const again = payingWords(address, ledgerUrl, shellWord(fundFrom));
  const order = { ledgerUrl, ledger: createLedgerClient(httpTransport(ledgerUrl)), fundFrom, again, tell };
  await fundAccounts(order, [{ what: 'registrar', address }]).catch((error: unknown) => {
    remark(`The service is made, but its registrar has nothing yet. Pay it: ${again}`);
    throw error;
  });
}
