/** What the node uses of it; the package brings no types. */
declare module 'sodium-native' {
  const libsodium: {
    /** Throws when the key or the signature has a wrong length. */
    crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  };
  export default libsodium;
}
