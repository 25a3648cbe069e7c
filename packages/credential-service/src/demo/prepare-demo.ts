/**
 * The demo's first data: an issuer whose BBS+ key the service keeps and whose document names it, a holder and a
 * verifier, each with money, an API key and a place in `demo.json`. Every step may have been done before: a start that
 * was cut short is completed by the next, and one that finds everything in place changes nothing.
 */
import { assert } from '@symbolon/core/assert';
import { parsePublicKey } from '@symbolon/core/bbs/key-text';
import { equalBytes } from '@symbolon/core/bytes';
import { foldDidRecords } from '@symbolon/core/did-document';
import { demoLimits } from '@symbolon/core/limits';
import { readDidHistory } from '@symbolon/sdk/did-history';
import { publishKey } from '@symbolon/sdk/did-keys';
import type { LedgerClient, Signer } from '@symbolon/sdk/index';
import type { ApiKeys } from '../access/api-keys.ts';
import type { Preparation } from '../serve-service.ts';
import { keepBbsKey } from '../vault/caller-keys.ts';
import { attributeTypes, type DemoDocument, readDemoFile, writeDemoFile } from './demo-file.ts';
import { grantFunds } from './demo-funds.ts';
import {
  type DemoPerson,
  demoBbsPublicKey,
  demoBbsSecretKey,
  demoPerson,
  demoScopes,
} from './demo-people.ts';

export interface DemoOrder extends Preparation {
  /** Where `demo.json` is. */
  readonly file: string;
  /** Pays for everything. */
  readonly funder: Signer;
  readonly ledgerUrl: string;
}

export const demoFileWarning =
  'The private keys of this file are PUBLICLY KNOWN. They are for trying things out on this machine.';

export async function prepareDemo(order: DemoOrder): Promise<DemoDocument> {
  const { file, funder, client, parts, apiKeys, url, registrarAddress, ledgerUrl } = order;
  const known = await readDemoFile(file);
  const [issuer, holder, verifier] = await Promise.all([
    demoPerson('issuer', parts.keys),
    demoPerson('holder', parts.keys),
    demoPerson('verifier', parts.keys),
  ]);
  const { personFunds, registrarFunds } = demoLimits;
  await grantFunds(client, funder, [
    { address: registrarAddress, amount: registrarFunds },
    ...[issuer, holder, verifier].map(({ address }) => ({ address, amount: personFunds })),
  ]);
  await keepBbsKey(parts.database.kysely, parts.vault, {
    owner: issuer.did,
    publicKey: demoBbsPublicKey,
    secretKey: demoBbsSecretKey(),
    now: parts.clock.nowMs(),
  });
  await publishIssuerKey(client, issuer);
  const entry = async (person: DemoPerson) => {
    const { did, address, privateKey, publicKey, role } = person;
    const apiKey = await apiKeyOf(apiKeys, person, known?.[role].apiKey);
    return { did, address, privateKey, publicKey, apiKey };
  };
  const document: DemoDocument = {
    warning: demoFileWarning,
    service: url,
    ledger: ledgerUrl,
    issuer: { ...(await entry(issuer)), bbsPublicKeyMultibase: demoBbsPublicKey },
    holder: await entry(holder),
    verifier: await entry(verifier),
    attributeTypes: attributeTypes(),
  };
  if (JSON.stringify(known) !== JSON.stringify(document)) await writeDemoFile(file, document);
  return document;
}

/** Once only: whoever ended the key, or gave the identifier up, meant it. */
async function publishIssuerKey(client: LedgerClient, issuer: DemoPerson): Promise<void> {
  const publicKeyMultibase = demoBbsPublicKey;
  const raw = parsePublicKey(publicKeyMultibase);
  assert(raw, 'the public key of the demo can be read');
  const { entries } = await readDidHistory(client, issuer.address);
  const { keys, isDeactivated } = foldDidRecords(entries);
  if (isDeactivated || [...keys.values()].some((key) => equalBytes(key.publicKey, raw))) return;
  const type = 'Bls12381G2Key2020';
  const { pollIntervalMs } = demoLimits;
  await publishKey(client, { signer: issuer.signer, type, publicKeyMultibase }, { pollIntervalMs });
}

async function apiKeyOf(apiKeys: ApiKeys, person: DemoPerson, known: string | undefined): Promise<string> {
  const scopes = demoScopes[person.role];
  const bearer = known === undefined ? undefined : await apiKeys.authenticate(known);
  const isGood = bearer?.did === person.did && scopes.every((scope) => bearer.scopes.has(scope));
  if (known !== undefined && isGood) return known;
  const { token } = await apiKeys.create({ label: `demo ${person.role}`, did: person.did, scopes });
  return token;
}
