/** The people of the tests, the same ones that the node's own tests meet. */
export * from '@symbolon/ledger-node/testing/people';
