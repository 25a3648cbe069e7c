/** What the ledger says of a number, for whoever has scanned the code of a paper. It confirms a record, not a paper. */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClients } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { toldNames } from '../../../api/told-names.ts';
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { standingAt } from '../../../parts/card/credential-standing.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { Status } from '../../../parts/written/status.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { dayText, lastDayText } from '../../../text/times.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useLedgerWays } from '../applications/recorded-note.tsx';

function usePublicRecord(vcId: string) {
  const { service } = useClients();
  return useQuery({
    queryKey: ['service', 'public-record', vcId],
    queryFn: async () => {
      const told = await service.getCredentialStatus({ vcId });
      const { profiles } = await service.listProfiles({ dids: told.issuer });
      return { ...told, issuerName: toldNames(profiles, false).textOf(told.issuer) };
    },
  });
}

export function PublicRecord({ vcId }: { readonly vcId: string }) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox.certificate;
  const record = usePublicRecord(vcId);
  useShownCode(texts.publicTitle, [{ server: 'service', route: 'getCredentialStatus', given: { vcId } }]);
  const isUnknown = record.error instanceof ServiceError && record.error.code === 'credentialUnknown';
  return (
    <DeskPage
      title={isUnknown ? texts.unknown : texts.publicTitle}
      text={isUnknown ? texts.unknownWhy : texts.publicWhy}
    >
      <Panel isPadded>
        {record.data && <RecordFacts record={record.data} />}
        {isUnknown && !record.data && <EmptyState title={texts.unknown} text={texts.unknownWhy} />}
        {!record.data && record.isError && !isUnknown && (
          <ErrorState failure={failureWords(record.error, words)} onAgain={() => void record.refetch()} />
        )}
        {!record.data && !record.isError && <Bones rows={4} hasMark={false} />}
      </Panel>
    </DeskPage>
  );
}

type Told = NonNullable<ReturnType<typeof usePublicRecord>['data']>;

function RecordFacts({ record: told }: { readonly record: Told }) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox;
  const ways = useLedgerWays();
  const hasCheck = useBuiltPlaces().has('check');
  const { record, status } = told;
  const { validFrom, validUntil } = record;
  const from = dayText(Date.parse(validFrom), language);
  const until = lastDayText(Date.parse(validUntil), language);
  const seq = record.ledgerSeq;
  return (
    <>
      <dl className="facts">
        <dt>{texts.issuedList.status}</dt>
        <dd>
          <Status status={standingAt({ status, validFrom, validUntil }, Date.now())} />
        </dd>
        <dt>{texts.detail.template}</dt>
        <dd>{record.template?.name ?? texts.detail.unknown}</dd>
        <dt>{words.shell.roles.issuer}</dt>
        <dd className="row wrap">
          <b>{told.issuerName}</b>
          <Did did={told.issuer} />
        </dd>
        <dt>{texts.detail.validity}</dt>
        <dd>{texts.detail.until(from, until)}</dd>
        <dt>{texts.detail.number}</dt>
        <dd>
          <Did did={told.vcId} />
        </dd>
        <dt>{texts.issuedList.block}</dt>
        <dd>
          {seq === null ? texts.detail.unknown : <Block number={Number(seq)} {...ways.block(Number(seq))} />}
        </dd>
      </dl>
      {hasCheck && (
        <Link to="/verify/check" className="btn sm">
          {words.shell.places.check}
        </Link>
      )}
    </>
  );
}
