/** Bounds of key files, of which anybody may have written one. Everybody takes them from `limits.ts`. */
export const keyFileLimits = {
  fileCharsMax: 65_536,
  saltBytesMax: 1_024,
  passwordCharsMax: 1_024,
  /** Work factors of scrypt, the memory that they come to, and how much of it is gone through in all. */
  costMax: 1_048_576,
  blockSizeMax: 32,
  parallelMax: 16,
  memoryBytesMax: 512 * 1024 * 1024,
  workBytesMax: 1024 * 1024 * 1024,
} as const;
