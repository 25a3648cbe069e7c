/**
 * Custody (`docs/custody.md`): the handlers between its routes and what it does. A service that holds no keys for
 * others says that there is nothing here.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { renderAccount, renderPolicy, renderSignature } from '@symbolon/wire/custody/replies';
import {
  type AccountRequest,
  approvalHeader,
  passwordHeader,
  readPasswordHeader,
} from '@symbolon/wire/custody/requests';
import type { CustodyHandlers } from '@symbolon/wire/custody/routes';
import { type Call, malformedAt } from '@symbolon/wire/http/service-route';
import type { Custody } from './custody.ts';
import type { Knock } from './password-gate.ts';

export function createCustodyHandlers({
  custody,
  keys,
}: {
  readonly custody: Custody | undefined;
  readonly keys: KeyFormat;
}): CustodyHandlers {
  const opened = (): Custody => {
    if (custody) return custody;
    throw new Fault('routeUnknown', { detail: 'This service holds no keys for others' });
  };
  const checkAddress = (address: string): string => {
    if (keys.isAddress(address)) return address;
    throw malformedAt('/address', 'must be an address of this ledger');
  };
  const knockOf = ({ address, password }: AccountRequest, { caller, header }: Call): Knock => {
    const approval = header(approvalHeader);
    return {
      address: checkAddress(address),
      password,
      from: caller.address,
      ...(approval !== undefined && { approval }),
    };
  };
  const signBlob = async (request: AccountRequest & { readonly blob: Uint8Array }, call: Call) =>
    renderSignature(await opened().signBlob(knockOf(request, call), request.blob));

  return {
    createCustodyAccount: async (order, { caller }) =>
      renderAccount(await opened().create({ ...order, from: caller.address })),
    signCustodyBlob: signBlob,
    signCustodyBlobListed: signBlob,

    signCustodyMessage: async (request, call) =>
      renderSignature(await opened().signMessage(knockOf(request, call), request)),

    getCustodyActivation: async ({ address }) => ({
      address,
      activated: await opened().isActivated(checkAddress(address)),
    }),

    async changeCustodyPassword(request, call) {
      await opened().changePassword(knockOf(request, call), request.newPassword);
      return { address: request.address, changed: true };
    },

    async getCustodyPolicy({ address }, call) {
      const custodian = opened();
      const password = readPasswordHeader(call.header(passwordHeader));
      return renderPolicy(address, await custodian.policyOf(knockOf({ address, password }, call)));
    },

    changeCustodyPolicy: async (request, call) =>
      renderPolicy(request.address, await opened().changePolicy(knockOf(request, call), request.change)),
  };
}
