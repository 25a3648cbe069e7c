/** The routes of the W3C VC-API: issue, change of status, derive, present, verify. */
import type { Fields } from '@symbolon/core/basics/plain-values';
import type { VcApiHandlers } from '@symbolon/wire/vc-api/vc-api-routes';
import { deriveByVcApi, presentByVcApi } from './holding.ts';
import { issueByVcApi } from './issuing.ts';
import { toldVerdict } from './judgements.ts';
import { createStatusChanges } from './status-changes.ts';
import { requireInstance, type VcApiParts } from './vc-api-parts.ts';
import { foreignStatuses } from './verification-tools.ts';
import { judgeVcApiCredential, judgeVcApiPresentation } from './verifying.ts';

const credential = (verifiableCredential: Fields) => ({
  verifiableCredential: { ...verifiableCredential },
});

export function createVcApiHandlers(parts: VcApiParts): VcApiHandlers {
  const verifying = { ...parts, foreignStatuses: foreignStatuses(parts) };
  return {
    issueByVcApi: async (order, { caller }) => credential(await issueByVcApi(parts, order, caller)),

    changeStatusByVcApi: createStatusChanges(parts),

    deriveByVcApi: async (order, { caller }) => credential(await deriveByVcApi(parts, order, caller)),

    presentByVcApi: async (order, { caller }) => ({
      verifiablePresentation: { ...(await presentByVcApi(parts, order, caller)) },
    }),

    async verifyCredentialByVcApi(check, { caller }) {
      requireInstance(parts, check.issuer, caller);
      return toldVerdict(
        await judgeVcApiCredential(verifying, check.credential, caller),
        check.isToldAsResult,
      );
    },

    async verifyPresentationByVcApi(check, { caller }) {
      requireInstance(parts, check.issuer, caller);
      return toldVerdict(await judgeVcApiPresentation(verifying, check, caller), check.isToldAsResult);
    },
  };
}
