/** The same question in a new session; ages count as of today. */
import { useNavigate } from '@tanstack/react-router';
import { useClients } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useTemplatesById } from '../parties.ts';
import { askAgain, templatesOfSession } from '../request/ask-again.ts';
import type { SessionReply } from './session-facts.ts';

export function AskAgain({ session }: { readonly session: SessionReply }) {
  const { words } = useDeskWords('verify');
  const { service } = useClients();
  const navigate = useNavigate();
  const toast = useToast();
  const templates = useTemplatesById(templatesOfSession(session));
  const asking = useSingleMutation({
    mutationFn: () => service.requestVerification(askAgain(session, templates, Date.now())),
    onSuccess: ({ presentationId }) => navigate({ to: `/verify/sessions/${presentationId}` }),
    onError: (error) => {
      const { title, text } = failureWords(error, words);
      toast({ tone: 'bad', text: `${title}. ${text}` });
    },
  });
  return (
    <Button icon="again" disabled={asking.isPending} onClick={() => asking.mutate()}>
      {words.verify.session.askAgain}
    </Button>
  );
}
