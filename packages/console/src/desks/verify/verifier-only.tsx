/** Pages that need a key with the scope `verify`: who has none is told so, and what is open to all stays a click away. */
import { useIsFetching } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChair } from '../../api/api.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import { Panel } from '../../parts/frame/panel.tsx';
import { useOpenSignIn } from '../../parts/hooks/use-sign-in.ts';
import { Bones } from '../../parts/states/bones.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { useDeskWords } from '../../words/words.ts';

export interface VerifierOnlyProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function VerifierOnly({ title, children }: VerifierOnlyProps) {
  const { words } = useDeskWords('verify');
  const { signedIn } = useChair();
  const openSignIn = useOpenSignIn();
  const isAsking = useIsFetching({ queryKey: ['console', 'session'] }) > 0;
  if (signedIn?.scopes.includes('verify')) return children;
  return (
    <DeskPage title={title}>
      <Panel>
        {isAsking ? (
          <Bones />
        ) : (
          <EmptyState title={words.verify.notVerifier} text={words.verify.notVerifierWhy}>
            {openSignIn && (
              <Button size="small" icon="key" onClick={openSignIn}>
                {words.signIn.title}
              </Button>
            )}
            <Link to="/verify/check" className="btn sm">
              {words.shell.places.check}
            </Link>
          </EmptyState>
        )}
      </Panel>
    </DeskPage>
  );
}
