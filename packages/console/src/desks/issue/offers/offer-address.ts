/**
 * The address at which the console's wallet opens an offer. What stands behind the `#` is sent to no server, and the code
 * of the offer is in it.
 */
export const offerAddress = (origin: string, link: string): string =>
  `${origin}/wallet/apply#offer=${encodeURIComponent(link)}`;
