/** What the code on a certificate leads to: the page of the service that says what the ledger says of the number. */
export const certificateAddress = (publicUrl: string, vcId: string): string =>
  `${publicUrl.replace(/\/$/, '')}/issue/certificate/${encodeURIComponent(vcId)}`;
