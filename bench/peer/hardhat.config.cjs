/** A hardhat network with as many rich accounts as the load generator has connections; everything else is its default. */
const { createHash } = require('node:crypto');

const senders = 64;
const balance = (10n ** 24n).toString();
const keyOf = (index) => `0x${createHash('sha256').update(`symbolon bench: peer ${index}`).digest('hex')}`;

module.exports = {
  networks: {
    hardhat: {
      accounts: Array.from({ length: senders }, (_, index) => ({ privateKey: keyOf(index), balance })),
    },
  },
};
