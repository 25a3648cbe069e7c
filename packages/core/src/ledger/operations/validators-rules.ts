/**
 * What a network demands of its council's `validators` entry (docs/ledger.md, "Networks"): whatever stands there is a set
 * that can go on making blocks, and a mark of jail in it comes from evidence alone.
 */
import type { MetadataEntry, SetMetadata } from '../../proto/ledger_pb.ts';
import type { LedgerRules } from '../terms/chain-parameters.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import { parseValidators, type ValidatorEntry, validatorsKey } from '../terms/validators.ts';
import type { CheckContext } from './operation.ts';

const isValidatorsEntry = (key: string, { rules, source }: CheckContext): boolean =>
  key === validatorsKey && source === rules.parameters.network?.council;

/** Rules over the body alone. */
export function checkValidatorsBody(
  { key, value, deleteFlag }: SetMetadata,
  context: CheckContext,
): LedgerRefusal | undefined {
  if (!isValidatorsEntry(key, context)) return undefined;
  if (deleteFlag)
    return refuse('invalidParameter', `"${validatorsKey}" is never deleted: it says who makes blocks`);
  const parsed = parseValidators(value, context.rules.keys);
  return 'problem' in parsed ? refuse('invalidParameter', parsed.problem) : undefined;
}

/** The council takes marks away, together with the validator or alone; it makes none. */
export function checkValidatorsStep(
  { key, value }: SetMetadata,
  { stored, ...context }: CheckContext & { readonly stored: MetadataEntry | undefined },
): LedgerRefusal | undefined {
  if (!isValidatorsEntry(key, context)) return undefined;
  const { keys } = context.rules;
  const marks = new Set(entriesOf(stored?.value ?? '[]', keys).flatMap(markOf));
  return entriesOf(value, keys)
    .flatMap(markOf)
    .every((mark) => marks.has(mark))
    ? undefined
    : refuse('invalidParameter', 'a validator is jailed by evidence alone');
}

function entriesOf(text: string, keys: LedgerRules['keys']): readonly ValidatorEntry[] {
  const parsed = parseValidators(text, keys);
  return 'entries' in parsed ? parsed.entries : [];
}

const markOf = ({ publicKey, jailed }: ValidatorEntry): string[] =>
  jailed ? [`${publicKey}/${jailed.height}/${jailed.kind}`] : [];
