/**
 * What a wallet shows of itself: whose it is, what it has, what it may still spend. Of credentials it names attributes
 * and never shows values: an agent needs none of them to present, and what it does not know it cannot give away.
 */

import { parseAmount } from '@symbolon/core/basics/plain-values';
import { LedgerError, unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { z } from 'zod';
import { walletLimits } from '../limits/command-limits.ts';
import type { KeptCredential } from './kept-credentials.ts';
import { type KeptStatus, ownNamesOf, statusesOf } from './ledger-word.ts';
import { learnOutcomes } from './payments.ts';
import { listed, priceInWords } from './people-words.ts';
import { countedOf, nativeAsset, paymentsOf } from './spending.ts';
import { quoted, type ToolValue } from './tool-results.ts';
import type { Wallet } from './wallet.ts';
import { walletDay } from './wallet-database.ts';

export async function walletStatus(wallet: Wallet): Promise<ToolValue> {
  const { signer, did, policy, origins } = wallet;
  await learnOutcomes(wallet);
  return {
    address: signer.address,
    did,
    balances: await balancesOf(wallet),
    spending: spendingOf(wallet),
    mayReveal: [...policy.mayReveal],
    mayCall: [...origins.keys()],
    ...(await shownCredentials(wallet)),
  };
}

/** With the status of each by the ledger's word. */
export async function shownCredentials(wallet: Wallet) {
  const kept = wallet.credentials.all();
  const statuses = await statusesOf(
    wallet,
    kept.map(({ parsed }) => parsed.credential),
  );
  const credentials = kept.map((one, place) => shownCredential(one, statuses[place]));
  const titles = credentials.map(({ title, status }) => `"${title}" (${status})`);
  const summary = `In the wallet: ${listed(titles, 'no credential')}.`;
  return { summary, credentials };
}

function shownCredential({ parsed: { credential } }: KeptCredential, status: KeptStatus) {
  const { id, type, issuer, validFrom, validUntil, credentialSchema, credentialSubject } = credential;
  return {
    id,
    title: quoted(type[1]),
    issuer,
    status,
    templateId: credentialSchema.id,
    validFrom,
    validUntil,
    attributes: credentialSchema.attributes
      .map(({ key }) => key)
      .filter((key) => Object.hasOwn(credentialSubject, key))
      .map((key) => quoted(key)),
  };
}

/** Of today, in UTC; amounts in the smallest unit. */
function spendingOf({ database, policy }: Wallet) {
  const day = walletDay(database, Date.now());
  const payments = paymentsOf(database, day);
  const caps = policy.caps.size > 0 ? policy.caps : new Map([[nativeAsset, { perPayment: 0n, perDay: 0n }]]);
  return {
    day,
    caps: [...caps].map(([asset, { perPayment, perDay }]) => {
      const used = countedOf(payments, asset);
      return { asset, perPayment, perDay, usedToday: used, leftToday: used < perDay ? perDay - used : 0n };
    }),
    payments: payments.slice(-walletLimits.templatesShownMax).map(({ hash, asset, amount, fee, state }) => ({
      transactionHash: hash,
      asset,
      amount,
      feeMax: fee,
      state,
    })),
  };
}

async function balancesOf({ ledger, signer, policy }: Wallet) {
  const account = await unlessNotFound(ledger.getAccountBase({ address: signer.address }));
  const balances = [{ asset: nativeAsset, amount: BigInt(account?.result?.balance ?? 0) }];
  for (const asset of policy.caps.keys())
    if (asset !== nativeAsset)
      balances.push({ asset, amount: await tokenBalance(ledger, asset, signer.address) });
  return balances;
}

const queryResult = z.object({ result: z.object({ value: z.string() }) });

/** The token contract's own word. */
async function tokenBalance(ledger: Wallet['ledger'], token: string, address: string): Promise<bigint> {
  const input = JSON.stringify({ method: 'balanceOf', params: { address } });
  try {
    const { result } = await ledger.callContract({ contract_address: token, input, opt_type: 2 });
    const answer = queryResult.safeParse(result?.query_rets?.[0]);
    const said: JsonValue = answer.success ? JSON.parse(answer.data.result.value) : {};
    return (isJsonObject(said) && parseAmount(String(said.balance))) || 0n;
  } catch (error) {
    // No contract, or one that answers something else: then there is no balance of it.
    if (error instanceof LedgerError || error instanceof SyntaxError) return 0n;
    throw error;
  }
}

/** Templates that can be applied for, and what that costs. */
export async function findTemplates(wallet: Wallet, text: string | undefined): Promise<ToolValue> {
  const limit = String(walletLimits.templatesShownMax);
  const found = await wallet.service.listTemplates({ limit, ...(text !== undefined && { q: text }) });
  const templates = found.templates.slice(0, walletLimits.templatesShownMax);
  const names = await ownNamesOf(
    wallet,
    templates.map(({ issuerDid }) => issuerDid),
  );
  const prices = templates.map(({ price }) => priceOf(price));
  const offers = templates.map(
    ({ templateName }, place) => `"${quoted(templateName)}": ${prices[place].inWords}`,
  );
  return {
    summary: `To be had: ${listed(offers, 'nothing of this name')}.`,
    templates: templates.map((template, place) => ({
      templateId: quoted(template.templateId, 128),
      name: quoted(template.templateName),
      issuer: quoted(template.issuerDid, 128),
      ...nameOf(names.get(template.issuerDid)),
      price: prices[place],
      attributes: template.credentialFormat.map(({ key, format, mandatory }) => ({
        name: quoted(key),
        format: quoted(format),
        mandatory,
      })),
    })),
  };
}

/** A name is told with whose word it is. */
const nameOf = (name: string | undefined) =>
  name === undefined ? {} : { issuerName: quoted(name), issuerNameSource: 'issuer' };

type ToldPrice = CredentialReply<'getTemplate'>['price'];

/** In words and exact; by the service's word, which `obtain_credential` holds to the caps of the owner. */
function priceOf(price: ToldPrice) {
  if (!price) return { inWords: 'not sold: the issuer decides on each application' };
  const { amount, asset, symbol, decimals } = price;
  return {
    inWords: priceInWords(price, (text) => quoted(text, 64)),
    amount: quoted(amount, 32),
    asset: quoted(asset, 128),
    symbol: quoted(symbol, 64),
    decimals,
  };
}
