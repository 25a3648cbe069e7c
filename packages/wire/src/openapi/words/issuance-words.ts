/** What members mean in the life of a credential: templates, applications, signatures, status; and of any answer. */
import type { Words } from './vocabulary.ts';

const didForm = '`did:`, a method and 64 hex digits';
const publicKeyForm = 'hex with prefix and checksum, 76 digits';

const offerState =
  'Where the offer stands: open, accepted, issued, rejected by its issuer after it was accepted, withdrawn, expired or locked.';

export const issuanceWords: Words = {
  // Refusals
  'Problem.type': 'Name of the kind of problem as a URN, as RFC 9457 has it.',
  'Problem.title': 'The same few words for every problem of this code.',
  'Problem.status': 'HTTP status of the answer.',
  code: 'Name of the refusal. It never changes its meaning: branch on it.',
  detail: 'What exactly is wrong in this request, for people to read.',
  'Problem.errors': 'Every place of the request that is wrong, up to 20.',
  pointer: 'Where in the request, as a JSON pointer; `/query/…` and `/params/…` stand for the address.',
  requestId: 'Names this request in the log of the service; quote it when you ask for help.',
  traceId: 'Names this request in the log of the service; quote it when you ask for help.',

  // Templates
  templateId: `Identifier of the template: ${didForm}.`,
  templateName: 'What people call the template; unique among those of its issuer.',
  issuerDid: `DID of the issuer: ${didForm}. One of the four spellings is enough.`,
  issuerDID: 'The same as issuerDid, as the interface spells it here.',
  issuerZid: 'The same as issuerDid, as older clients spell it.',
  issuerZID: 'The same as issuerDid, as older clients spell it.',
  credentialFormat: 'The attributes that a credential of this template has.',
  'credentialFormat.attribute': 'What people call the attribute.',
  'credentialFormat.key': 'Name of the attribute in credentials and applications; unique in the template.',
  format: 'Which values are good: string, date, date-time, integer, decimal, boolean, image/png and others.',
  mandatory: 'Whether a credential must have a value for it.',
  'credentialFormat.type':
    'Number of the data type: 1 text, 2 image, 3 integer, 4 decimal, 5 date, 6 date and time, 7 boolean.',
  version: 'Version of the template, such as 1.0.0.',
  versions: 'Every registered version, newest first.',
  remark: 'Free note of the issuer; of a change of status its reason, which stays off the ledger.',
  issuerPrivateKey: "The issuer's Ed25519 private key, encoded. Better keep it and send signed blobs.",
  txHash: 'Hash of the ledger transaction that recorded it, hex.',
  templates: 'Templates in their newest version.',

  // Blobs and signatures
  blobId: 'Names the blob when it is submitted, once; it lapses.',
  signBlob: 'Ed25519 signature over the bytes of the blob (hex decoded first), in hex.',
  publicKey: `Ed25519 public key that the signature is checked with: ${publicKeyForm}.`,
  signerList: 'Several signers, in place of signBlob and publicKey.',

  // Issuance
  vcId: `Identifier of the application, and later of the credential: ${didForm}.`,
  status: 'Where an application or a credential stands.',
  'listApplications.status': 'Only applications that stand here.',
  'listApplications.templateId': 'Only applications for this template.',
  applications: 'Applications to the issuer whose API key asks.',
  templateVersion: 'Version of the template that the application is for.',
  holder: 'DID of the holder.',
  issuer: 'DID of the issuer.',
  'makeOffer.state': 'Where the offer stands: open.',
  'offers.state': offerState,
  'withdrawOffer.state': 'Where the offer stands: withdrawn.',
  'previewOffer.state': offerState,
  'getRevocationStatus.issuer': 'Address or DID of the issuer, where the service has to look for the entry.',
  'applyForCredential.metadata': 'Values of the attributes, by the keys of the template.',
  'applyForCredential.data': 'The older form: one element with templateId and metadata, in place of both.',
  signData: "Holder's Ed25519 signature in hex, over signedText, or without one over the canonical JSON.",
  holderPublicKey: `The holder's Ed25519 public key: ${publicKeyForm}. Not needed with the holder's API key.`,
  'applyForCredential.publicKey': 'The same as holderPublicKey.',
  signedText:
    'Text of presence that was signed: purpose, audience, subject and time, each on its line. It makes a copy useless.',
  'createCredential.data': 'The older form of issuanceData: one element with templateId and metadata.',
  validFrom: 'Start of validity, RFC 3339; the moment of issue if absent.',
  issuanceDate: 'The same as validFrom.',
  expiredDate: 'End of validity: a date, an instant, or seconds or milliseconds since 1970.',
  validUntil: 'End of validity, RFC 3339.',
  'createCredential.validUntil': 'The same as expiredDate.',
  expirationDate: 'The same as expiredDate.',
  ed25519PubKey: `Ed25519 public key of who signed: ${publicKeyForm}.`,
  ed25519SignData: 'Ed25519 signature over the bytes of the blob (hex decoded first), in hex.',
  bbsBlsPubKey: "The issuer's BBS+ public key, Multibase: the one that its DID document names.",
  bbsBlsSignData: 'The BBS+ signature: bbsBlsBase64 of vc/create, or one made with the same messages.',
  vcObject: 'The whole credential with both proofs.',
  downloadExpiryDate: 'Until when the credential can be downloaded, RFC 3339.',
  signVcId: 'Signature in hex, over signedText, or without one over the text of vcId.',
  isIssuer: 'true where the issuer asks, false where the holder does.',
  'metadata.key': 'Key of the attribute.',
  'AttributeValues.key': 'Key of the attribute, as the template has it.',
  value: 'Value of the attribute: text, an exact number, or true or false.',
  reason: 'Why, for the other side to read.',
  createdAt: 'When the holder applied, RFC 3339.',
  updatedAt: 'When it last changed, RFC 3339.',
  registeredAt: 'When the ledger recorded the version, RFC 3339.',
  expiresAt: 'When it lapses, RFC 3339.',

  // Offers
  offerId: 'Identifier of the offer; of no use without its code.',
  'makeOffer.metadata': 'Values of the attributes, by the keys of the template.',
  offers: 'Offers of the issuer whose API key asks.',

  // Status
  issuerAddress: 'Ledger address of the issuer, who will sign.',
  vcIds: 'Identifiers of the credentials, each once.',
  isRevoked: 'Whether the ledger says that the credential is revoked.',
  revokedAt: 'When it was revoked, RFC 3339; null if it is not.',
  'getCredentialStatus.status': 'What the ledger says: Active, Suspended or Revoked.',
  'record.validFrom': 'Start of validity as the ledger has it, RFC 3339.',
  'record.validUntil': 'End of validity as the ledger has it, RFC 3339.',
  'template.attributes': 'Attributes of the template with their types.',
  'attributes.key': 'Key of the attribute.',
  'attributes.type': 'Data type of the attribute in a word, such as text or date.',
  acceptsUnbound: 'Whether credentials count whose entry on the ledger has no commitment to their contents.',

  // BBS+ keys
  authorization: 'The API key, for clients that cannot set a header.',
  seed: 'Seed of the key: a BIP-39 mnemonic with spaces, or bytes in hex or base64. The same seed gives the same key.',
  publicKeyMultibase: 'BBS+ public key, Multibase.',
  privateKeyMultibase:
    'BBS+ private key, Multibase. Confidential; needed only where the vault does not have it.',
  'signWithBbs.data': 'Messages to sign, in order: normally the values of the attributes.',
  encoding: 'What the messages are: texts as they stand (utf8), or bytes in base64.',

  // Operation of the service
  kid: 'Name of the key.',
  rsaPublicKeyPem: 'RSA public key of 3,072 bits in PEM.',
  'keys.validUntil': 'Until when requests sealed to it are opened, RFC 3339; null while no end is set.',
  jwks: 'The same keys as a JSON Web Key Set.',
  keys: 'Public keys as JSON Web Keys (RFC 7517).',
  kty: 'Kind of the key: RSA or OKP.',
  use: 'What the key is for: enc or sig.',
  alg: 'Algorithm that the key is used with.',
  n: 'Modulus of an RSA key, base64url.',
  e: 'Exponent of an RSA key, base64url.',
  crv: 'Curve of an OKP key: X25519 or Ed25519.',
  x: 'Public point of an OKP key, base64url.',
  'listAuditEntries.action': 'Only entries about this, such as credential.issue.',
  'listAuditEntries.subject': 'Only entries about this identifier.',
  entries: 'Entries of the log, newest first.',
  sequence: 'Number of the entry, counted from the first one.',
  time: 'When it was written, RFC 3339.',
  actor: 'Who did it: a DID or the name of an API key; null for nobody in particular.',
  'entries.action': 'What was done, such as credential.issue.',
  'entries.subject': 'What it was done to: an identifier; null for nothing in particular.',
  'entries.outcome': 'What became of it: done, refused or failed.',
  details: 'More facts of this action, by name; never personal data.',
  'listAuditEntries.entries.hash': 'SHA-256 over the entry and the hash before it, hex: the log is a chain.',
  'getAuditHead.hash': 'Hash of the entry with this number, hex.',
  anchor: 'The newest hash that stands on the ledger; null before the first.',
};
