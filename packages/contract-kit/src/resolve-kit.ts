/**
 * Loaded before the tests of contracts: lets them import `@symbolon/contract-kit/…` from any folder, without having
 * it installed there.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('@symbolon/contract-kit/')
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
});
