/**
 * Changes of status by the VC-API. Only the issuer's signature changes anything on the ledger, and the key that it may have
 * left here is for issuing alone: so a change is prepared, and the issuer signs and submits it as any other.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { statusWords } from '@symbolon/wire/credentials/registry-records';
import type { Call } from '@symbolon/wire/http/service-route';
import { jsonAnswer } from '@symbolon/wire/http/text-replies';
import type { VcApiStatusOrder } from '@symbolon/wire/vc-api/vc-api-requests';
import { addressOfIssuer } from '../access/signatures.ts';
import { findCredential } from '../issuance/credential-rows.ts';
import { createStatusHandlers } from '../status/status-handlers.ts';
import { listAtUri } from '../status-lists/list-requests.ts';
import { credentialAt } from '../status-lists/slot-rows.ts';
import { findNamedCredential } from './named-credentials.ts';
import { requireInstance, type VcApiParts } from './vc-api-parts.ts';

const submits = {
  revoke: '/cred/v1/vc/revoke/submit',
  suspend: '/cred/v1/vc/suspend/submit',
  reinstate: '/cred/v1/vc/reinstate/submit',
} as const;
type Act = keyof typeof submits;

/** What brings about that a list says so. */
function actOf({ purpose, status }: VcApiStatusOrder): Act {
  if (purpose === 'suspension') return status ? 'suspend' : 'reinstate';
  if (status) return 'revoke';
  throw new Fault('statusForbids', { detail: 'A revocation is for good' });
}

export function createStatusChanges(parts: VcApiParts) {
  const handlers = createStatusHandlers(parts);
  const prepare = {
    revoke: handlers.createRevocationBlob,
    suspend: handlers.createSuspensionBlob,
    reinstate: handlers.createReinstatementBlob,
  };

  return async (order: VcApiStatusOrder, call: Call) => {
    const issuer = requireInstance(parts, order.issuer, call.caller);
    const vcId = await credentialOf(parts, order, issuer);
    const credential = await findCredential(parts.database.kysely, vcId);
    if (!credential || credential.issuer !== issuer) throw new Fault('credentialUnknown');
    const isSet = credential.status === (order.purpose === 'revocation' ? 'revoked' : 'suspended');
    const status = statusWords[credential.status];
    if (isSet === order.status) return jsonAnswer({ status }, { status: 200 });
    const act = actOf(order);
    const issuerAddress = addressOfIssuer(issuer, parts.keys);
    const { blobId, blob } = await prepare[act]({ vcIds: [vcId], issuerAddress, remark: undefined }, call);
    return { status, blobId, blob, submit: submits[act] };
  };
}

/** By the id that the issuer gave it, by its place in a list, or by both, which must agree. */
async function credentialOf(
  parts: VcApiParts,
  { credentialId, place, purpose }: VcApiStatusOrder,
  issuer: string,
): Promise<string> {
  const queries = parts.database.kysely;
  const found: (string | undefined)[] = [];
  if (credentialId !== undefined)
    found.push((await findNamedCredential(queries, { issuer, credentialId }))?.vcId);
  if (place !== undefined) {
    const { profile, settings } = parts;
    const list = listAtUri({ publicUrl: settings.publicUrl, profile }, place.uri);
    const isIndex = /^(0|[1-9][0-9]{0,8})$/.test(place.index);
    const isOwn = list?.name.issuer === issuer && list.kind === purpose && isIndex;
    found.push(isOwn ? await credentialAt(queries, { ...list.name, slot: Number(place.index) }) : undefined);
  }
  const [vcId] = found;
  if (vcId === undefined || found.some((one) => one !== vcId)) throw new Fault('credentialUnknown');
  return vcId;
}
