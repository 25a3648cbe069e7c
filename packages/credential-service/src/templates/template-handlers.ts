/**
 * Templates (`docs/credentials.md`, "Templates"): registering a version on the ledger in two steps, or in one with the
 * issuer's private key, and reading what is registered. The registry contract decides who may register what; this only
 * prepares, and keeps the reading side.
 */
import { assert } from '@symbolon/core/basics/assert';
import { parseHex } from '@symbolon/core/basics/bytes';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { templateJsonSchema, templateOfDraft } from '@symbolon/core/credential/template-rules';
import { addressOfDid } from '@symbolon/core/did/did';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { submitLimits } from '@symbolon/core/limits/waiting';
import { compareVersions, normalisedName } from '@symbolon/core/names/template-names';
import { sha256 } from '@symbolon/host/work/sha256';
import { signerFromPrivateKey } from '@symbolon/sdk/index';
import { renderTemplate, type TemplateReply } from '@symbolon/wire/credentials/replies';
import type { TemplateDraftRequest } from '@symbolon/wire/credentials/requests';
import type { CredentialHandlers } from '@symbolon/wire/credentials/routes';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { JsonObject } from '@symbolon/wire/json/json';
import { keyOfLedgerDid, refuseOtherParty } from '../access/signatures.ts';
import { offerBlob, openBlob } from '../blobs/blob-offers.ts';
import { type BlobOffer, type BlobOutcomes, readEnd } from '../blobs/blob-outcomes.ts';
import { forgetBlobOutcome, listUnansweredBlobs } from '../blobs/blob-rows.ts';
import { submitBlob } from '../blobs/blob-submits.ts';
import type { Queries } from '../database/schema.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { ownNameOf, releaseAndFindOthersNames } from './issuer-names.ts';
import { claimName, keepName, type NameOfIssuer, releaseName } from './name-form-rows.ts';
import {
  findStoredTemplate,
  findTemplateByName,
  listTemplateVersions,
  registerTemplateVersion,
  releaseTemplate,
  reserveTemplate,
  searchTemplates,
} from './template-rows.ts';

/** What the wire calls the members of a draft, for complaints that point at them. */
const wireSpelling = {
  name: 'templateName',
  issuer: 'issuerDid',
  attributes: 'credentialFormat',
  label: 'attribute',
} as const;

interface TemplateTerms {
  readonly template: Template;
  /** What the issuer called itself when it asked; it has that name from then on. */
  readonly issuerName?: string;
  readonly acceptsUnbound?: boolean;
}

type RegistrationReply = { readonly templateId: string; readonly txHash: string };

export const templateBlobs: BlobOutcomes<TemplateTerms, RegistrationReply> = {
  kinds: ['template'],
  about: ({ template: { id, version } }) => `${id} ${version}`,
  /** Of two issuers who want the same name, or names that look alike, one has it before the ledger is called. */
  async begin(queries, { terms: { template, issuerName }, now }) {
    const { id, name, issuer } = template;
    const reserved = { id, name, nameKey: normalisedName(name), issuer, now };
    if (!(await reserveTemplate(queries, reserved))) throw new Fault('templateExists');
    for (const named of namesIn({ template, issuerName }))
      if (!(await claimName(queries, named))) throw nameTaken(named.name);
  },
  async executed(queries, { terms: { template }, txHash, now }) {
    const isNew = await registerTemplateVersion(queries, { template, txHash, now });
    for (const named of namesIn({ template })) await keepName(queries, named);
    const { id: subject, version, issuer } = template;
    return isNew ? [{ action: 'template.register', subject, details: { version, txHash, issuer } }] : [];
  },
  reply: ({ terms, txHash }) => ({ templateId: terms.template.id, txHash }),
  async dropped(queries, { terms: { template } }) {
    await releaseTemplate(queries, template.id);
    await releaseName(queries, template.id);
  },
  rebuild: (parts, { terms }) => registrationOffer(parts, terms),
};

/** The names that a registration brings along, with whose they are. */
const namesIn = ({ template: { id, name, issuer }, issuerName }: TemplateTerms): readonly NameOfIssuer[] => [
  { name, issuer, subject: id },
  ...(issuerName === undefined ? [] : [{ name: issuerName, issuer, subject: issuer }]),
];

const nameTaken = (name: string): Fault =>
  new Fault('nameTaken', { detail: `The name "${name}" looks like a name that another issuer has` });

type OfferedBlob = Awaited<ReturnType<typeof offerBlob>>;

/** Submits, and signs anew as often as other transactions of the issuer come first. */
async function followReplacements<Reply>(
  offered: OfferedBlob,
  submit: (offered: OfferedBlob) => Promise<Reply>,
): Promise<Reply> {
  let next = offered;
  for (let attempt = 0; ; attempt++) {
    try {
      return await submit(next);
    } catch (error) {
      const isReplaced = error instanceof Fault && error.code === 'blobReplaced';
      if (!isReplaced || attempt >= submitLimits.replacementsMax) throw error;
      next = error.facts as unknown as OfferedBlob;
    }
  }
}

/** Finds what a credential of a template costs where it is sold: prices are the business of `payments`. */
export type FindSalePrice = (
  queries: Queries,
  asked: { readonly templateId: string; readonly now: number },
) => Promise<TemplateReply['price']>;

export function createTemplateHandlers(parts: ServiceParts, findSalePrice: FindSalePrice) {
  const { database, settings, clock } = parts;
  const { kysely } = database;

  const offer = async ({ acceptsUnbound, ...draft }: TemplateDraftRequest, caller: Caller) => {
    const terms = { ...(await checkDraft(parts, draft, caller)), ...(acceptsUnbound && { acceptsUnbound }) };
    return offerBlob(parts, await registrationOffer(parts, terms));
  };

  const submit: CredentialHandlers['submitTemplate'] = (request, call) =>
    submitBlob(parts, templateBlobs, request, call);

  const find = async (templateId: string, version?: string) => {
    const found = await findStoredTemplate(kysely, templateId, version);
    if (!found) throw new Fault('templateUnknown');
    return found;
  };
  const render = async (templateId: string, version?: string) => {
    const { template, txHash } = await find(templateId, version);
    return renderTemplate(
      template,
      txHash,
      await findSalePrice(kysely, { templateId: template.id, now: clock.nowMs() }),
    );
  };

  return {
    createTemplateBlob: (draft, { caller }) => offer(draft, caller),

    async createTemplate({ privateKey, ...draft }, call) {
      if (!settings.acceptPrivateKeys) {
        throw new Fault('notAllowed', {
          detail:
            'This service takes no private keys: create a blob instead, or have its operator set acceptPrivateKeys',
        });
      }
      const signer = await signerFromPrivateKey(privateKey, { profile: parts.profile }).catch(() => {
        throw new Fault('requestMalformed', { detail: '/issuerPrivateKey: is not a private key' });
      });
      if (signer.address !== addressOfDid(draft.issuer, parts.keys)) {
        throw new Fault('signerMismatch', { detail: "The private key is not that of the issuer's DID" });
      }
      const publicKey = { bytes: keyOfLedgerDid(draft.issuer, parts.keys) };
      const signed = async ({ blobId, blob }: OfferedBlob) => {
        const bytes = parseHex(blob);
        assert(bytes, 'a blob is hex');
        const signature = await signer.sign(bytes);
        return submit({ blobId, signers: [{ signature, publicKey }] }, call);
      };
      refuseOtherParty(call.caller, draft.issuer);
      const { acceptsUnbound, ...terms } = draft;
      const template = templateOf(parts, terms);
      const attempt = await findAttempt(parts, { template, ...(acceptsUnbound && { acceptsUnbound }) });
      if (attempt?.kind === 'registered') {
        call.whenAnswered?.(() => forgetBlobOutcome(kysely, attempt.blobId));
        return attempt.reply;
      }
      return followReplacements(attempt ?? (await offer(draft, call.caller)), signed);
    },

    submitTemplate: submit,

    async listTemplates({ search, issuer, cursor, itemsMax }) {
      const text = search === undefined ? undefined : normalisedName(search);
      const page = await searchTemplates(kysely, { text, issuer, cursor, limit: itemsMax });
      const templates = await Promise.all(
        page.items.map(({ id, latestVersion }) => render(id, latestVersion)),
      );
      return { templates, ...(page.next !== undefined && { nextCursor: page.next }) };
    },

    getTemplate: ({ templateId, version }) => render(templateId, version),

    async getTemplateSchema({ templateId, version }) {
      return templateJsonSchema((await find(templateId, version)).template) as JsonObject;
    },

    async getTemplateHistory({ templateId }) {
      const { items } = await listTemplateVersions(kysely, templateId);
      if (items.length === 0) throw new Fault('templateUnknown');
      const versions = items.map(({ template, txHash, registeredAt }) => ({
        version: template.version,
        txHash,
        registeredAt: new Date(registeredAt).toISOString(),
      }));
      return { templateId, versions };
    },
  } satisfies Partial<CredentialHandlers>;
}

const templateOf = (
  { profile }: Pick<ServiceParts, 'profile'>,
  draft: Omit<TemplateDraftRequest, 'acceptsUnbound'>,
): Template => templateOfDraft(draft, { didMethod: profile.didMethod, sha256, spelling: wireSpelling });

/** A draft that can be registered: well formed, by an issuer the caller acts for, under a name that is free. */
async function checkDraft(
  parts: Pick<ServiceParts, 'profile' | 'database' | 'resolver'>,
  draft: Omit<TemplateDraftRequest, 'acceptsUnbound'>,
  caller: Caller,
): Promise<TemplateTerms> {
  const { database } = parts;
  const template = templateOf(parts, draft);
  refuseOtherParty(caller, template.issuer);
  const holder = await findTemplateByName(database.kysely, normalisedName(template.name));
  if (holder && holder.issuer !== template.issuer) throw new Fault('templateExists');
  if (holder && isNotHigher(template.version, holder.latestVersion)) {
    const detail = `This template is registered in version ${holder.latestVersion}; a new version must be higher`;
    throw new Fault('templateExists', { detail });
  }
  const issuerName = await ownNameOf(parts, template.issuer);
  const terms = { template, ...(issuerName !== undefined && { issuerName }) };
  const taken = await releaseAndFindOthersNames(parts, namesIn(terms));
  if (taken.has(template.name)) throw nameTaken(template.name);
  if (issuerName === undefined || !taken.has(issuerName)) return terms;
  // An issuer may always publish a new version of its own template, whatever others call themselves.
  if (!holder) throw nameTaken(issuerName);
  return { template };
}

const isNotHigher = (version: string, latest: string | null): boolean =>
  latest !== null && compareVersions(version, latest) <= 0;

/** The registration as a transaction that the issuer's account can send next, tried out. */
async function registrationOffer(
  { ledger, keys }: Pick<ServiceParts, 'ledger' | 'keys'>,
  terms: TemplateTerms,
): Promise<BlobOffer<TemplateTerms>> {
  const { template, acceptsUnbound } = terms;
  const issuerKey = keyOfLedgerDid(template.issuer, keys);
  const transaction = await ledger.registerTemplateTransaction({
    template,
    issuerAddress: keys.addressOf(issuerKey),
    issuerKey: keys.encodePublicKey(issuerKey),
    ...(acceptsUnbound && { acceptsUnbound }),
  });
  return { kind: 'template', signer: template.issuer, transaction, terms };
}

type Ordered = Pick<TemplateTerms, 'template' | 'acceptsUnbound'>;

type Attempt =
  /** On its way to the ledger: to be signed and submitted as before. */
  | { readonly kind: 'underWay'; readonly blobId: string; readonly blob: string }
  | { readonly kind: 'registered'; readonly blobId: string; readonly reply: RegistrationReply };

/**
 * A registration that its issuer ordered with the private key and heard nothing of: the same order again goes on with it
 * instead of meeting it as another's. Whoever asks must have shown the issuer's key.
 */
async function findAttempt(
  parts: Pick<ServiceParts, 'database' | 'vault'>,
  ordered: Ordered,
): Promise<Attempt | undefined> {
  const { kysely } = parts.database;
  const { template } = ordered;
  for (const row of await listUnansweredBlobs(kysely, { owner: template.issuer, kind: 'template' })) {
    if (row.state === 'claimed') {
      const { blob, terms } = await openBlob<TemplateTerms>(parts, row);
      if (isSame(terms, ordered)) return { kind: 'underWay', blobId: row.id, blob };
    }
    const end = row.outcome === null ? undefined : readEnd(row.outcome);
    if (end?.kind !== 'executed') continue;
    const reply = end.reply as RegistrationReply;
    const stored = await findStoredTemplate(kysely, template.id, template.version);
    if (stored?.txHash === reply.txHash && isSame(stored, { template }))
      return { kind: 'registered', blobId: row.id, reply };
  }
  return undefined;
}

const isSame = (one: Ordered, other: Ordered): boolean => textOf(one) === textOf(other);

const textOf = ({ template, acceptsUnbound = false }: Ordered): string =>
  canonicalJson({ template: JSON.parse(JSON.stringify(template)), acceptsUnbound });
