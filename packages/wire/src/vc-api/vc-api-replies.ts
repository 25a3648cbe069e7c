/** What the routes of the VC-API reply. */
import * as z from 'zod';
import { documentReply } from '../credentials/verifier-replies.ts';

export const securedCredentialReply = z.object({
  verifiableCredential: documentReply.describe('The credential with its proof'),
});

export const signedPresentationReply = z.object({
  verifiablePresentation: documentReply.describe('The presentation with its proof'),
});

export const vcProblem = z.object({
  type: z.string().describe('Which problem, by the address that the standard gives it'),
  title: z.string(),
  detail: z.string().optional(),
  pointer: z.string().optional().describe('Where in the document'),
});

const proofResult = z.object({
  verified: z.boolean(),
  cryptosuite: z.string().optional(),
  verificationMethod: z.string().optional(),
  problem: vcProblem.optional(),
});

export const vcVerdictReply = z.object({
  verified: z.boolean(),
  problemDetails: z.array(vcProblem).describe('Everything that is wrong; empty where it is verified'),
  warnings: z
    .array(vcProblem)
    .describe('What is not wrong by the standard, and a verifier should know all the same'),
  results: z.array(proofResult).describe('Of each proof of the document, in their order'),
});

/** A verdict that is not good, as RFC 9457 has it. */
export const vcRefusedReply = vcVerdictReply.extend({
  type: z.string().describe('Of the first of the problems'),
  title: z.string(),
  status: z.literal(400),
  detail: z.string().optional(),
});

export const changedStatusReply = z.object({
  status: z.string().describe('Active, Suspended or Revoked: as the ledger has it now'),
  blobId: z.string().optional(),
  blob: z.string().optional().describe('The transaction that makes the change: you sign its bytes'),
  submit: z.string().optional().describe('Where blobId and signature are sent'),
});
