/** A page of somebody who issues. Whoever is not signed in is told so; whose page it is, is known inside. */
import { Link } from '@tanstack/react-router';
import { type ComponentType, createContext, use } from 'react';
import { useChair } from '../../../api/api.tsx';
import { readTabSession } from '../../../api/tab-session.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { type NamedIssuer, useOwnIssuer } from '../issuer-names.ts';

const IssuerContext = createContext<NamedIssuer | undefined>(undefined);

/** Who issues here. Only below an `issuerPage`. */
export function useIssuer(): NamedIssuer {
  const issuer = use(IssuerContext);
  if (!issuer) throw new Error('issuerPage is missing');
  return issuer;
}

export function issuerPage(Inside: ComponentType): ComponentType {
  return function IssuerPage() {
    const { words } = useDeskWords('issue');
    const { signedIn } = useChair();
    const issuer = useOwnIssuer();
    if (issuer.did !== '')
      return (
        <IssuerContext value={issuer}>
          <Inside />
        </IssuerContext>
      );
    if (readTabSession() !== undefined && signedIn === undefined) return <Bones />;
    return (
      <DeskPage title={words.shell.desks.issue}>
        <Panel>
          <EmptyState title={words.failures.notAuthenticated} text={words.templates.signInWhy}>
            <Link to="/" className="btn sm">
              {words.shell.goHome}
            </Link>
          </EmptyState>
        </Panel>
      </DeskPage>
    );
  };
}
