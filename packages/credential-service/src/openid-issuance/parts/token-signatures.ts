/** Signatures of tokens that wallets send; keys are kept imported for all of them. */
import { createNodeVerifier } from '../../jose/node-signatures.ts';

export const verifyToken = createNodeVerifier();
