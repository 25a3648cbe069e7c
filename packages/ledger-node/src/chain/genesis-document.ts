/**
 * `genesis.json`: the parameters a chain is born with, as an operator writes them down. Every node of a chain
 * has the same document; its content decides the hash of the first block.
 */
import { create } from '@bufbuild/protobuf';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { profiles } from '@symbolon/core/keys/profile';
import type { ChainParameters } from '@symbolon/core/ledger/terms/chain-parameters';
import { sortValidators, validatorProblem, validatorSetOf } from '@symbolon/core/ledger/terms/validators';
import { int64Max, validatorLimits } from '@symbolon/core/limits/consensus';
import { FeeConfigSchema, type ValidatorSet, ValidatorSetSchema } from '@symbolon/core/proto/ledger_pb';
import { z } from 'zod';

/** The rules this software implements from the first block on. */
const ledgerVersion = 1003n;

const amount = z
  .union([z.bigint(), z.int(), z.string().regex(/^[0-9]{1,19}$/)])
  .transform((value) => BigInt(value))
  .refine((value) => value >= 0n && value <= int64Max, 'must lie in 0 to 9223372036854775807');

const networkValidator = z.strictObject({ publicKey: z.string(), power: z.int(), payTo: z.string() });

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
  /** Who makes the blocks of a chain of one node. */
  validators: z.array(z.string()).min(1).max(validatorLimits.countMax).optional(),
  /** Who agrees on the blocks of a network, and whose account says it from then on: in the place of `validators`. */
  network: z
    .strictObject({
      council: z.string(),
      validators: z.array(networkValidator).min(1).max(validatorLimits.countMax),
    })
    .optional(),
});

export type GenesisDocument = z.infer<typeof genesisSchema>;

/** The chain's parameters, or every reason why the document makes none. */
export function chainParametersOf(
  document: GenesisDocument,
  keys: KeyFormat,
): { parameters: ChainParameters } | { problems: string[] } {
  const { chainId, slogan, genesisAddress, genesisBalance, fees, blockReward, network } = document;
  const problems = [
    ...(keys.isAddress(genesisAddress) ? [] : ['genesisAddress is not a valid address']),
    ...(blockReward > 0n && genesisBalance > int64Max / 2n
      ? ['genesisBalance leaves no room for rewards: at most half of what 64 bits hold']
      : []),
    ...validatorsProblems(document, keys),
  ];
  if (problems.length > 0) return { problems };
  const parameters: ChainParameters = {
    chainId,
    ledgerVersion,
    genesisAddress,
    genesisBalance,
    slogan,
    fees: create(FeeConfigSchema, { ...fees, blockReward }),
    validators: firstValidators(document),
    ...(network && { network: { council: network.council } }),
  };
  return { parameters };
}

function validatorsProblems({ validators, network }: GenesisDocument, keys: KeyFormat): string[] {
  if (!validators === !network)
    return ['needs either validators, for a chain of one node, or network, for one of several'];
  if (network) return networkProblems(network, keys);
  const given = validators ?? [];
  return [
    ...given.flatMap((address, index) =>
      keys.isAddress(address) ? [] : [`validators[${index}] is not a valid address`],
    ),
    ...(new Set(given).size === given.length ? [] : ['validators names an address twice']),
  ];
}

function networkProblems(
  { council, validators }: NonNullable<GenesisDocument['network']>,
  keys: KeyFormat,
): string[] {
  return [
    ...(keys.isAddress(council) ? [] : ['network.council is not a valid address']),
    ...(keys.isReservedAddress(council) ? ['network.council is an address that no key can sign for'] : []),
    ...validators.flatMap((validator, index) => {
      const problem = validatorProblem(validator, keys);
      return problem ? [`network.validators[${index}]${problem}`] : [];
    }),
    ...(new Set(validators.map(({ publicKey }) => publicKey)).size === validators.length
      ? []
      : ['network.validators names a publicKey twice']),
  ];
}

function firstValidators({ validators = [], network }: GenesisDocument): ValidatorSet {
  return network
    ? validatorSetOf(sortValidators(network.validators))
    : create(ValidatorSetSchema, { validators: validators.map((address) => ({ address })) });
}
