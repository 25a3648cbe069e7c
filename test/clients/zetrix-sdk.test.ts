/** The unmodified public SDK against a node that is alone. */
import { openOwnChain } from './client-chain.ts';
import { registerSdk } from './zetrix-sdk.conformance.ts';

registerSdk(openOwnChain);
