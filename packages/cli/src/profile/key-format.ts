/** Keys and addresses of the network, with the platform's own SHA-256: nothing of a node has to be loaded for them. */
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { sha256 } from '@symbolon/host/work/sha256';

export const keyFormat = createKeyFormat(zetrixProfile, sha256);
