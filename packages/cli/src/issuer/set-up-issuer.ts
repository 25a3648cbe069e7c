/**
 * From nothing to an issuer: a key, an API key, funds, a BBS+ key that the service keeps and the ledger shows, and a
 * profile with all of it. Each step does only what is missing and says what was there; what has been made is in the
 * profile before the next step begins, so that a run that stops is gone on with by the next.
 */
import path from 'node:path';
import { resolveSubject } from '@symbolon/core/did/did-document';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { didOfSigner, type Signer } from '@symbolon/sdk/keys/signer';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { readSubject } from '@symbolon/sdk/ledger/published-keys';
import { publishKey } from '@symbolon/sdk/transactions/did-keys';
import { issuerKeysOf } from '@symbolon/sdk/verification/issuer-key-times';
import type { JsonObject } from '@symbolon/wire/json/json';
import { makeFolder } from '../machine/durable-files.ts';
import { exists } from '../machine/files.ts';
import { makeKeyFile, readKeyFile } from '../profile/key-file.ts';
import { keyFormat } from '../profile/key-format.ts';
import { askNewPassword } from '../profile/keys-password.ts';
import { chooseProfile, chosenProfile, demoProfile, profilePlace, userPlace } from '../profile/places.ts';
import {
  readOwnProfile,
  type WrittenPerson,
  type WrittenProfile,
  writeProfile,
} from '../profile/profile-file.ts';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import { shellWord } from '../terminal/quoting.ts';
import { chainMeant, withinCaps } from '../transactions/fee-caps.ts';
import { explained } from '../transactions/refusals.ts';
import { type FundedAccount, type FundingOrder, fundAccounts } from './funding.ts';
import { type IssuerDesk, issuerScopes } from './issuer-desk.ts';

export interface IssuerOrder extends FundingOrder {
  /** Of the profile, and of the key file if one is made. */
  readonly name: string;
  readonly desk: IssuerDesk;
  readonly serviceUrl: string;
  /** The account's key, where there is one already. */
  readonly keyFile?: string;
  /** Puts a password on a key that is made. */
  readonly isEncrypted?: boolean;
}

export interface SetUpIssuer {
  readonly profileFile: string;
  readonly did: string;
  readonly address: string;
  readonly bbsPublicKeyMultibase: string;
  /** Whether commands mean it when no profile is named. */
  readonly isCurrent: boolean;
}

export async function setUpIssuer(order: IssuerOrder): Promise<SetUpIssuer> {
  const { name, tell, serviceUrl: service, ledgerUrl: ledger } = order;
  const { file } = profilePlace('user', name);
  const before = await readOwnProfile(file);
  await assertSamePlaces(before, order);
  const { signer, keyFile } = await accountKey(order, before?.people.issuer, path.dirname(file));
  const did = didOfSigner(signer);
  let profile: WrittenProfile = { ...before, service, ledger, people: before?.people ?? {} };
  const keep = async (facts: WrittenPerson): Promise<void> => {
    profile = { ...profile, people: { ...profile.people, issuer: { ...profile.people.issuer, ...facts } } };
    await writeProfile(file, profile);
  };
  await keep({ did, keyFile });
  const apiKey = await apiKeyOf(order, did, before?.people.issuer?.apiKey);
  await keep({ apiKey });
  await fund(order, signer);
  const known = before?.people.issuer?.bbsPublicKeyMultibase;
  const bbsPublicKeyMultibase = await bbsKey(order, { signer, apiKey, known }, (made) =>
    keep({ bbsPublicKeyMultibase: made }),
  );
  await keep({ bbsPublicKeyMultibase });
  const isCurrent = await becomeCurrent(name);
  tell('profile', `${before ? 'there' : 'written'}: ${file}`);
  return { profileFile: file, did, address: signer.address, bbsPublicKeyMultibase, isCurrent };
}

/** An API key is for one service, and a key is published on one ledger. A service that knows the API key has only moved. */
async function assertSamePlaces(
  before: WrittenProfile | undefined,
  { name, serviceUrl, ledgerUrl, desk, tell }: IssuerOrder,
): Promise<void> {
  const isOther = (known: string | undefined, meant: string): boolean =>
    known !== undefined && URL.parse(known)?.origin !== URL.parse(meant)?.origin;
  const isOtherLedger = isOther(before?.ledger, ledgerUrl);
  if (!isOther(before?.service, serviceUrl) && !isOtherLedger) return;
  const apiKey = before?.people.issuer?.apiKey;
  const hasMoved = !isOtherLedger && apiKey !== undefined && (await desk.knowsApiKey?.(apiKey)) === true;
  if (hasMoved) return tell('service', `moved to ${serviceUrl}`);
  throw usageFailure(
    `The profile ${name} is for another service or ledger.\nIt names ${before?.service} and ${before?.ledger}; here ${serviceUrl} and ${ledgerUrl} are meant.\nTake another name, or the addresses of the profile. If the same service has moved: give --data and its folder.`,
  );
}

async function accountKey(
  { name, keyFile: given, isEncrypted = false, tell }: IssuerOrder,
  known: WrittenPerson | undefined,
  profileFolder: string,
): Promise<{ readonly signer: Signer; readonly keyFile: string }> {
  const remembered = known?.keyFile === undefined ? undefined : path.resolve(profileFolder, known.keyFile);
  const keyFile = path.resolve(given ?? remembered ?? path.join(userPlace(), 'keys', `${name}.key`));
  const isThere = given !== undefined || (await exists(keyFile));
  await makeFolder(path.dirname(keyFile));
  const newKey = async () =>
    isEncrypted ? ({ form: 'own', password: await askNewPassword() } as const) : ({ form: 'bare' } as const);
  const signer = isThere ? await readKeyFile(keyFile) : await makeKeyFile(keyFile, await newKey());
  if (known?.did !== undefined && known.did !== didOfSigner(signer))
    throw usageFailure(
      `The profile ${name} is somebody else's.\nIts issuer is ${known.did}, and ${keyFile} is another key.\nTake another name, or the key of the profile.`,
    );
  tell('key', isThere ? `there: ${keyFile}` : `made: ${keyFile}`);
  return { signer, keyFile };
}

async function apiKeyOf(
  { desk, name, tell, again }: IssuerOrder,
  did: string,
  known: string | undefined,
): Promise<string> {
  const found = await desk.apiKeyFor({ did, label: name }, known);
  if (!found)
    throw new CommandFailure(
      `The service gives API keys to nobody but its operator; ask there for one.\nThe operator types: symbolon service key create --data FOLDER --scope ${issuerScopes.join(' ')} --did ${did} --label ${shellWord(name)}\nThen go on: SYMBOLON_API_KEY=sym_… ${again}`,
      exitCodes.failed,
      { code: 'apiKeyMissing' },
    );
  const replaced = known === undefined ? '' : ', in place of one that this service does not know';
  tell('API key', found.isNew ? `new, in the profile${replaced}` : 'there, in the profile');
  return found.apiKey;
}

/** The issuer's account, and the one that pays for what the service records, where its operator is the one who asks. */
async function fund(order: IssuerOrder, signer: Signer): Promise<void> {
  const accounts: FundedAccount[] = [{ what: 'account', address: signer.address }];
  const registrar = await order.desk.registrar?.();
  if (registrar !== undefined) accounts.push({ what: 'registrar', ...registrar });
  await fundAccounts(order, accounts);
}

interface BbsOrder {
  readonly signer: Signer;
  readonly apiKey: string;
  /** One that an earlier run has made. */
  readonly known: string | undefined;
}

/** The newest published key that the service keeps; else one is made there, remembered, and published. */
async function bbsKey(
  { desk, ledger, tell }: IssuerOrder,
  { signer, apiKey, known }: BbsOrder,
  remember: (publicKey: string) => Promise<void>,
): Promise<string> {
  const did = didOfSigner(signer);
  const kept = desk.keysOf(did, apiKey);
  for (const publicKey of (await publishedKeys(ledger, did)).toReversed()) {
    if (!(await kept.holds(publicKey))) continue;
    tell('BBS+ key', 'there, kept by the service and published');
    return publicKey;
  }
  const isKept = known !== undefined && (await kept.holds(known));
  const publicKeyMultibase = isKept ? known : await kept.make();
  await remember(publicKeyMultibase);
  tell('BBS+ key', isKept ? 'there, kept by the service' : "made, in the service's vault");
  const published = await explained('The ledger does not take the key.', () =>
    withinCaps({ pins: {} }, async (caps) => {
      const chainId = await chainMeant(ledger, {});
      const key = { type: 'Bls12381G2Key2020', publicKeyMultibase } as const;
      return publishKey(ledger, { signer, ...key }, { ...caps, chainId });
    }),
  );
  tell('published', `in block ${published.receipt.ledgerSeq} of the ledger`);
  return publicKeyMultibase;
}

/** Those that count now, oldest first. */
async function publishedKeys(ledger: LedgerClient, did: string): Promise<readonly string[]> {
  const subject = await readSubject({ ledger, pins: {}, profile: zetrixProfile }, did);
  const resolved = subject && resolveSubject(subject, { nowSeconds: Date.now() / 1_000 }, keyFormat);
  const document = (resolved?.document ?? {}) as unknown as JsonObject;
  return issuerKeysOf(document).map(({ publicKeyMultibase }) => publicKeyMultibase);
}

/** Whoever has chosen another profile keeps that. */
async function becomeCurrent(name: string): Promise<boolean> {
  const chosen = await chosenProfile();
  if (chosen.by === 'demo' && chosen.name === demoProfile) await chooseProfile(name, 'user');
  return (await chosenProfile()).name === name;
}
