/** Base64 on every platform the SDK runs on. Text from the network is data: what is not base64 is undefined. */

/** The usual alphabet, with or without padding; nothing else, white space included. */
export function parseBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    // A length that no bytes have.
    return undefined;
  }
}
