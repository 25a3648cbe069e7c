/**
 * The service's own settings: `service.json` in its folder, `SYMBOLON_*` in the environment, the command line. What a
 * template or a credential may be is not set here: those are rules (`core/src/credential`).
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { readPublicJwk } from '@symbolon/formats/jose/public-keys';
import { oid4vciLimits } from '@symbolon/formats/limits/oid4vci-limits';
import { redirectUriProblem } from '@symbolon/formats/oid4vci/redirect-uris';
import { secret } from '@symbolon/host/config/config';
import { emptyIsMeant } from '@symbolon/host/config/config-settings';
import { databaseAddressProblem } from '@symbolon/host/database/postgres/postgres-address';
import { trustedProxiesSetting } from '@symbolon/host/http/trusted-proxies';
import { allowOriginSetting, originSetting } from '@symbolon/host/http/web-pages';
import { hsmLimits } from '@symbolon/host/limits/server-limits';
import { z } from 'zod';
import {
  certificateLimits,
  custodyWorkLimits,
  ledgerNodeLimits,
  paymentWorkLimits,
  serviceLimits,
} from '../limits/service-limits.ts';
import { engineNames } from '../proofs/proof-engines.ts';

/** Of P-256 or Ed25519, for ES256 and EdDSA. */
const clientJwk = z
  .looseObject({ kid: z.string().min(1).max(oid4vciLimits.identifierCharsMax).optional() })
  .superRefine((jwk, { addIssue }) => {
    const key = readPublicJwk(jwk);
    if (isComplaint(key)) addIssue({ code: 'custom', message: key.complaint });
  });
const redirectUri = z.string().superRefine((uri, { addIssue }) => {
  const problem = redirectUriProblem(uri);
  if (problem) addIssue({ code: 'custom', message: problem.complaint });
});
const openidClient = z
  .strictObject({
    clientId: z.string().regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 characters without spaces'),
    /** Without keys it is a public client: its addresses alone say whose it is. */
    jwks: z.strictObject({ keys: z.array(clientJwk).min(1).max(oid4vciLimits.clientKeysMax) }).optional(),
    /** Where browsers are sent back to; none if it never has people log in. */
    redirectUris: z.array(redirectUri).max(oid4vciLimits.redirectUrisMax).default([]),
  })
  .refine(({ jwks, redirectUris }) => jwks !== undefined || redirectUris.length > 0, {
    error: 'must have jwks or redirectUris',
  });

const port = z.int().min(0).max(65_535);
const count = (max: number) => z.int().min(1).max(max);
/** Settings that belong together: the whole may be left out, because each of them may. */
const group = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).prefault({} as never);
const hardwareToken = {
  /** The module's library. */
  module: z.string().regex(/^\//, 'must be an absolute path'),
  tokenLabel: z.string().min(1).max(32),
  pin: secret(z.string().min(1).max(hsmLimits.pinBytesMax)),
};

export const serviceConfigSchema = z.strictObject({
  /** The address the interface listens on; the default serves this machine alone. */
  host: z.string().min(1).default('127.0.0.1'),
  port: port.default(8_080),
  /** Proxies (addresses or networks) whose word about the caller's address is taken. */
  trustedProxies: trustedProxiesSetting().default([]),
  /**
   * What web pages of other origins may do: `public`, read what is public; named ones do everything; empty for none.
   */
  allowOrigin: allowOriginSetting(),
  /**
   * How long a service that was told to stop still answers everything while `/readyz` says no: so long a balancer has
   * to send requests elsewhere.
   */
  drainSeconds: z.int().min(0).max(serviceLimits.drainSecondsMax).default(0),
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** `sqlite:<file>` (from the service's folder) or `postgres://…`; the address may hold a password. */
  database: secret(
    z
      .string()
      .regex(/^(sqlite:|postgres(ql)?:\/\/)/, { abort: true })
      .superRefine((address, { addIssue }) => {
        const message = databaseAddressProblem(address);
        if (message !== undefined) addIssue({ code: 'custom', message: `is not right: ${message}` });
      }),
  ).default('sqlite:service.db'),
  /** The ledger node that the service records to. */
  nodeUrl: z.url().default('http://127.0.0.1:36002'),
  /** Further nodes of the same ledger, asked where the one before does not answer or is behind. */
  standbyNodeUrls: z
    .array(z.url({ protocol: /^https?$/ }))
    .max(ledgerNodeLimits.standbyMax)
    .default([]),
  masterKey: group({
    /** A file with 32 bytes in hex, made with the folder. */
    file: z.string().min(1).default('master.key'),
    /** The key itself, 32 bytes in hex or base64; wins over the file. */
    value: secret(z.string()).optional(),
    /** Keys of the past: what is still encrypted under them is brought under the current one. */
    previous: secret(z.array(z.string()).max(8)).default([]),
    /** A key in a hardware module (PKCS#11), made on the first start; wins over both. */
    hsm: z
      .strictObject({
        ...hardwareToken,
        keyLabel: z.string().min(1).max(hsmLimits.labelBytesMax).default('symbolon master key'),
        /** Labels of keys of the past in the same token. */
        previousKeyLabels: z.array(z.string().min(1).max(hsmLimits.labelBytesMax)).max(8).default([]),
      })
      .optional(),
  }),
  /** What computes proofs: the native engine where it can be loaded, or one of the two. */
  proofEngine: z.enum(['auto', ...engineNames]).default('auto'),
  /**
   * Workers that make and check proofs; 0 means as many as the machine has cores. One more takes short ones alone, and
   * one signs.
   */
  proofWorkers: z.int().min(0).max(64).default(0),
  /** How long a blob waits for its signature. */
  blobLifetimeSeconds: count(86_400).default(serviceLimits.blobLifetimeSeconds),
  /** How long an issued credential can be downloaded, where the issuer says nothing. */
  downloadWindowSeconds: count(365 * 86_400).default(serviceLimits.downloadWindowSeconds),
  /** Whether private keys may be sent to the service, to `template/create` for one; whoever cannot sign must. */
  acceptPrivateKeys: z.boolean().default(false),
  /**
   * Where wallets reach the service, as they see it: without a path and a slash at the end. Its own address if absent.
   */
  publicUrl: originSetting().optional(),
  /** A folder with the built web console; the one that came along if absent, and none if empty. */
  consoleFolder: emptyIsMeant(z.string()).optional(),
  /** Results of verification sessions that are posted to relying services. */
  callbacks: group({
    /** Whether they may live on this machine. */
    allowLoopback: z.boolean().default(false),
    /** Whether they may live in a private network, or on this machine. */
    allowPrivate: z.boolean().default(false),
  }),
  /** Credentials in the formats of the field. */
  openid: group({
    /**
     * What stands in `iss` of SD-JWT VCs: the https identifier of the issuer, or its did:web for wallets that find keys
     * by DIDs alone.
     */
    sdJwtIssuer: z.enum(['https', 'did:web']).default('https'),
    /**
     * Wallets that are known: by keys of their own (`private_key_jwt`), and by the addresses that browsers come back to.
     */
    clients: z.array(openidClient).max(oid4vciLimits.clientsMax).default([]),
    /** By which wallets know who asks (x509_hash, x509_san_dns): the certificate for the host of `publicUrl`. */
    requestCertificate: z
      .strictObject({
        /** PEM: the certificate of a P-256 key, and those between it and a root, which wallets have. */
        chain: z.string().min(1).max(certificateLimits.pemCharsMax),
        /** PEM, PKCS#8. */
        key: secret(z.string().min(1).max(certificateLimits.pemCharsMax)),
      })
      .optional(),
    /** PEM: certificates that keys of foreign issuers may lead to. */
    trustAnchors: z.string().max(certificateLimits.pemCharsMax).default(''),
  }),
  /** Documents of others that strangers name: DID documents, type metadata, status lists, contexts. */
  foreignDocuments: group({
    /** Whether they may also live on this machine, and then over http, as in a demo. */
    allowLoopback: z.boolean().default(false),
  }),
  /** What old clients do and this service does not do by itself. */
  compat: group({
    /** Takes signatures of paid applications by the old rule, which fit more than one text; each is logged. */
    lenientSignatures: z.boolean().default(false),
    /** Takes a signed address, which is good for ever, for `vc/ext/download`. */
    addressDownloads: z.boolean().default(false),
  }),
  facilitator: group({
    /** Pays the fees of payments that the service prepares, from accounts of its own. */
    sponsor: group({
      enabled: z.boolean().default(false),
      /** How often a day for one address. */
      perAddressPerDay: count(1_000_000).default(10),
      /** For everybody together in a day, in the smallest unit. */
      feePerDay: count(Number.MAX_SAFE_INTEGER).default(10_000_000),
      /** The most that one payment may cost. */
      feeLimitMax: count(Number.MAX_SAFE_INTEGER).default(100_000),
      /** Accounts that pay: as many payments can be under way at once. */
      accounts: count(paymentWorkLimits.sponsorAccountsMax).default(paymentWorkLimits.sponsorAccounts),
    }),
  }),
  /** Accounts whose keys the service holds for whoever knows their passwords. */
  custody: group({
    enabled: z.boolean().default(false),
    /** A hardware module (PKCS#11) that new keys are made in; without one they are encrypted in the vault. */
    hsm: z.strictObject(hardwareToken).optional(),
    /** A small payment of the registrar brings a new account onto the ledger. */
    activation: group({
      enabled: z.boolean().default(false),
      /** In the smallest unit; a chain whose accounts must keep more is paid that. */
      amount: count(Number.MAX_SAFE_INTEGER).default(custodyWorkLimits.activationAmount),
      /** Anybody can make accounts: no more than this many are paid for in a day. */
      perDay: count(1_000_000).default(custodyWorkLimits.activationsPerDay),
    }),
    /** Of one network address. */
    rates: group({
      wrongPasswordsPerMinute: count(1_000_000).default(custodyWorkLimits.wrongPasswordsPerMinute),
      newAccountsPerMinute: count(1_000_000).default(custodyWorkLimits.newAccountsPerMinute),
    }),
  }),
  rates: group({
    lightPerMinute: count(1_000_000).default(serviceLimits.lightRequestsPerMinute),
    heavyPerMinute: count(1_000_000).default(serviceLimits.heavyRequestsPerMinute),
    /** Proof work in units of its cost: of an address without a key, and of a key. */
    proofUnitsPerMinute: count(1_000_000).default(serviceLimits.proofUnitsPerMinute),
    proofUnitsPerMinuteWithKey: count(1_000_000).default(serviceLimits.proofUnitsPerMinuteWithKey),
  }),
});

export type ServiceConfig = z.infer<typeof serviceConfigSchema>;
