/** The life of a contract as the unmodified public SDK leads it, on a node that is alone. */
import { openOwnChain } from './client-chain.ts';
import { registerContracts } from './zetrix-sdk-contracts.conformance.ts';

registerContracts(openOwnChain);
