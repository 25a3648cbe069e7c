/**
 * The demo's first data: an issuer whose BBS+ key the service keeps and whose document names it, two holders and a
 * verifier, each with money, an API key and a place in `demo.json`; then a token, templates and credentials. Every step
 * may have been done before: a start that was cut short is completed by the next, and one that finds everything in
 * place changes nothing.
 */
import { assert } from '@symbolon/core/basics/assert';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { parseBbsPublicKey } from '@symbolon/core/did/did';
import { foldDidRecords } from '@symbolon/core/did/did-document';
import type { ApiKeys } from '@symbolon/credential-service/access/api-keys';
import { readChainTerms } from '@symbolon/credential-service/ledger/chain-terms';
import type { Preparation } from '@symbolon/credential-service/operation/serve-service';
import { keepBbsKey } from '@symbolon/credential-service/vault/caller-keys';
import type { LedgerClient, Signer } from '@symbolon/sdk/index';
import { readDidHistory } from '@symbolon/sdk/ledger/did-history';
import { publishKey } from '@symbolon/sdk/transactions/did-keys';
import { demoToken } from './content.ts';
import { attributeTypes, type DemoData, type DemoDocument, readDemoFile, writeDemoFile } from './file.ts';
import { grantFunds } from './funds.ts';
import { demoLimits } from './limits.ts';
import { ensureProfile, publishOwnName } from './names.ts';
import {
  type DemoPerson,
  type DemoRole,
  demoBbsPublicKey,
  demoBbsSecretKey,
  demoPerson,
  demoRoles,
  demoScopes,
  demoTokenOwner,
} from './people.ts';
import { ensureRecords, listRecords } from './records.ts';
import { ensureToken } from './token.ts';

export interface DemoOrder extends Preparation {
  /** Where `demo.json` is. */
  readonly file: string;
  /** Pays for everything. */
  readonly funder: Signer;
  readonly ledgerUrl: string;
  /** The code of the demo's token. Without one there are people and nothing else. */
  readonly tokenSource?: string;
}

export const demoFileWarning =
  'The private keys of this file are PUBLICLY KNOWN. They are for trying things out on this machine.';

type People = Readonly<Record<DemoRole, DemoPerson>>;

export async function prepareDemo(order: DemoOrder): Promise<DemoDocument> {
  const { file, apiKeys, url, ledgerUrl } = order;
  const known = await readDemoFile(file);
  const people = await makePeople(order);
  const data = await makeData(order, people);
  const entry = async (role: DemoRole) => {
    const { name, did, address, privateKey, publicKey } = people[role];
    const apiKey = await apiKeyOf(apiKeys, people[role], known?.[role].apiKey);
    return { name, did, address, privateKey, publicKey, apiKey };
  };
  const document: DemoDocument = {
    warning: demoFileWarning,
    service: url,
    ledger: ledgerUrl,
    pins: await pinsOf(order),
    issuer: { ...(await entry('issuer')), bbsPublicKeyMultibase: demoBbsPublicKey },
    holder: await entry('holder'),
    holder2: await entry('holder2'),
    verifier: await entry('verifier'),
    attributeTypes: attributeTypes(),
    ...data,
  };
  if (JSON.stringify(known) !== JSON.stringify(document)) await writeDemoFile(file, document);
  return document;
}

async function pinsOf({ client, parts }: DemoOrder): Promise<DemoDocument['pins']> {
  const { chainId } = await readChainTerms(client);
  const { templates, credentials } = parts.ledger.registries;
  return { chainId: Number(chainId), templateRegistry: templates, credentialRegistry: credentials };
}

/** Everybody with money, and the issuer's BBS+ key in the vault. */
async function makePeople(order: DemoOrder): Promise<People> {
  const { funder, client, parts, registrarAddress, tokenSource } = order;
  const made = await Promise.all(demoRoles.map((role) => demoPerson(role, parts.keys)));
  const people = Object.fromEntries(made.map((person) => [person.role, person])) as People;
  const { personFunds, registrarFunds } = demoLimits;
  const tokenOwner = tokenSource === undefined ? [] : [await demoTokenOwner(parts.keys)];
  await grantFunds(client, funder, [
    { address: registrarAddress, amount: registrarFunds },
    ...[...made, ...tokenOwner].map(({ address }) => ({ address, amount: personFunds })),
  ]);
  await keepBbsKey(parts.database.kysely, parts.vault, {
    owner: people.issuer.did,
    publicKey: demoBbsPublicKey,
    secretKey: demoBbsSecretKey(),
    now: parts.clock.nowMs(),
  });
  return people;
}

async function makeData(order: DemoOrder, people: People): Promise<DemoData> {
  const { client, parts, tokenSource: source } = order;
  const keyPublished = publishIssuerKey(client, people.issuer);
  if (source === undefined) {
    await keyPublished;
    return { templates: [], credentials: [] };
  }
  const grants = Object.entries(demoToken.grants).map(([role, value]) => ({
    address: people[role as DemoRole].address,
    value,
  }));
  const token = ensureToken({ client, keys: parts.keys, source, grants });
  const records = { parts, people, token };
  // An issuer that has given up its key issues nothing, not even what is missing. Its account does one thing at a time.
  const making = keyPublished.then(async (canIssue) => {
    await publishOwnName(client, people.issuer);
    if (canIssue) await ensureRecords(records);
  });
  const [address] = await Promise.all([token, making]);
  for (const person of [people.issuer, people.verifier]) await ensureProfile(parts, person);
  const { name, symbol, decimals } = demoToken;
  return { ...(await listRecords(records)), token: { address, name, symbol, decimals } };
}

/** Once only: whoever ended the key, or gave the identifier up, meant it. Answers whether the key is good. */
async function publishIssuerKey(client: LedgerClient, issuer: DemoPerson): Promise<boolean> {
  const publicKeyMultibase = demoBbsPublicKey;
  const raw = parseBbsPublicKey(publicKeyMultibase);
  assert(raw, 'the public key of the demo can be read');
  const { entries } = await readDidHistory(client, issuer.address);
  const { keys, isDeactivated } = foldDidRecords(entries);
  const published = [...keys.values()].find((key) => equalBytes(key.publicKey, raw));
  if (isDeactivated || published) return !isDeactivated && published?.endedAt === undefined;
  const type = 'Bls12381G2Key2020';
  const { pollIntervalMs } = demoLimits;
  await publishKey(client, { signer: issuer.signer, type, publicKeyMultibase }, { pollIntervalMs });
  return true;
}

async function apiKeyOf(apiKeys: ApiKeys, person: DemoPerson, known: string | undefined): Promise<string> {
  const scopes = demoScopes[person.role];
  const bearer = known === undefined ? undefined : await apiKeys.authenticate(known);
  const isGood = bearer?.did === person.did && scopes.every((scope) => bearer.scopes.has(scope));
  if (known !== undefined && isGood) return known;
  const { token } = await apiKeys.create({ label: `demo ${person.role}`, did: person.did, scopes });
  return token;
}
