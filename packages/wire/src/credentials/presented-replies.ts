/**
 * What verdicts say of each credential of a good presentation: who issued it and how that is known, of which template,
 * how long it is valid, what the ledger says, what was shown and proved. One structure, spelled as the interface does
 * (`vp/verify`, signed results) and as the family does (answers, callbacks and events of verification sessions).
 */
import { given } from '@symbolon/core/basics/plain-values';
import { presentationChecks } from '@symbolon/core/documents/model';
import type { ToldCheck } from '@symbolon/core/presentation/check-words';
import type { PresentedCredential } from '@symbolon/core/presentation/presentation-verdict';
import * as z from 'zod';
import type { JsonObject } from '../json/json.ts';

const value = z.union([z.string(), z.number(), z.boolean()]);

/** One of the six checks, as people read it. */
export const checkReply = z
  .object({
    name: z.enum(presentationChecks),
    title: z.string(),
    passed: z
      .boolean()
      .nullable()
      .describe(
        'Null where there was nothing to compare with, or an earlier failure left nothing to look at',
      ),
    words: z.string(),
    facts: z.record(z.string(), z.string()),
  })
  .meta({ id: 'PresentationCheck', description: 'One of the six checks of a presentation, in words.' });

export const renderChecks = (checks: readonly ToldCheck[]): z.input<typeof checkReply>[] =>
  checks.map((check) => ({ ...check, facts: { ...check.facts } }));

export const presentedReply = z.object({
  id: z.string(),
  issuer: z.object({
    id: z.string(),
    name: z.string().optional().describe('Absent where there is none, or where it looks like another one'),
    nameSource: z
      .enum(['trustList', 'issuer'])
      .optional()
      .describe("trustList: the verifier's own word; issuer: what the issuer says of itself"),
  }),
  issuerTrust: z
    .enum(['trusted', 'not asked'])
    .describe('not asked: the verifier named no issuers, so this may be anybody'),
  holder: z.string(),
  template: z.object({ id: z.string(), name: z.string().optional(), version: z.string() }),
  validFrom: z.string(),
  validUntil: z.string(),
  status: z.object({
    state: z.enum(['active', 'suspended', 'revoked', 'unknown']),
    ledgerSeq: z.string().optional().describe('The block of the last change'),
    since: z.string().optional(),
  }),
  revealed: z.record(z.string(), value),
  ranges: z.array(
    z.object({
      attribute: z.string(),
      min: value.optional(),
      max: value.optional(),
      age: z.object({ minAge: z.number().optional(), maxAge: z.number().optional() }).optional(),
      text: z.string().describe('Such as 18 or older'),
    }),
  ),
  answersRequest: z
    .boolean()
    .optional()
    .describe('Where the verifier sent a request: whether this credential answers it'),
});
/** Of a refused presentation: who it says it is from, and no value. */
export const claimedReply = presentedReply
  .pick({ id: true, validFrom: true, validUntil: true, status: true })
  .extend({ issuer: z.string(), template: z.object({ id: z.string(), version: z.string() }) });

/** Those of a signed result, each with the part of the query that it answers. */
export const signedCredentials = z.array(presentedReply.extend({ queryId: z.string() }));

export const renderPresented = (credential: PresentedCredential): z.input<typeof presentedReply> => ({
  ...credential,
  // An age comes last: signed results are texts, and so are these.
  ranges: credential.ranges.map(({ age, ...range }) => ({ ...range, ...(age && { age }) })),
});

/** What stands beside the members that the family has. */
export const renderPresentedBeside = ({
  issuer,
  issuerTrust,
  template,
  validFrom,
  status,
  revealed,
  ranges,
}: PresentedCredential): JsonObject => ({
  ...(issuer.name !== undefined && {
    issuer_name: issuer.name,
    issuer_name_source: issuer.nameSource ?? 'issuer',
  }),
  issuer_trust: issuerTrust,
  ...given({ template_name: template.name }),
  template_version: template.version,
  valid_from: validFrom,
  status: { state: status.state, ...given({ ledger_seq: status.ledgerSeq, since: status.since }) },
  revealed: { ...revealed },
  ranges: ranges.map(({ age, ...range }) => ({
    ...range,
    ...(age && { age: given({ min_age: age.minAge, max_age: age.maxAge }) }),
  })),
});
