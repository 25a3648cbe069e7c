/**
 * The bundled Node as it must be: the SHA-256 of its program for each platform that has one. Taken from the packages
 * whose hashes stand in package-lock.json; a new version of Node needs new ones here.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

export const nodePins = {
  version: '24.21.0',
  sha256: {
    'linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
    'linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  },
};

const chunkBytes = 4 * 1024 * 1024;

export function sha256OfFile(file) {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(chunkBytes);
  const handle = openSync(file, 'r');
  try {
    for (let count = readSync(handle, buffer); count > 0; count = readSync(handle, buffer))
      hash.update(buffer.subarray(0, count));
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}
