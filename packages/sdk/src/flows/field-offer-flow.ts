/**
 * An issuer's offer for wallets of the field, made and signed. What is signed is what was ordered: the service prepares, the
 * issuer makes the same from its order and compares.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { isInstantText, unixMsOf } from '@symbolon/core/basics/calendar';
import { given } from '@symbolon/core/basics/plain-values';
import { readAttributeValues } from '@symbolon/core/credential/template-rules';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { submitLimits } from '@symbolon/core/limits/waiting';
import {
  datasetProofOptions,
  datasetSaltBytes,
  datasetSigningInput,
  datasetStatement,
} from '@symbolon/core/openid/standards-dataset';
import { readServiceRequest } from '@symbolon/wire/http/service-route';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { openidIssuanceRoutes } from '@symbolon/wire/openid/issuance-routes';
import type { FieldFormat } from '@symbolon/wire/openid/issuance-schemas';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { notAsOrdered } from '../comparison/order-comparison.ts';
import { didOfSigner, type Signer } from '../keys/signer.ts';
import { orderedTemplate, type TemplateChoice, templateChoiceMembers } from '../orders/template-order.ts';
import type { CallOptions, CredentialClient, CredentialReply } from '../service/credential-client.ts';

/** What is offered to whoever has the link, and in which formats. */
export interface FieldOfferOrder extends TemplateChoice {
  readonly signer: Signer;
  readonly attributes: Parameters<CredentialClient['makeOpenidOffer']>[0]['metadata'];
  /** A date or an instant. */
  readonly validUntil: string | number;
  /** `dc+sd-jwt`, if left out. */
  readonly formats?: readonly FieldFormat[];
  /** Whether a further code is needed, which is told on another way; yes, unless this is false. */
  readonly txCode?: boolean;
  readonly expiresInSeconds?: number;
  /** Whom it is for, in the issuer's own words. */
  readonly reference?: string;
}

/** Link and code are told once, here. */
export type MadeFieldOffer = Pick<
  CredentialReply<'makeOpenidOffer'>,
  'offerId' | 'vcId' | 'link' | 'txCode' | 'expiresAt'
>;

const what = 'the offer';

/** Makes an offer, compares what is to be signed with the order, and signs. */
export async function offerToWallets(
  client: Pick<CredentialClient, 'getTemplate' | 'makeOpenidOffer' | 'signOpenidOffer'>,
  order: FieldOfferOrder,
  options?: CallOptions,
): Promise<MadeFieldOffer> {
  const terms = { formats: true, txCode: true, expiresInSeconds: true, reference: true };
  const own = { ...templateChoiceMembers, signer: true, attributes: true, validUntil: true };
  assertMembers(order, { ...own, ...terms }, 'the order');
  const { signer, templateId, attributes, validUntil, formats, txCode, expiresInSeconds, reference } = order;
  const chosen = given({ txCode, expiresInSeconds, reference, formats: formats && [...formats] });
  const body = { templateId, metadata: attributes, validUntil, ...chosen };
  const made = await client.makeOpenidOffer(body, options);
  const { offerId, vcId, link, expiresAt, ed25519Blob } = made;
  if (ed25519Blob !== undefined) {
    const input = await orderedInput(client, order, { body, made });
    if (encodeHex(input) !== ed25519Blob.toLowerCase()) throw notAsOrdered(what, ['ed25519Blob']);
    const signData = encodeHex(await signer.sign(input));
    await client.signOpenidOffer({ offerId, signData }, options);
  }
  return { offerId, vcId, link, expiresAt, ...(made.txCode !== undefined && { txCode: made.txCode }) };
}

async function orderedInput(
  client: Pick<CredentialClient, 'getTemplate'>,
  order: FieldOfferOrder,
  { body, made }: { readonly body: object; readonly made: CredentialReply<'makeOpenidOffer'> },
): Promise<Uint8Array> {
  const { signer, templateId, profile = zetrixProfile } = order;
  const issuer = didOfSigner(signer, profile);
  const template = await orderedTemplate(client, issuer, order);
  // Read as the service reads it, so that no date means one thing here and another there.
  const { attributes, places, validUntil } = readServiceRequest(openidIssuanceRoutes.makeOpenidOffer, {
    body: body as never,
  });
  const { salt, validFrom, proofOptions } = (made.unsigned ?? {}) as Readonly<Record<string, JsonValue>>;
  const created = isJsonObject(proofOptions) ? proofOptions.created : undefined;
  if (typeof salt !== 'string' || parseHex(salt)?.length !== datasetSaltBytes)
    throw notAsOrdered(what, ['salt']);
  const dataset = {
    ...{ id: made.vcId, issuer, template: templateId, templateVersion: template.version, validUntil, salt },
    validFrom: momentNow(validFrom, 'validFrom'),
    values: readAttributeValues(
      template,
      [...attributes].map(([key, value]) => ({ key, value, pointer: places.each.get(key) ?? places.whole })),
      { pointer: places.whole },
    ),
  };
  const statement = datasetStatement(dataset, sha256);
  const options = datasetProofOptions(dataset, momentNow(created, 'proofOptions.created'));
  return datasetSigningInput({ statement, options }, sha256);
}

/** What the service says is now, where it is near. */
function momentNow(value: JsonValue | undefined, member: string): string {
  const ms = typeof value === 'string' && isInstantText(value) ? unixMsOf(value) : undefined;
  if (ms !== undefined && Math.abs(Date.now() - ms) <= submitLimits.draftLifetimeMs) return value as string;
  throw notAsOrdered(what, [member], { why: "and is far from this machine's time" });
}
