/** The service's own routes: DID resolution, keys of the sealed layer, the audit log. */

import { Fault } from '@symbolon/core/faults/faults';
import type { CredentialHandlers } from '@symbolon/wire/credentials/routes';
import type { SealKeysReply } from '@symbolon/wire/http/seal-keys';
import type { AuditAnchor } from '../audit/audit-rows.ts';
import { answerResolution } from '../identity/answer-resolution.ts';
import type { AllParts } from '../wiring/all-parts.ts';

export interface ServiceHandlerOptions {
  readonly sealKeys: () => Promise<SealKeysReply>;
  readonly onFailure: (error: unknown) => void;
}

const timeText = (ms: number): string => new Date(ms).toISOString();

export function createServiceHandlers(
  { resolver, audit }: AllParts,
  { sealKeys, onFailure }: ServiceHandlerOptions,
) {
  return {
    resolveDid: ({ did, ...query }, { header }) =>
      answerResolution(resolver, { did, query, accept: header('accept') }, onFailure),

    getSealKeys: async () => ({ ...(await sealKeys()) }),

    async listAuditEntries({ itemsMax: limit, ...search }) {
      const { items, next } = await audit.list({ ...search, limit });
      const entries = items.map(
        ({ sequence, at, actorDid, actorKey, action, subject, outcome, details, hash }) => ({
          sequence,
          time: timeText(at),
          actor: actorDid ?? actorKey,
          action,
          subject,
          outcome,
          details: JSON.parse(details),
          hash,
        }),
      );
      return { entries, ...(next !== undefined && { nextCursor: next }) };
    },

    async getAuditHead() {
      const { sequence, hash } = await audit.head();
      const anchor = await audit.latestAnchor();
      return { sequence, hash, anchor: anchor ? renderAnchor(anchor) : null };
    },

    async getAuditProof(question) {
      const proof = await audit.proof(question);
      if (!proof) throw new Fault('auditEntryUnknown');
      const { chain, end, anchor } = proof;
      const last = chain.at(-1)?.sequence;
      return {
        chain: chain.map(({ owner: _owner, hash: _hash, ...hashed }) => hashed),
        end: { sequence: end.sequence, hash: end.hash },
        anchor: anchor ? renderAnchor(anchor) : null,
        ...(last !== undefined && last < end.sequence && { nextAfter: String(last) }),
      };
    },
  } satisfies Partial<CredentialHandlers>;
}

const renderAnchor = ({ sequence, hash, txHash, at }: AuditAnchor) => ({
  sequence,
  hash,
  txHash,
  time: timeText(at),
});
