/** Was ein Beispiel offenlässt, nach dem Namen im Rumpf oder Kopf der Anfrage. */
import type { SameShape } from '../../text/same-shape.ts';
import type { fillInsEn } from '../en/fill-ins.ts';

export const fillInsDe: SameShape<typeof fillInsEn> = {
  signData: 'die Signatur des Inhabers unter dem Text, hexadezimal',
  signedText: 'der signierte Text der Anwesenheit: für welchen Dienst, wozu und wann',
  holderPublicKey: 'der öffentliche Schlüssel des Inhabers, wie in der Schlüsseldatei',
  publicKey: 'der öffentliche Schlüssel dessen, der signiert, wie in der Schlüsseldatei',
  signVcId: 'die Signatur des Inhabers unter dem Text, hexadezimal',
  ed25519SignData: 'die Signatur unter dem, was die Antwort davor zum Signieren gibt, hexadezimal',
  ed25519PubKey: 'der öffentliche Schlüssel dessen, der signiert, wie in der Schlüsseldatei',
  bbsBlsPubKey: 'der öffentliche BBS+-Schlüssel des Ausstellers, in Multibase',
  bbsBlsSignData: 'die BBS+-Signatur: bbsBlsBase64 der Antwort davor, wo der Dienst den Schlüssel hält',
  blobId: 'blobId der Antwort davor',
  signBlob: 'die Signatur des Ausstellers unter blob der Antwort davor, hexadezimal',
  signedBlob: 'die Signatur des Inhabers unter blob der Antwort davor, hexadezimal',
  vp_token: 'die Präsentation mit Beweisen und der Signatur des Inhabers',
  paymentId: 'paymentId der Antwort davor, die 402 ist',
  sign_data: 'die Signatur unter dem Blob der Transaktion, hexadezimal',
  public_key: 'der öffentliche Schlüssel dessen, der signiert, wie in der Schlüsseldatei',
  publickey: 'der öffentliche Schlüssel des Inhabers, wie in der Schlüsseldatei',
  signeddata: 'die Signatur des Inhabers unter dem Text, hexadezimal',
  signedtext: 'der signierte Text der Anwesenheit, in base64url',
  'x-wallet-public-key': 'der öffentliche Schlüssel des Inhabers, wie in der Schlüsseldatei',
  'x-wallet-signed-data': 'die Signatur des Inhabers unter dem Text, hexadezimal',
  'x-wallet-signed-text': 'der signierte Text der Anwesenheit, in base64url',
  'X-PAYMENT': 'die signierte Zahlung dessen, was die Antwort davor verlangt, in base64',
};
