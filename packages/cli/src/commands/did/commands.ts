/**
 * `symbolon did show|publish-key|rotate-key|end-key|name|deactivate`: the DID document of an account, and the keys that
 * its owner publishes in it. Documents are made here from what the node says; private keys come from files alone,
 * and the keys that are published are public ones.
 */

import { given } from '@symbolon/core/basics/plain-values';
import { parseLedgerDid } from '@symbolon/core/did/did';
import { resolveSubject } from '@symbolon/core/did/did-document';
import type { PublishedKeyType } from '@symbolon/core/did/did-log';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { tidyName } from '@symbolon/core/names/template-names';
import type { Signer } from '@symbolon/sdk/keys/signer';
import { readDidHistory } from '@symbolon/sdk/ledger/did-history';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import {
  type DidChanged,
  type DidSendOptions,
  deactivateDid,
  endKey,
  endName,
  type KeyEnded,
  type KeyOrder,
  type KeyPublished,
  publishKey,
  publishName,
  rotateKey,
} from '@symbolon/sdk/transactions/did-keys';
import { stringifyJson } from '@symbolon/wire/json/json';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isPersonName } from '../../profile/account-names.ts';
import { connect, type PartyWords, type SigningWords } from '../../profile/connection.ts';
import { keyFormat } from '../../profile/key-format.ts';
import { addFeeOptions, addLedgerOptions, addSignerOptions, time, urlOption } from '../../profile/options.ts';
import { CommandFailure, usageFailure } from '../../terminal/failure.ts';
import { fieldLines, printDocument } from '../../terminal/layout.ts';
import { processTerminal, type Terminal } from '../../terminal/terminal.ts';
import { chainMeant, withinCaps } from '../../transactions/fee-caps.ts';
import { explained } from '../../transactions/refusals.ts';

type Printing = Pick<Terminal, 'print'>;

/** Nobody by default: what changes here is somebody's identity. */
const owner = () => new Option('--as <person>', 'who of the profile owns the identifier and signs');
const keyType = () =>
  new Option('--type <name>', 'what the key is for').choices(Object.keys(keyTypes)).default('bbs');
const endedKey = () =>
  new Option('--public-key <multibase>', 'the key that ends must be this one, whatever its number');
const validUntil = () => new Option('--valid-until <time>', 'when the key lapses').argParser(seconds);
const validFrom = () => new Option('--valid-from <time>', 'when the key becomes valid').argParser(seconds);

const keyTypes: Readonly<Record<string, PublishedKeyType>> = {
  bbs: 'Bls12381G2Key2020',
  x25519: 'X25519KeyAgreementKey2020',
};

interface KeyWords extends SigningWords {
  readonly type: string;
  readonly validFrom?: number;
  readonly validUntil?: number;
}

/** A key named besides its number. */
interface NamedKey {
  readonly publicKey?: string;
}

interface EndWords extends SigningWords, NamedKey {
  readonly compromised?: boolean;
  readonly since?: number;
}

export function addDidCommands(program: Command, print = processTerminal.print): void {
  const did = program
    .command('did')
    .description('look at DID documents, and publish and end your own keys and name');

  const showing = did
    .command('show')
    .option('--version-id <block>', 'the version made by this block', versionId)
    .option('--version-time <time>', 'the version of this time', seconds);
  addLedgerOptions(showing)
    .addOption(urlOption())
    .description('print the document of an identifier and what the ledger knows about it')
    .argument('<did>', 'the identifier, or a person of the profile')
    .action((did: string, words: ShowWords) => show(did, { ...words, print }));

  const signing = (name: string, description: string) =>
    addSignerOptions(addFeeOptions(did.command(name)), owner())
      .addOption(urlOption())
      .description(description);

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
    .addOption(endedKey())
    .action((number: number, multibase: string, words: KeyWords & NamedKey) =>
      send({ ...words, print }, 'The key is rotated.', ({ client, signer, options }) => {
        const order = { signer, ...endedKeyOf(number, words), ...keyOrder(multibase, words) };
        return rotateKey(client, order, options);
      }),
    );

  signing('end-key', 'end a key: it leaves the document and never comes back')
    .argument('<number>', 'the number of the key', keyNumber)
    .addOption(endedKey())
    .option('--compromised', 'others may have the secret key: what the ledger does not bind is refused')
    .option('--since <time>', 'with --compromised: since when; now if left out', seconds)
    .action((number: number, words: EndWords) => end(number, { ...words, print }));

  signing('name', 'publish what you want to be called; verdicts show it as your own word')
    .argument('[name]', 'the name')
    .option('--end', 'have no name any more')
    .action((name: string | undefined, words: NameWords) => changeName(name, { ...words, print }));

  signing('deactivate', 'give the identifier up, for good')
    .option('--yes', 'yes, for good')
    .action((words: SigningWords & { yes?: boolean }) => {
      if (!words.yes) {
        const advice = 'Nothing was sent. Say --yes if that is what you want.';
        throw usageFailure(`A deactivated identifier never comes back.\n${advice}`);
      }
      return send({ ...words, print }, 'The identifier is deactivated.', ({ client, signer, options }) =>
        deactivateDid(client, { signer }, options),
      );
    });
}

function end(number: number, words: EndWords & Printing): Promise<void> {
  const compromisedSince = compromisedTime(words);
  const done =
    compromisedSince === undefined ? `Key ${number} has ended.` : `Key ${number} has ended as compromised.`;
  const order = { ...endedKeyOf(number, words), ...given({ compromisedSince }) };
  return send(words, done, ({ client, signer, options }) => endKey(client, { signer, ...order }, options));
}

function compromisedTime({ compromised, since }: EndWords): number | undefined {
  const now = Math.floor(Date.now() / 1_000);
  if (compromised && since !== undefined && since > now)
    throw usageFailure(
      '--since lies in the future.\nNothing was sent. Say a time that is past, or leave --since out for now.',
    );
  if (compromised) return since ?? now;
  if (since === undefined) return undefined;
  throw usageFailure(
    '--since says when a key was compromised.\nSay --compromised too, or leave --since out.',
  );
}

interface NameWords extends SigningWords {
  readonly end?: boolean;
}

function changeName(name: string | undefined, words: NameWords & Printing): Promise<void> {
  if ((name === undefined) !== (words.end === true))
    throw usageFailure('Give a name, or --end to have none.');
  return name === undefined
    ? send(words, 'The name has ended.', ({ client, signer, options }) =>
        endName(client, { signer }, options),
      )
    : send(words, 'The name is published.', ({ client, signer, options }) =>
        publishName(client, { signer, name: tidyName(name) }, options),
      );
}

const endedKeyOf = (number: number, { publicKey }: NamedKey) => ({
  number,
  ...given({ endedMultibase: publicKey }),
});

const keyOrder = (publicKeyMultibase: string, { type, validFrom, validUntil }: KeyWords): KeyOrder => ({
  type: keyTypes[type],
  publicKeyMultibase,
  ...given({ validFrom, validUntil }),
});

interface ShowWords extends PartyWords {
  readonly versionId?: string;
  readonly versionTime?: number;
}

async function show(word: string, words: ShowWords & Printing): Promise<void> {
  const { versionId, versionTime, json, print } = words;
  const { ledger: client, person } = await connect(
    { ...words, ...(isPersonName(word) && { as: word }) },
    processTerminal,
  );
  const did = person?.did ?? word;
  const publicKey = parseLedgerDid(did, zetrixProfile);
  if (!publicKey) {
    const form = `did:${zetrixProfile.didMethod}: and 64 lower-case hex digits`;
    throw usageFailure(
      `This is not an identifier of this network.\nIt is ${form}.\nGive one, or a person of the profile such as holder.`,
    );
  }
  if (versionId !== undefined && versionTime !== undefined)
    throw usageFailure('Give --version-id or --version-time, not both.');
  const resolution = await explained('The ledger gives no answer.', async () => {
    const { result } = await client.getLedger({});
    const { entries: records } = await readDidHistory(client, keyFormat.addressOf(publicKey));
    const subject = { did, publicKey, chainId: BigInt(result?.header.chain_id ?? 0), records };
    return resolveSubject(subject, { versionId, versionTime, nowSeconds: Date.now() / 1_000 }, keyFormat);
  });
  if (!resolution) throw new CommandFailure(`The document has no version ${versionId}.`);
  const { document: didDocument, metadata: didDocumentMetadata } = resolution;
  const resolved = { didDocument, didDocumentMetadata };
  if (json) print(JSON.stringify(resolved));
  else printDocument({ ...processTerminal, print }, resolved);
}

interface SigningTools {
  readonly client: LedgerClient;
  readonly signer: Signer;
  readonly options: DidSendOptions;
}

async function send(
  { print, ...words }: SigningWords & Printing,
  done: string,
  order: (tools: SigningTools) => Promise<DidChanged & Partial<KeyPublished & KeyEnded>>,
): Promise<void> {
  const { ledger: client, pins, ...connection } = await connect(words, processTerminal);
  const signer = await connection.signer();
  const refused = 'The ledger refuses this; nothing has changed.';
  const changed = await explained(refused, () =>
    withinCaps({ pins, words }, async (caps) => {
      const { feeLimit } = words;
      const chainId = await chainMeant(client, pins);
      const options = { ...caps, chainId, ...(feeLimit !== undefined && { feeLimit }) };
      return order({ client, signer, options });
    }),
  );
  const { did, verificationMethod, endedMultibase: ended, remainsAs = [], receipt } = changed;
  const { hash, ledgerSeq: block, actualFee: fee } = receipt;
  if (words.json)
    return print(
      stringifyJson({
        did,
        ...(verificationMethod ? { verificationMethod } : {}),
        ...(ended ? { endedPublicKey: ended, remainsAs: [...remainsAs] } : {}),
        hash,
        block,
        fee,
      }),
    );
  print([
    done,
    ...fieldLines(processTerminal, {
      identifier: did,
      key: verificationMethod,
      ended,
      transaction: hash,
      block,
      fee,
    }),
    ...remainsAs.map(
      (number) => `The same key still stands as number ${number}: symbolon did end-key ${number}`,
    ),
  ]);
}

const seconds = (text: string): number => time(text) / 1_000;

function keyNumber(text: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be the number at the end of the key, such as 1.');
}

function versionId(text: string): string {
  if (/^(0|[1-9][0-9]{0,18})$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the number of a block.');
}
