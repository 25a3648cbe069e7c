/** `symbolon wallet applications`: what the holder has applied for, as the service tells it, and why it was rejected. */

import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { holderHeaders } from '@symbolon/sdk/transport/call-headers';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Acting } from '../../credentials/party-commands.ts';
import { walletLimits } from '../../limits/command-limits.ts';
import { columns } from '../../terminal/layout.ts';
import { printable, printJson } from '../../terminal/terminal.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { shortId, type WalletWords, withWallet } from './owner-wallet.ts';

interface ApplicationsWords extends WalletWords {
  readonly wide?: boolean;
}

type OwnApplication = CredentialReply<'listOwnApplications'>['applications'][number];

export async function applications(acting: Acting<ApplicationsWords>): Promise<void> {
  const { words, terminal } = acting;
  const found = await withWallet(acting, fetchAll);
  if (words.json) return printJson(terminal, { applications: found as unknown as JsonObject[] });
  if (found.length === 0) {
    terminal.remark('You have applied for nothing at this service: symbolon wallet apply TEMPLATE');
    return;
  }
  const rows = found.map(({ vcId, templateName, templateId, status, createdAt, reason }) => [
    words.wide ? vcId : shortId(vcId),
    printable(templateName ?? templateId),
    status,
    createdAt.slice(0, 'YYYY-MM-DD'.length),
    // The issuer's words, in quotes so that they are not read as ours.
    reason === undefined ? '' : `"${printable(reason)}"`,
  ]);
  terminal.print(columns(terminal, [['ID', 'TITLE', 'STATUS', 'APPLIED', 'REASON'], ...rows]));
}

/** As many as a wallet keeps; each page is asked for with a signature of its own. */
async function fetchAll({ service, signer }: Wallet): Promise<readonly OwnApplication[]> {
  const found: OwnApplication[] = [];
  let cursor: string | undefined;
  do {
    const headers = await holderHeaders(signer, service, { purpose: 'own-applications' });
    const page = await service.listOwnApplications({ ...(cursor !== undefined && { cursor }) }, { headers });
    found.push(...page.applications);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < walletLimits.credentialsMax);
  return found.slice(0, walletLimits.credentialsMax);
}
