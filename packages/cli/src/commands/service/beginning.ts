/** `symbolon service init`: the folder of a new service, and on request an issuer on it. */
import { given } from '@symbolon/core/basics/plain-values';
import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import type { Records } from '@symbolon/credential-service/wiring/open-records';
import { assertServiceSettings, initServiceFolder } from '@symbolon/credential-service/wiring/service-folder';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import { fundAccounts, payingWords } from '../../issuer/funding.ts';
import type { IssuerWords, ToldIssuer } from '../../issuer/issuer-words.ts';
import { askReadiness } from '../../servers/readiness.ts';
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
  await initServiceFolder(data, settings);
  if (!json)
    print([
      `A new service is in ${data}.`,
      'Keep master.key safe and apart from backups of the database: without it nothing can be read.',
    ]);
  const { registrar, issuer } = await withRecords(
    data,
    async (records, config) => {
      const registrar = records.registrarSigner.address;
      if (name === undefined && fundFrom !== undefined)
        await fundRegistrar(registrar, { ledgerUrl: config.nodeUrl, fundFrom, json });
      const issuer =
        name === undefined ? undefined : await makeIssuer({ name, data, fundFrom, json }, records, config);
      return { registrar, issuer };
    },
    { isNew: true },
  );
  if (json) return print(JSON.stringify({ data, registrar, ...given({ issuer }) }));
  if (name === undefined && fundFrom === undefined)
    print([
      `  registrar  ${registrar}`,
      'It pays for what the service records. Have it paid before the first start:',
      `  ${payingWords(registrar, nodeUrl)}`,
    ]);
  print(`Start it with: symbolon service start --data ${shellWord(data)}`);
}

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
