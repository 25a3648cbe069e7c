/** Keys and addresses of the network, with the platform's own SHA-256: nothing of a node has to be loaded for them. */
import { hash } from 'node:crypto';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';

export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

export const keyFormat = createKeyFormat(zetrixProfile, sha256);
