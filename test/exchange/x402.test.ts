/** The protocol's own client, unchanged, buys of a service on a node that is alone. */
import { paymentSuite } from '../support/payment-world.ts';
import { registerX402 } from './x402.conformance.ts';

const { world } = await paymentSuite();
registerX402(async () => world);
