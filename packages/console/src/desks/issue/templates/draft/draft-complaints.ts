/** What is wrong with what is built, told in the reader's words, with the place that each is about. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import type { JsonValue } from '@symbolon/wire/json/json';
import { useMemo } from 'react';
import { useDeskWords } from '../../../../words/words.ts';
import { useIssuer } from '../../acting/issuer-page.tsx';
import { complaintPlace, complaintText } from './complaint-words.ts';
import { complaintsAbout } from './draft-check.ts';

export interface ToldComplaint {
  readonly pointer: string;
  /** For the field itself. */
  readonly text: string;
  /** With the name of the field. */
  readonly whole: string;
}

const none: readonly ToldComplaint[] = [];

/** `body`: undefined while what is written cannot be read. */
export function useDraftComplaints(
  body: JsonValue | undefined,
  base: TemplateReply | undefined,
): readonly ToldComplaint[] {
  const { words } = useDeskWords('issue');
  const { did } = useIssuer();
  const { templates } = words;
  // Texts are compared, because a draft is made anew with every drawing.
  const written = body === undefined ? undefined : JSON.stringify(body);
  return useMemo(() => {
    if (written === undefined) return none;
    const read = JSON.parse(written) as JsonValue;
    const terms = {
      issuer: did,
      didMethod: did.split(':')[1] ?? '',
      ...(base && { base: { name: base.templateName, version: base.version } }),
    };
    return complaintsAbout(read, terms).map((complaint) => {
      const text = complaintText(complaint, read, templates);
      const isSentence = complaint.own !== undefined;
      return {
        pointer: complaint.pointer,
        text,
        whole: isSentence ? text : `${complaintPlace(complaint.pointer, templates)}: ${text}`,
      };
    });
  }, [base, did, templates, written]);
}
