/**
 * `symbolon did show|publish-key|rotate-key|end-key|deactivate`: the DID document of an account, and the keys that
 * its owner publishes in it. Documents are made here from what the node says; private keys come from files alone,
 * and the keys that are published are public ones.
 */

import { parseLedgerDid } from '@symbolon/core/did';
import { resolveSubject } from '@symbolon/core/did-document';
import type { PublishedKeyType } from '@symbolon/core/did-log';
import { createKeyFormat } from '@symbolon/core/keys';
import { int64Max } from '@symbolon/core/limits';
import { zetrixProfile } from '@symbolon/core/profile';
import { sha256 } from '@symbolon/ledger-node/ledger-rules';
import { readDidHistory } from '@symbolon/sdk/did-history';
import {
  type DidChanged,
  type DidSendOptions,
  deactivateDid,
  endKey,
  type KeyOrder,
  publishKey,
  rotateKey,
} from '@symbolon/sdk/did-keys';
import { createLedgerClient, type LedgerClient } from '@symbolon/sdk/ledger-client';
import type { Signer } from '@symbolon/sdk/signer';
import { httpTransport } from '@symbolon/sdk/transport';
import { stringifyJson } from '@symbolon/wire/json';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { told } from './contract-transactions.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { readKeyFile } from './key-file.ts';

type Print = (text: string) => void;
const printLine: Print = (text) => void process.stdout.write(`${text}\n`);

const json = () => new Option('--json', 'print JSON');
const url = () => new Option('--url <address>', 'where the node listens').default('http://127.0.0.1:36002');
const keyFile = () =>
  new Option('--key <file>', 'file with the private key of the identifier').makeOptionMandatory();
const feeLimit = () =>
  new Option(
    '--fee-limit <number>',
    'the most it may cost; a tenth above what the node evaluates, if left out',
  ).argParser(amount);
const keyType = () =>
  new Option('--type <name>', 'what the key is for').choices(Object.keys(keyTypes)).default('bbs');
const validUntil = () => new Option('--valid-until <time>', 'when the key lapses').argParser(time);
const validFrom = () => new Option('--valid-from <time>', 'when the key becomes valid').argParser(time);

const keyTypes: Readonly<Record<string, PublishedKeyType>> = {
  bbs: 'Bls12381G2Key2020',
  x25519: 'X25519KeyAgreementKey2020',
};

interface NodeWords {
  readonly url: string;
  readonly json?: boolean;
}
interface Printing {
  readonly print: Print;
}
interface SigningWords extends NodeWords {
  readonly key: string;
  readonly feeLimit?: bigint;
}
interface KeyWords extends SigningWords {
  readonly type: string;
  readonly validFrom?: number;
  readonly validUntil?: number;
}

export function addDidCommands(program: Command, print: Print = printLine): void {
  const did = program.command('did').description('Look at DID documents, and publish and end your own keys');

  did
    .command('show')
    .description('print the document of an identifier and what the ledger knows about it')
    .argument('<did>', 'the identifier')
    .option('--version-id <block>', 'the version made by this block', versionId)
    .option('--version-time <time>', 'the version of this time', time)
    .addOption(url())
    .addOption(json())
    .action((did: string, words: ShowWords) => show(did, { ...words, print }));

  const signing = (name: string, description: string) =>
    did
      .command(name)
      .description(description)
      .addOption(keyFile())
      .addOption(feeLimit())
      .addOption(url())
      .addOption(json());

  signing('publish-key', 'add a public key to your document')
    .argument('<multibase>', 'the public key, in multibase')
    .addOption(keyType())
    .addOption(validFrom())
    .addOption(validUntil())
    .action((multibase: string, words: KeyWords) =>
      send({ ...words, print }, 'The key is published.', ({ client, signer, options }) =>
        publishKey(client, { signer, ...keyOrder(multibase, words) }, options),
      ),
    );

  signing('rotate-key', 'end a key and publish its successor, both at once')
    .argument('<number>', 'the number of the key that ends', keyNumber)
    .argument('<multibase>', 'the new public key, in multibase')
    .addOption(keyType())
    .addOption(validFrom())
    .addOption(validUntil())
    .action((number: number, multibase: string, words: KeyWords) =>
      send({ ...words, print }, 'The key is rotated.', ({ client, signer, options }) =>
        rotateKey(client, { signer, number, ...keyOrder(multibase, words) }, options),
      ),
    );

  signing('end-key', 'end a key: it leaves the document and never comes back')
    .argument('<number>', 'the number of the key', keyNumber)
    .action((number: number, words: SigningWords) =>
      send({ ...words, print }, 'The key has ended.', ({ client, signer, options }) =>
        endKey(client, { signer, number }, options),
      ),
    );

  signing('deactivate', 'give the identifier up, for good')
    .option('--yes', 'yes, for good')
    .action((words: SigningWords & { yes?: boolean }) => {
      if (!words.yes) {
        const advice = 'Nothing was sent. Say --yes if that is what you want.';
        throw new CommandFailure(`A deactivated identifier never comes back.\n${advice}`, exitCodes.usage);
      }
      return send({ ...words, print }, 'The identifier is deactivated.', ({ client, signer, options }) =>
        deactivateDid(client, { signer }, options),
      );
    });
}

const keyOrder = (publicKeyMultibase: string, { type, validFrom, validUntil }: KeyWords): KeyOrder => ({
  type: keyTypes[type],
  publicKeyMultibase,
  ...(validFrom === undefined ? {} : { validFrom }),
  ...(validUntil === undefined ? {} : { validUntil }),
});

interface ShowWords extends NodeWords {
  readonly versionId?: string;
  readonly versionTime?: number;
}

async function show(did: string, words: ShowWords & Printing): Promise<void> {
  const { versionId, versionTime, json, print } = words;
  const publicKey = parseLedgerDid(did, zetrixProfile);
  if (!publicKey) {
    const form = `did:${zetrixProfile.didMethod}: and 64 lower-case hex digits`;
    throw new CommandFailure(`This is not an identifier of this network.\nIt is ${form}.`, exitCodes.usage);
  }
  if (versionId !== undefined && versionTime !== undefined)
    throw new CommandFailure('Give --version-id or --version-time, not both.', exitCodes.usage);
  const keys = createKeyFormat(zetrixProfile, sha256);
  const resolution = await told({ json, print, refused: 'The ledger gives no answer.' }, async () => {
    const client = createLedgerClient(httpTransport(words.url));
    const { result } = await client.getLedger({});
    const { entries: records } = await readDidHistory(client, keys.addressOf(publicKey));
    const subject = { did, publicKey, chainId: BigInt(result?.header.chain_id ?? 0), records };
    return resolveSubject(subject, { versionId, versionTime, nowSeconds: Date.now() / 1_000 }, keys);
  });
  if (!resolution) throw new CommandFailure(`The document has no version ${versionId}.`);
  const { document: didDocument, metadata: didDocumentMetadata } = resolution;
  print(JSON.stringify({ didDocument, didDocumentMetadata }, undefined, json ? undefined : 2));
}

interface SigningTools {
  readonly client: LedgerClient;
  readonly signer: Signer;
  readonly options: DidSendOptions;
}

async function send(
  { print, ...words }: SigningWords & Printing,
  done: string,
  order: (tools: SigningTools) => Promise<DidChanged & { readonly verificationMethod?: string }>,
): Promise<void> {
  const signer = await readKeyFile(words.key, (text) => void process.stderr.write(`${text}\n`));
  const refused = 'The ledger refuses this; nothing has changed.';
  const changed = await told({ json: words.json, print, refused }, () => {
    const options = words.feeLimit === undefined ? {} : { feeLimit: words.feeLimit };
    return order({ client: createLedgerClient(httpTransport(words.url)), signer, options });
  });
  const { did, verificationMethod, receipt } = changed;
  const { hash, ledgerSeq: block, actualFee: fee } = receipt;
  if (words.json)
    return print(
      stringifyJson({ did, ...(verificationMethod ? { verificationMethod } : {}), hash, block, fee }),
    );
  const key = verificationMethod === undefined ? '' : `\n  key          ${verificationMethod}`;
  print(
    `${done}\n  identifier   ${did}${key}\n  transaction  ${hash}\n  block        ${block}\n  fee          ${fee}`,
  );
}

function time(text: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(text);
  const milliseconds = isTime ? Date.parse(text) : Number.NaN;
  if (milliseconds >= 0) return milliseconds / 1_000;
  throw new InvalidArgumentError('It must be a date or a time such as 2030-01-31 or 2030-01-31T12:00:00Z.');
}

function keyNumber(text: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be the number at the end of the key, such as 1.');
}

function versionId(text: string): string {
  if (/^(0|[1-9][0-9]{0,18})$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the number of a block.');
}

function amount(text: string): bigint {
  const isNumber = /^[0-9]{1,19}$/.test(text);
  if (isNumber && BigInt(text) <= int64Max) return BigInt(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 9223372036854775807.');
}
