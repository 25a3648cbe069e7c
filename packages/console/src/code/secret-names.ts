/** Members whose values no sample shows, whatever they are called in which document. */
const secretMember =
  /^(private_?keys?|api_?key|.*private_?key|.*password|secret.*|seed|pin|mnemonic|pre-authorized_code|tx_?code)$/i;

export const isSecretName = (name: string): boolean => secretMember.test(name);
