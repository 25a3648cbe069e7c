/**
 * What an issuer has set and left here, read back: prices, policies of issuing at once, and keys. Of a key nothing is
 * told but that it is kept, since when and how; no secret leaves the vault for it.
 */
import { dayOf } from '@symbolon/core/basics/calendar';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import type { DeskHandlers } from '@symbolon/wire/desks/routes';
import { ledgerFaults } from '@symbolon/wire/http/service-route';
import { publishedBbsKeys } from '../issuance/credential-drafts.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { countPayments } from '../payments/payment-rows.ts';
import { findStoredIssuerKey, listAutoIssueRows, listPriceRows } from '../payments/price-rows.ts';
import { findTemplateNames } from '../templates/template-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { listVaultKeys } from '../vault/vault-key-rows.ts';
import { issuerOf } from './desk-caller.ts';

const timeText = (ms: number): string => new Date(ms).toISOString();

export function createIssuerSettingsHandlers(parts: ServiceParts) {
  const { database, clock } = parts;
  const { kysely } = database;

  const namesOf = (rows: readonly { readonly templateId: string }[]) =>
    findTemplateNames(
      kysely,
      rows.map(({ templateId }) => templateId),
    );

  return {
    async listPrices({ cursor, itemsMax }, { caller }) {
      const { items, next } = await listPriceRows(kysely, issuerOf(caller), { cursor, limit: itemsMax });
      const names = await namesOf(items);
      const prices = items.map(({ templateId, amount, asset, symbol, decimals, payTo, updatedAt }) => ({
        templateId,
        ...nameIn(names, templateId),
        price: { amount, asset, symbol, decimals },
        payTo,
        updatedAt: timeText(updatedAt),
      }));
      return { prices, ...(next !== undefined && { nextCursor: next }) };
    },

    async listAutoIssue({ cursor, itemsMax }, { caller }) {
      const { items, next } = await listAutoIssueRows(kysely, issuerOf(caller), { cursor, limit: itemsMax });
      const names = await namesOf(items);
      const now = clock.nowMs();
      const policies = items.map(async ({ templateId, holders, ...policy }) => ({
        templateId,
        ...nameIn(names, templateId),
        isEnabled: policy.isEnabled === 1,
        isInForce: policy.isEnabled === 1 && policy.until > now,
        perDayMax: policy.perDayMax,
        issuedToday: await countPayments(kysely, { templateId, day: dayOf(now) }),
        until: timeText(policy.until),
        validSeconds: policy.validSeconds,
        allowReissue: policy.allowReissue === 1,
        holders: holders === null ? null : holders.split(' '),
        updatedAt: timeText(policy.updatedAt),
      }));
      return { policies: await Promise.all(policies), ...(next !== undefined && { nextCursor: next }) };
    },

    async listIssuerKeys(_request, { caller }) {
      const issuer = issuerOf(caller);
      const [issuingKey, kept, published, vault] = await Promise.all([
        findStoredIssuerKey(kysely, issuer),
        listVaultKeys(kysely, { kind: 'bbs', owner: issuer }),
        publishedKeys(parts, issuer),
        vaultHealth(parts, issuer),
      ]);
      return {
        issuer,
        issuingKey: {
          isHeld: issuingKey !== undefined,
          since: issuingKey ? timeText(issuingKey.createdAt) : null,
        },
        bbsKeys: kept.map(({ publicKey, createdAt }) => ({
          publicKeyMultibase: publicKey,
          since: timeText(createdAt),
          isPublished: published?.has(publicKey) ?? null,
        })),
        vault,
      };
    },
  } satisfies Partial<DeskHandlers>;
}

const nameIn = (names: ReadonlyMap<string, string>, templateId: string) => {
  const templateName = names.get(templateId);
  return templateName === undefined ? {} : { templateName };
};

/** In the spelling of the vault; undefined where the ledger does not answer. */
async function publishedKeys(
  parts: Pick<ServiceParts, 'resolver'>,
  issuer: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const keys = await publishedBbsKeys(parts, issuer);
    return new Set(keys.map(({ publicKey }) => encodeBbsPublicKey(publicKey)));
  } catch (error) {
    if (error instanceof Fault && (ledgerFaults as readonly string[]).includes(error.code)) return undefined;
    throw error;
  }
}

/** A few bytes go in and come out again, through the hardware module where there is one; nothing of them is kept. */
async function vaultHealth({ vault }: Pick<ServiceParts, 'vault'>, issuer: string) {
  const context = contexts.issuerSecret(issuer);
  const probe = 'is it there';
  const isWorking = await vault
    .encryptText(probe, context)
    .then((encrypted) => vault.decryptText(encrypted, context))
    .then(
      (text) => text === probe,
      () => false,
    );
  return { place: vault.isInHardware ? ('hardware' as const) : ('software' as const), isWorking };
}
