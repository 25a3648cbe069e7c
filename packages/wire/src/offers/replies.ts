/** What the service replies about offers. */
import * as z from 'zod';
import { applicationStatus, page } from '../credentials/replies.ts';
import { instant } from '../http/schema-parts.ts';
import { offerStates } from './schemas.ts';

const state = z.enum(offerStates);

export const offerMadeReply = z.object({
  offerId: z.string(),
  state,
  link: z
    .string()
    .describe('What the holder opens with a wallet, or scans as a QR code; it is told only here'),
  txCode: z
    .string()
    .optional()
    .describe('Six digits to be told to the holder on another way than the link; told only here'),
  expiresAt: instant,
});

const offerDetails = {
  offerId: z.string(),
  state,
  templateId: z.string(),
  templateVersion: z.string(),
  expiresAt: instant,
};

export const offerListReply = z.object({
  offers: z.array(
    z.object({
      ...offerDetails,
      reference: z.string().optional().describe('Whom it is for, as you said'),
      hasTxCode: z.boolean().describe('Whether a further code is needed, or was, to accept it'),
      wrongTxCodes: z.number().describe('How often a wrong further code was tried; five lock the offer'),
      holder: z.string().optional().describe('DID of who accepted it'),
      vcId: z.string().optional().describe('The application that it became, and later the credential'),
      createdAt: instant,
      updatedAt: instant,
    }),
  ),
  ...page,
});

export const offerWithdrawnReply = z.object({ offerId: z.string(), state });

export const offerPreviewReply = z.object({
  ...offerDetails,
  templateName: z.string(),
  issuer: z.string(),
  tx_code: z
    .object({
      input_mode: z.literal('numeric').describe('The further code is of digits'),
      length: z.number().describe('How many digits it has'),
    })
    .optional()
    .describe('Where a further code is needed'),
  attributes: z
    .array(
      z.object({
        key: z.string(),
        label: z.string().describe('What people call the attribute'),
        value: z
          .union([z.string(), z.number(), z.boolean()])
          .optional()
          .describe('Absent until the further code is given, and after the offer was accepted'),
      }),
    )
    .describe('What the credential will say, in the order of the template'),
});

export const offerAcceptedReply = z.object({
  offerId: z.string(),
  vcId: z.string(),
  templateId: z.string(),
  status: applicationStatus,
  reason: z.string().optional().describe('Why the issuer has turned it down, where it has'),
});
