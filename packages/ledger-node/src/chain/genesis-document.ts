/**
 * `genesis.json`: the parameters a chain is born with, as an operator writes them down. Every node of a chain
 * has the same document; its content decides the hash of the first block.
 */
import { create } from '@bufbuild/protobuf';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { profiles } from '@symbolon/core/keys/profile';
import type { ChainParameters } from '@symbolon/core/ledger/terms/chain-parameters';
import { int64Max } from '@symbolon/core/limits/consensus';
import { FeeConfigSchema, ValidatorSetSchema } from '@symbolon/core/proto/ledger_pb';
import { z } from 'zod';

/** The rules this software implements from the first block on. */
const ledgerVersion = 1003n;

const amount = z
  .union([z.bigint(), z.int(), z.string().regex(/^[0-9]{1,19}$/)])
  .transform((value) => BigInt(value))
  .refine((value) => value >= 0n && value <= int64Max, 'must lie in 0 to 9223372036854775807');

export const genesisSchema = z.strictObject({
  profile: z.enum(Object.keys(profiles)),
  chainId: amount.default(0n),
  slogan: z.string().max(1_024).default(''),
  genesisAddress: z.string(),
  genesisBalance: amount.default(100_000_000_000_000_000n),
  fees: z
    .strictObject({
      gasPrice: amount.default(1n),
      baseReserve: amount.default(0n),
      createContractGas: amount.default(1_000_000n),
      issueAssetGas: amount.default(5_000_000n),
    })
    .prefault({}),
  blockReward: amount.default(0n),
  validators: z.array(z.string()).min(1).max(100),
});

export type GenesisDocument = z.infer<typeof genesisSchema>;

/** The chain's parameters, or every reason why the document makes none. */
export function chainParametersOf(
  document: GenesisDocument,
  keys: KeyFormat,
): { parameters: ChainParameters } | { problems: string[] } {
  const { chainId, slogan, genesisAddress, genesisBalance, fees, blockReward, validators } = document;
  const problems = [
    ...(keys.isAddress(genesisAddress) ? [] : ['genesisAddress is not a valid address']),
    ...validators.flatMap((address, index) =>
      keys.isAddress(address) ? [] : [`validators[${index}] is not a valid address`],
    ),
    ...(blockReward > 0n && genesisBalance > int64Max / 2n
      ? ['genesisBalance leaves no room for rewards: at most half of what 64 bits hold']
      : []),
    ...(new Set(validators).size === validators.length ? [] : ['validators names an address twice']),
  ];
  if (problems.length > 0) return { problems };
  const parameters: ChainParameters = {
    chainId,
    ledgerVersion,
    genesisAddress,
    genesisBalance,
    slogan,
    fees: create(FeeConfigSchema, { ...fees, blockReward }),
    validators: create(ValidatorSetSchema, { validators: validators.map((address) => ({ address })) }),
  };
  return { parameters };
}
