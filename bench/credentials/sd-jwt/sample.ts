/** What both sides of the SD-JWT rounds issue, show and ask for: twelve attributes, three of them shown. */
export const issuer = 'https://issuer.example/oid4vci/ab';
export const vct = 'https://issuer.example/types/ab/1.0';
export const attributes: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`attribute${index}`, `the value of attribute ${index}`]),
);
export const shown: readonly string[] = ['attribute1', 'attribute4', 'attribute9'];
export const binding = { nonce: 'a-nonce-of-the-benchmark', audience: 'x509_san_dns:verifier.example' };
