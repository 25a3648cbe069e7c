/**
 * The names a contract may use without declaring them (docs/ledger.md, "Contracts"): parts of the language whose
 * results are the same everywhere, and what the node adds. Everything else, clocks and randomness included, is
 * undeclared.
 */
import {
  legacyChainNames,
  legacyUtilsNames,
  legacyValueNames,
} from '@symbolon/core/ledger/terms/legacy-names';

const language = [
  'Boolean',
  'Error',
  'EvalError',
  'Infinity',
  'JSON',
  'Map',
  'NaN',
  'Number',
  'Object',
  'RangeError',
  'ReferenceError',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'parseFloat',
  'parseInt',
  'undefined',
];

const objects = ['Chain', 'Utils'];

export const allowedGlobals: ReadonlySet<string> = new Set([
  ...language,
  ...objects,
  ...Object.values(legacyChainNames),
  ...legacyUtilsNames,
  ...legacyValueNames,
]);

/** The name under which the family's nodes count steps: no contract may call, declare or replace it. */
export const stepFunctionName = 'internal_check_time';
