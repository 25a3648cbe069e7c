/** The card as its holder will see it, the way it takes, and what was issued lately. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClients } from '../../../api/api.tsx';
import { issuerKey } from '../../../api/issuer-counts.ts';
import { useNewestBlock } from '../../../ledger/newest-block.ts';
import { holderOf, tellingOf } from '../../../parts/card/card-values.ts';
import { type CardState, CredentialCard } from '../../../parts/card/credential-card.tsx';
import { standingAt } from '../../../parts/card/credential-standing.ts';
import { Icon, type IconName } from '../../../parts/controls/icon.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { cardStateOf, IssuedStatus } from '../issued-status.tsx';
import { type NamedIssuer, useHolderNames, useOwnIssuer } from '../issuer-names.ts';
import type { ListedCredential } from '../issuer-queries.ts';
import type { Reviewed } from './review.tsx';
import type { ReviewedApplication } from './review-query.ts';
import { writtenValues } from './value-rows.ts';

export interface PreviewProps {
  readonly review: ReviewedApplication | undefined;
  /** Undefined until it is under review. */
  readonly reviewed: Reviewed | undefined;
}

export function Preview({ review, reviewed }: PreviewProps) {
  const { words } = useDeskWords('issue');
  const issuer = useOwnIssuer();
  return (
    <aside className="side-r" aria-label={words.issueInbox.preview}>
      {review && <Outcome shown={review.shown} reviewed={reviewed} issuer={issuer} />}
      <Lately issuer={issuer} />
    </aside>
  );
}

interface OutcomeProps {
  readonly shown: ReviewedApplication['shown'];
  readonly reviewed: Reviewed | undefined;
  readonly issuer: NamedIssuer;
}

/** What an application has become, as far as a card can show it. */
const becameOf: Readonly<Record<string, CardState>> = {
  Issued: 'Active',
  Suspended: 'Suspended',
  Revoked: 'Revoked',
};

/** The card and its way: a draft as long as it is one, and as it stands once it is more. */
function Outcome({ shown, reviewed, issuer }: OutcomeProps) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox;
  const { rows = [], from = null, until, recorded } = reviewed ?? {};
  const { nameOf } = useHolderNames([shown]);
  const values = writtenValues(rows, language);
  const isOpen = shown.status === 'Pending' || shown.status === 'Approved';
  const became = recorded
    ? standingAt({ status: 'Active', validFrom: from, validUntil: until ?? null }, Date.now())
    : becameOf[shown.status];
  if (!isOpen && became === undefined) return null;
  return (
    <>
      <p className="hint side-title">{(became ? texts.asSeenNow : texts.asSeen)(nameOf(shown))}</p>
      <CredentialCard
        templateId={shown.templateId}
        templateName={shown.templateName ?? shown.templateId}
        issuer={issuer}
        state={became ?? 'Pending'}
        vcId={shown.vcId}
        {...withDefined({
          badge: became ? undefined : texts.draft,
          telling: tellingOf(values),
          holder: holderOf(values),
          until: until === undefined || (became && !recorded) ? undefined : Date.parse(until),
        })}
      />
      {(isOpen || recorded) && <Way count={rows.length} recorded={recorded} />}
    </>
  );
}

/** Without the members that are undefined. */
const withDefined = <Members extends object>(
  members: Members,
): { [Key in keyof Members]?: Exclude<Members[Key], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Members]?: Exclude<Members[Key], undefined>;
  };

interface WayProps {
  readonly count: number;
  readonly recorded: Reviewed['recorded'];
}

/** What happens to it one after the other, and where it stands once it is recorded. */
function Way({ count, recorded }: WayProps) {
  const { words, language } = useDeskWords('issue');
  const { block } = useNewestBlock();
  const texts = words.issueInbox.way;
  const next = block === undefined ? undefined : countText(block.number + 1, language);
  const planned = next === undefined ? texts.ledgerFree : texts.ledgerAt(next);
  const at = recorded?.block;
  const steps: readonly { readonly icon: IconName; readonly title: string; readonly text: string }[] = [
    { icon: 'shield', title: texts.bbs(count), text: texts.bbsBy },
    { icon: 'pencil', title: texts.yours, text: texts.yoursBy },
    {
      icon: 'cube',
      title: texts.ledger,
      text: recorded
        ? at === undefined
          ? words.issueInbox.blockUnknown
          : texts.ledgerIn(countText(at, language))
        : planned,
    },
    { icon: 'card', title: texts.wallet, text: texts.walletBy },
  ];
  return (
    <ol className="way">
      {steps.map(({ icon, title, text }) => (
        <li key={title}>
          <span className="mk">
            <Icon name={icon} size={12} />
          </span>
          <span>
            <b>{title}</b>
            <span className="muted">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

const latelyMax = 3;

function Lately({ issuer }: { readonly issuer: NamedIssuer }) {
  const { words } = useDeskWords('issue');
  const { service } = useClients();
  const { data } = useQuery({
    queryKey: [issuerKey, 'lately'],
    queryFn: async () => (await service.listIssued({ limit: String(latelyMax) })).issued,
  });
  const { nameOf } = useHolderNames(data ?? []);
  if (!data || data.length === 0) return null;
  return (
    <div className="late">
      <p className="hint side-title">{words.issueInbox.lately}</p>
      {data.map((one) => (
        <LatelyLine key={one.vcId} one={one} name={nameOf(one)} issuer={issuer} />
      ))}
    </div>
  );
}

interface LatelyLineProps {
  readonly one: ListedCredential;
  readonly name: string;
  readonly issuer: NamedIssuer;
}

function LatelyLine({ one, name, issuer }: LatelyLineProps) {
  const templateName = one.templateName ?? one.templateId;
  return (
    <Link to="/issue/issued/$vcId" params={{ vcId: one.vcId }} className="lt">
      <span className="lt-card">
        <CredentialCard
          templateId={one.templateId}
          templateName={templateName}
          issuer={issuer}
          state={cardStateOf(one)}
          detail="thumb"
        />
      </span>
      <span className="grow">
        <b className="cut lt-line">{name}</b>
        <span className="muted cut lt-line">{templateName}</span>
      </span>
      <IssuedStatus one={one} />
    </Link>
  );
}
