/**
 * Credentials by the VC-API: the dataset is signed with the key that its issuer has left here, the credential is made, the
 * ledger has the entry, then it is answered. The same order under the same id goes on where it broke off: it has the same
 * entry of the ledger, and a credential with a place and a proof of its own.
 */
import { assert } from '@symbolon/core/basics/assert';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { type Fields, given } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Caller } from '@symbolon/wire/http/service-route';
import type { VcApiIssueOrder } from '@symbolon/wire/vc-api/vc-api-requests';
import { issueLdpCredentials } from '../ldp-credentials/template-credentials.ts';
import { addDataset, findDataset } from '../openid-issuance/datasets/dataset-rows.ts';
import {
  datasetDigestHex,
  type KeptDataset,
  makeDataset,
  openDataset,
  recordDataset,
} from '../openid-issuance/datasets/datasets.ts';
import { keptSignature } from '../openid-issuance/datasets/kept-signatures.ts';
import { takeSlots } from '../status-lists/slot-rows.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import { findNamedCredential, nameCredential } from './named-credentials.ts';
import { type OrderedCredential, readOrderedCredential } from './ordered-credentials.ts';
import { provingParts, requireInstance, type VcApiParts } from './vc-api-parts.ts';

interface Issuing {
  readonly issuer: string;
  readonly order: VcApiIssueOrder;
  readonly ordered: OrderedCredential;
}

export async function issueByVcApi(
  parts: VcApiParts,
  order: VcApiIssueOrder,
  caller: Caller,
): Promise<Fields> {
  const issuer = requireInstance(parts, order.issuer, caller);
  const issuing = { issuer, order, ordered: await readOrderedCredential(parts, order, issuer) };
  const { dataset } = (await findSameOrder(parts, issuing)) ?? (await keepOrder(parts, issuing));
  const { database, clock } = parts;
  const { template, subject, credentialId } = issuing.ordered;
  const [slot] = await database.transaction((queries) =>
    takeSlots(queries, { issuer, vcId: dataset.id, count: 1, now: clock.nowMs() }),
  );
  assert(slot, 'a place was taken');
  const [credential] = await issueLdpCredentials(provingParts(parts, caller), {
    ...{ issuer, template, dataset, suite: order.cryptosuite },
    instances: [{ slot, ...given({ subject, id: credentialId }) }],
    ...given({ alwaysShown: order.mandatoryPointers }),
  });
  assert(credential, 'one was made for one place');
  parts.crashPoint('vcApiCredentialMade');
  await recordDataset(parts, dataset.id, caller);
  return credential;
}

/** Of the order alone; the salt keeps anybody from trying out values against it. */
function markOf({ order, ordered }: Issuing, { dataset }: KeptDataset): string {
  const { template, values, subject = null, validFrom = null, validUntil } = ordered;
  const { cryptosuite, mandatoryPointers = null } = order;
  const { id, version } = template;
  const said = [id, version, values, subject, validFrom, validUntil, cryptosuite, mandatoryPointers];
  return sha256Hex(canonicalJson([dataset.salt, ...said]));
}

/** Throws `stateForbids` where another credential has the id. */
async function findSameOrder(parts: VcApiParts, issuing: Issuing): Promise<KeptDataset | undefined> {
  const { issuer, ordered } = issuing;
  const { credentialId } = ordered;
  if (credentialId === undefined) return undefined;
  const queries = parts.database.kysely;
  const known = await findNamedCredential(queries, { issuer, credentialId });
  if (!known) return undefined;
  const row = await findDataset(queries, known.vcId);
  assert(row, 'a credential with a name has its dataset');
  const kept = await openDataset(parts, row);
  if (known.mark !== markOf(issuing, kept))
    throw new Fault('stateForbids', { detail: 'Another credential of yours has this id' });
  return kept;
}

/** Throws `autoIssueRefused` where the issuer has left no key for this template. */
async function keepOrder(parts: VcApiParts, issuing: Issuing): Promise<KeptDataset> {
  const { database, vault, clock } = parts;
  const { issuer, ordered } = issuing;
  const { template, credentialId } = ordered;
  const kept = makeDataset(parts, ordered);
  const signature = await keptSignature(parts, kept, issuer);
  if (signature === null)
    throw new Fault('autoIssueRefused', {
      detail:
        'A credential is signed at once here: leave your key for this template at POST /v1/issuer/auto-issue, ' +
        'or offer it to a wallet at POST /cred/v1/oid4vci/offers and sign yourself',
    });
  const vcId = kept.dataset.id;
  const row = {
    ...{ vcId, issuer, templateId: template.id, templateVersion: template.version, signature },
    digest: datasetDigestHex(kept),
    contents: await vault.encryptDocument(kept, contexts.openidDataset(vcId)),
    now: clock.nowMs(),
  };
  await database.transaction(async (queries) => {
    await addDataset(queries, row);
    if (credentialId === undefined) return;
    const entry = { vcId, mark: markOf(issuing, kept), now: row.now };
    if (!(await nameCredential(queries, { issuer, credentialId }, entry)))
      throw new Fault('stateForbids', { detail: 'The same id is being used by another request' });
  });
  parts.crashPoint('vcApiDatasetStored');
  return kept;
}
