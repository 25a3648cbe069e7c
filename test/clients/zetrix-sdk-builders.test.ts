/** Every builder of the unmodified public SDK against a node that is alone. */
import { openOwnChain } from './client-chain.ts';
import { registerBuilders } from './zetrix-sdk-builders.conformance.ts';

registerBuilders(openOwnChain);
