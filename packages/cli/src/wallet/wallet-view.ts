/**
 * What a wallet shows of itself: whose it is, what it has, what it may still spend. Of credentials it names attributes
 * and never shows values: an agent needs none of them to present, and what it does not know it cannot give away.
 */

import { parseAmount } from '@symbolon/core/basics/plain-values';
import { LedgerError, unlessNotFound } from '@symbolon/sdk/errors/errors';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { z } from 'zod';
import { walletLimits } from '../limits/command-limits.ts';
import type { KeptCredential } from './kept-credentials.ts';
import { learnOutcomes } from './payments.ts';
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
    ...shownCredentials(wallet),
  };
}

export const shownCredentials = ({ credentials }: Wallet) => ({
  credentials: credentials.all().map(shownCredential),
});

function shownCredential({ parsed: { credential } }: KeptCredential) {
  const { id, type, issuer, validFrom, validUntil, credentialSchema, credentialSubject } = credential;
  return {
    id,
    title: quoted(type[1]),
    issuer,
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

/** Templates that can be applied for. */
export async function findTemplates({ service }: Wallet, text: string | undefined): Promise<ToolValue> {
  const limit = String(walletLimits.templatesShownMax);
  const { templates } = await service.listTemplates({ limit, ...(text !== undefined && { q: text }) });
  return {
    templates: templates.slice(0, walletLimits.templatesShownMax).map((template) => ({
      templateId: quoted(template.templateId, 128),
      name: quoted(template.templateName),
      issuer: quoted(template.issuerDid, 128),
      attributes: template.credentialFormat.map(({ key, format, mandatory }) => ({
        name: quoted(key),
        format: quoted(format),
        mandatory,
      })),
    })),
  };
}
