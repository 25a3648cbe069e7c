/** Datasets that the key signs which their issuer has left here, for templates that it issues at once. */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { ServiceParts } from '../../parts/service-parts.ts';
import { signAsIssuer } from '../../payments/issuer-signing.ts';
import { findAutoIssue } from '../../payments/price-rows.ts';
import { datasetInput, entryTermsOf, type KeptContents } from './datasets.ts';

/** In hex; nothing where the issuer does not issue the template at once. */
export async function keptSignature(
  parts: ServiceParts,
  kept: KeptContents,
  issuer: string,
): Promise<string | null> {
  const policy = await findAutoIssue(parts.database.kysely, entryTermsOf(kept).template);
  if (!policy?.isEnabled || policy.until <= parts.clock.nowMs()) return null;
  const signed = await signAsIssuer(parts, issuer, datasetInput(kept));
  return signed ? encodeHex(signed.signature) : null;
}
