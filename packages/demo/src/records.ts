/**
 * Templates, credentials, price and policy of the demo. Each is looked for first and made where it is missing, with
 * the same steps that issuers and holders take: what a start that was cut short has left is gone on with, and what is
 * complete is only listed. What somebody has changed since (a price, a status) stays as it is.
 */
import { assert } from '@symbolon/core/basics/assert';
import { templateId as templateIdOf } from '@symbolon/core/names/template-names';
import { listApplications } from '@symbolon/credential-service/issuance/application-rows';
import {
  type CredentialSummary,
  listCredentials,
} from '@symbolon/credential-service/issuance/credential-rows';
import { findAutoIssue, findPrice } from '@symbolon/credential-service/payments/price-rows';
import { findStoredTemplate } from '@symbolon/credential-service/templates/template-rows';
import type { AllParts } from '@symbolon/credential-service/wiring/all-parts';
import { sha256 } from '@symbolon/host/work/sha256';
import { applyForCredential, issueCredential, registerTemplate, revokeCredential } from '@symbolon/sdk/index';
import { renderTemplate } from '@symbolon/wire/credentials/replies';
import { paymentRoutes } from '@symbolon/wire/payments/routes';
import { callServiceAs, type OwnClient } from './call-service.ts';
import {
  type DemoCredential,
  type DemoTemplate,
  type DemoTemplateName,
  demoCredentials,
  demoEnd,
  demoTemplates,
} from './content.ts';
import type { DemoData } from './file.ts';
import { type DemoPerson, type DemoRole, demoBbsPublicKey, demoScopes } from './people.ts';

export interface RecordsOrder {
  readonly parts: AllParts;
  readonly people: Readonly<Record<DemoRole, DemoPerson>>;
  /** Address of the token in which is paid; it may be in the making. */
  readonly token: Promise<string>;
}

type Making = RecordsOrder & { readonly issuer: OwnClient };

export async function ensureRecords(order: RecordsOrder): Promise<void> {
  const { parts, people } = order;
  const { did } = people.issuer;
  const making = { ...order, issuer: callServiceAs(parts, { did, scopes: demoScopes.issuer }) };
  // One after the other: the issuer's account counts its transactions.
  await ensureTemplate(making, 'degree');
  await ensureTemplate(making, 'residence');
  const [issued] = await Promise.all([
    Promise.all(demoCredentials.map((credential) => ensureCredential(making, credential))),
    ensureTemplate(making, 'transcript').then(() => ensureSale(making, 'transcript')),
  ]);
  for (const { credential, vcId } of issued.filter(({ isToRevoke }) => isToRevoke)) {
    const remark = `${credential.title}: an example of a revoked credential`;
    await revokeCredential(making.issuer.client, { signer: people.issuer.signer, vcId, remark });
  }
}

const idOf = ({ parts, people }: RecordsOrder, name: DemoTemplateName): string =>
  templateIdOf(
    { issuer: people.issuer.did, name: demoTemplates[name].name },
    { didMethod: parts.profile.didMethod, sha256 },
  );

async function ensureTemplate(making: Making, name: DemoTemplateName): Promise<void> {
  const { parts, people, issuer } = making;
  if (await findStoredTemplate(parts.database.kysely, idOf(making, name))) return;
  const { name: templateName, version, attributes }: DemoTemplate = demoTemplates[name];
  const { signer } = people.issuer;
  await registerTemplate(issuer.client, { signer, templateName, version, credentialFormat: attributes });
}

/** The first of its kind: whatever else of the template the holder has came later. */
async function findIssued(
  order: RecordsOrder,
  { template, holder }: DemoCredential,
): Promise<CredentialSummary | undefined> {
  const { parts, people } = order;
  const search = { templateId: idOf(order, template), holder: people[holder].did, limit: 1 };
  const { items } = await listCredentials(parts.database.kysely, search);
  return items[0];
}

async function ensureCredential(making: Making, credential: DemoCredential) {
  const { parts, people, issuer } = making;
  const found = await findIssued(making, credential);
  const isToRevoke = credential.isRevoked && found?.status !== 'revoked';
  if (found) return { credential, vcId: found.vcId, isToRevoke };
  const { template, holder, values } = credential;
  const templateId = idOf(making, template);
  const { did, signer: holderSigner } = people[holder];
  const begun = await listApplications(parts.database.kysely, {
    issuer: people.issuer.did,
    states: ['pending', 'approved'],
    templateId,
  });
  const earlier = begun.items.find((application) => application.holder === did);
  const own = callServiceAs(parts, { did, scopes: demoScopes[holder] });
  const order = { signer: holderSigner, templateId, attributes: values };
  const vcId = earlier?.vcId ?? (await applyForCredential(own.client, order)).vcId;
  const known = await findStoredTemplate(parts.database.kysely, templateId, earlier?.templateVersion);
  assert(known, 'what was applied for is registered');
  const { signer } = people.issuer;
  const bbsKey = { publicKeyMultibase: demoBbsPublicKey };
  // The key makes a creation that was cut short answer the draft that it left.
  const client = withKey(issuer.client, `demo-${template}-${holder}`);
  await issueCredential(client, {
    signer,
    bbsKey,
    vcId,
    holder: did,
    templateId,
    templateVersion: known.template.version,
    template: renderTemplate(known.template, known.txHash),
    attributes: values,
    expiredDate: demoEnd,
    engine: parts.proofs,
    now: parts.clock.nowMs(),
  });
  return { credential, vcId, isToRevoke };
}

const withKey = (client: OwnClient['client'], idempotencyKey: string): OwnClient['client'] => ({
  ...client,
  createCredential: (body) => client.createCredential(body, { idempotencyKey }),
});

/** Sold at once to whoever pays: the issuer's key is left with the service. */
async function ensureSale(making: Making, name: DemoTemplateName): Promise<void> {
  const { parts, people, issuer, token } = making;
  const { kysely } = parts.database;
  const { price: amount }: DemoTemplate = demoTemplates[name];
  const templateId = idOf(making, name);
  const { setAutoIssue, setPrice } = paymentRoutes;
  if (!(await findAutoIssue(kysely, templateId))) {
    const { privateKey } = people.issuer;
    await issuer.post(setAutoIssue.path, { templateId, privateKey, perDayMax: 1_000, until: demoEnd });
  }
  if (amount === undefined || (await findPrice(kysely, templateId))) return;
  await issuer.post(setPrice.path, { templateId, amount, asset: await token });
}

const statusWords = { active: 'Active', suspended: 'Suspended', revoked: 'Revoked' } as const;

/** What there is, for `demo.json`. */
export async function listRecords(order: RecordsOrder): Promise<Pick<DemoData, 'templates' | 'credentials'>> {
  const { kysely } = order.parts.database;
  const templates: DemoData['templates'] = [];
  for (const name of Object.keys(demoTemplates) as DemoTemplateName[]) {
    const found = await findStoredTemplate(kysely, idOf(order, name));
    if (!found) continue;
    const { id: templateId, name: title, version } = found.template;
    const price = await findPrice(kysely, templateId);
    templates.push({ templateId, name: title, version, ...(price && { price: price.amount }) });
  }
  const credentials: DemoData['credentials'] = [];
  for (const credential of demoCredentials) {
    const found = await findIssued(order, credential);
    if (!found) continue;
    const { vcId, templateId, status } = found;
    const { title, holder } = credential;
    credentials.push({ vcId, title, templateId, holder, status: statusWords[status] });
  }
  return { templates, credentials };
}
