/** What the frame draws: who sits here, which desks they see, and what their keys and the palette do. */
import { useNavigate } from '@tanstack/react-router';
import { useChair, useConsoleConfig } from '../api/api.tsx';
import type { ShownPerson } from '../api/console-calls.ts';
import { failureWords } from '../api/failure.ts';
import { useBuiltPlaces } from '../navigation/built-places.tsx';
import { desksOf, type SeenDesk } from '../navigation/places.ts';
import { useToast } from '../parts/hooks/use-toast.ts';
import { useWords } from '../words/words.tsx';
import type { PersonSwitchProps } from './person-button.tsx';

export interface ShellFacts {
  readonly isDemo: boolean;
  readonly desks: readonly SeenDesk[];
  readonly switching: PersonSwitchProps;
}

export function useShellFacts(): ShellFacts {
  const { words } = useWords();
  const toast = useToast();
  const navigate = useNavigate();
  const config = useConsoleConfig();
  const { signedIn, person, people, take, leave } = useChair();
  const built = useBuiltPlaces();
  const isHolder = person?.person.startsWith('holder') ?? false;
  const desks = desksOf({ scopes: signedIn?.scopes ?? [], isHolder }, built);
  const orSay = (work: Promise<void>): void => {
    work.catch((error: unknown) => {
      const { title, text } = failureWords(error, words);
      toast({ tone: 'bad', text: `${title}. ${text}` });
    });
  };
  const sitting =
    signedIn?.did === undefined
      ? undefined
      : { did: signedIn.did, name: person?.name, role: person?.person ?? '' };
  return {
    isDemo: config?.isDemo ?? false,
    desks,
    switching: {
      person: sitting,
      people,
      onTake: (next: ShownPerson) =>
        orSay(
          take(next).then(() => {
            const reader = { scopes: next.scopes, isHolder: next.person.startsWith('holder') };
            const [desk] = desksOf(reader, built);
            return navigate({ to: desk?.places[0]?.path ?? '/' });
          }),
        ),
      onLeave: () => orSay(leave()),
    },
  };
}
