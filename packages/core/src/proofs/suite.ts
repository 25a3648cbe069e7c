/**
 * The constants of BBS signatures over BLS12-381 with SHA-256, as the IETF draft `draft-irtf-cfrg-bbs-signatures` names
 * them, and the two interfaces built on them. Computing with curve points is the proof engine's business
 * (`proof-engine.ts`): here and in the files beside is only what hashing and encoding can do.
 */
import { encodeUtf8, parseHex } from '../basics/bytes.ts';
import type { BbsInterface } from './proof-engine.ts';

export const ciphersuiteId = 'BBS_BLS12381G1_XMD:SHA-256_SSWU_RO_';

/**
 * Everything hashed carries the id of its interface, so a signature made through one says nothing to the other.
 * `plain` is the draft's own over strings of bytes; `typed` also takes integers that stand for themselves.
 */
export const interfaceIds: Readonly<Record<BbsInterface, string>> = {
  plain: `${ciphersuiteId}H2G_HM2S_`,
  typed: `${ciphersuiteId}H2G_SYMBOLON_TYPED_V1_`,
};

/** The order of the groups: every scalar is below it. */
export const groupOrder = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** The draft's fixed point of G1 that every signature starts from, compressed. */
export const basePointG1 = parseHex(
  'a8ce256102840821a3e94ea9025e4662b205762f9776b3a766c872b948f1fd225e7c59698588e70d11406d161b4e28c9',
) as Uint8Array;

/**
 * The usual generator of G2, compressed: a public key is this times the secret. Written down, like the others: to compute
 * it takes a tenth of a second of every program that only names it.
 */
export const basePointG2 = parseHex(
  '93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
) as Uint8Array;

/** A domain separation tag: who hashes, and what for. */
export const tag = (id: string, purpose: string): Uint8Array => encodeUtf8(id + purpose);
