/** Keys and addresses of the network that is meant where none is named. */
import { sha256 } from '@noble/hashes/sha2.js';
import { createKeyFormat, type KeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';

export const usualKeyFormat: KeyFormat = /* @__PURE__ */ createKeyFormat(zetrixProfile, sha256);
