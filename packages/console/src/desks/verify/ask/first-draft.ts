/** With what a request begins: `?saved=` names a saved one, `?from=` an earlier session, else it is empty. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useChair, useClients } from '../../../api/api.tsx';
import { useReadTemplates } from '../parties.ts';
import { draftOfSession, templatesOfSession } from '../request/ask-again.ts';
import { emptyDraft, type RequestDraft } from '../request/request-draft.ts';
import { readSaved } from '../saved/saved-requests.ts';
import type { SessionReply } from '../session/session-facts.ts';

export interface FirstDraft {
  /** Undefined until it is read, and where there is none. */
  readonly draft: RequestDraft | undefined;
  /** An earlier session whose request no draft can say. */
  readonly beyond?: SessionReply;
  /** What it is saved as. */
  readonly name: string;
  /** What the address says that it begins with. */
  readonly begun: string;
  readonly error: Error | null;
  readonly again: () => void;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export function useFirstDraft(): FirstDraft {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const { service } = useClients();
  const { signedIn } = useChair();
  const [saved, from] = [textOf(search.saved), textOf(search.from)];
  const session = useQuery({
    queryKey: ['verify', 'session', from],
    queryFn: () => service.getVerification({ id: from ?? '' }),
    enabled: from !== undefined,
  });
  const { templates, isRead } = useReadTemplates(session.data ? templatesOfSession(session.data) : []);
  const kept =
    saved === undefined
      ? undefined
      : readSaved(localStorage, signedIn?.did ?? '').find(({ id }) => id === saved);
  const again = (): void => void session.refetch();
  const begun = saved ?? from ?? '';
  if (kept) return { draft: kept.draft, name: kept.name, begun, error: null, again };
  if (from === undefined) return { draft: emptyDraft, name: '', begun, error: null, again };
  if (!session.data || !isRead) return { draft: undefined, name: '', begun, error: session.error, again };
  const draft = draftOfSession(session.data, templates);
  return { draft, name: '', begun, ...(!draft && { beyond: session.data }), error: null, again };
}
