/** What the service replies in OpenID4VCI: to issuers in our own words, to wallets in those of the standard. */
import { standardsOfferStates } from '@symbolon/core/openid/standards-offer-states';
import * as z from 'zod';
import { applicationStatus, page } from '../credentials/replies.ts';
import { instant } from '../http/schema-parts.ts';

const state = z.enum(standardsOfferStates);

/** As the standards have it: which members there are is theirs to say. */
export const anyDocument = z.record(z.string(), z.unknown());

const offerDetails = {
  offerId: z.string(),
  vcId: z.string().describe('By which the credential is revoked, suspended and looked up'),
  state,
  status: applicationStatus.describe('Pending until you have signed, Issued once the ledger has it'),
  templateId: z.string(),
  templateVersion: z.string(),
  configurations: z.array(z.string()).describe('What a wallet may ask for'),
  hasTxCode: z.boolean(),
  isByLogin: z.boolean(),
  wrongTxCodes: z.number(),
  reference: z.string().optional(),
  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant,
};

export const openidOfferReply = z.object(offerDetails);

export const openidOfferMadeReply = z.object({
  offerId: z.string(),
  vcId: z.string(),
  state,
  link: z.string().describe('What the holder opens with a wallet, or scans as a QR code; told only here'),
  offer: anyDocument.describe('The same as an object, for whoever sends it by value'),
  txCode: z
    .string()
    .optional()
    .describe('To be told to the holder on another way than the link; told only here'),
  expiresAt: instant,
  ed25519Blob: z
    .string()
    .optional()
    .describe('What you sign: hex. Absent where the key that you have left here has signed already'),
  unsigned: anyDocument.optional().describe('What that is made of, so that you need not believe it'),
});

export const openidOfferListReply = z.object({ offers: z.array(openidOfferReply), ...page });

export const tokenReply = z.object({
  access_token: z.string(),
  token_type: z.enum(['Bearer', 'DPoP']),
  expires_in: z.number(),
  authorization_details: z
    .array(
      z.object({
        type: z.literal('openid_credential'),
        credential_configuration_id: z.string(),
        credential_identifiers: z.array(z.string()),
      }),
    )
    .optional(),
});

export const nonceReply = z.object({ c_nonce: z.string() });

export const credentialReply = z.object({
  credentials: z.array(z.object({ credential: z.unknown() })).optional(),
  notification_id: z.string().optional(),
  transaction_id: z.string().optional(),
  interval: z.number().optional(),
});

export const nothingReply = z.null();
