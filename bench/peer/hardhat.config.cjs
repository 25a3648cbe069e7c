/** A hardhat network with as many accounts as the load generator has connections; everything else is its default. */
module.exports = {
  networks: { hardhat: { accounts: { count: 64, accountsBalance: (10n ** 24n).toString() } } },
};
