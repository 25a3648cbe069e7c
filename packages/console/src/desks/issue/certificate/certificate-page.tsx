/**
 * A credential on paper, for its issuer. Everybody else who comes here has scanned the code of such a paper, and is told
 * what the ledger says of its number.
 */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useChair, useClients } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useDeskWords } from '../../../words/words.ts';
import '../issue.css';
import { issuerKey } from '../../../api/issuer-counts.ts';
import { IssuerPaper } from './issuer-paper.tsx';
import { PublicRecord } from './public-record.tsx';

export default function CertificatePage() {
  const { words } = useDeskWords('issue');
  const { vcId } = useParams({ strict: false });
  if (vcId === undefined)
    return (
      <DeskPage title={words.shell.places.certificate}>
        <Panel>
          <EmptyState title={words.issueInbox.certificate.choose}>
            <Link to="/issue/issued" className="btn sm">
              {words.shell.places.issued}
            </Link>
          </EmptyState>
        </Panel>
      </DeskPage>
    );
  return <CertificateOf key={vcId} vcId={vcId} />;
}

/** The issuer's own record of it; null for whoever is not its issuer. */
function useOwnRecord(vcId: string) {
  const { service } = useClients();
  const { signedIn } = useChair();
  const isIssuer = signedIn?.scopes.includes('issue') ?? false;
  return useQuery({
    queryKey: [issuerKey, 'own-record', vcId, isIssuer],
    queryFn: async () =>
      isIssuer
        ? service.getIssued({ vcId }).catch((error: unknown) => {
            if (error instanceof ServiceError && error.code === 'credentialUnknown') return null;
            throw error;
          })
        : null,
    refetchOnWindowFocus: false,
  });
}

function CertificateOf({ vcId }: { readonly vcId: string }) {
  const { words } = useDeskWords('issue');
  const own = useOwnRecord(vcId);
  if (own.data === null) return <PublicRecord vcId={vcId} />;
  if (own.data) {
    const renew = async () => (await own.refetch({ throwOnError: true })).data ?? undefined;
    return <IssuerPaper one={own.data} renew={renew} />;
  }
  return (
    <DeskPage title={words.shell.places.certificate}>
      <Panel>
        {own.isError ? (
          <ErrorState failure={failureWords(own.error, words)} onAgain={() => void own.refetch()} />
        ) : (
          <Bones rows={4} hasMark={false} />
        )}
      </Panel>
    </DeskPage>
  );
}
