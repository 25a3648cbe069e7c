/**
 * Requests about the lists of trusted issuers that the service keeps, and what it replies: apart from what every
 * verifier needs, so that a page that only verifies does not carry them.
 */
import * as z from 'zod';
import { strict, type WithBody } from '../http/schema-parts.ts';
import { entryMembers, listedDid, listName } from './requests.ts';

export const trustListPath = z.object({ name: listName });
export const trustEntryPath = z.object({ name: listName, did: listedDid });
export const trustEntry = strict({ list: listName, ...entryMembers });

export const readTrustEntry = ({ body: { list, did, name, templates } }: WithBody<typeof trustEntry>) => ({
  list,
  entry: { did, ...(name !== undefined && { name }), ...(templates && { templates }) },
});

const entryReply = z.object({
  did: z.string(),
  name: z.string().optional(),
  templates: z.array(z.string()).optional().describe('Absent: every template of this issuer'),
});
export const trustListReply = z.object({ name: z.string(), issuers: z.array(entryReply) });
export const trustListsReply = z.object({
  lists: z.array(z.object({ name: z.string(), issuers: z.number() })),
});
export const trustRemovalReply = z.object({ name: z.string(), did: z.string() });
