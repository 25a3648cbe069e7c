/** Who issued a credential, on whose word it is called so, whether it is one the verifier trusts, and what else is known. */

import { usePartyNames } from '../../api/party-names.ts';
import { Icon } from '../../parts/controls/icon.tsx';
import { Panel } from '../../parts/frame/panel.tsx';
import { Block } from '../../parts/written/block.tsx';
import { Did } from '../../parts/written/did.tsx';
import { NamedParty } from '../../parts/written/named-party.tsx';
import { dayText, lastDayText } from '../../text/times.ts';
import { useDeskWords } from '../../words/words.ts';

export interface CredentialFacts {
  readonly id: string;
  readonly issuer: string;
  /** A name in the verdict, with where it comes from. */
  readonly issuerName?: string | undefined;
  readonly issuerNameSource?: string | undefined;
  /** `trusted`, `notTrusted`, or that nobody asked. */
  readonly issuerTrust?: string | undefined;
  readonly templateName?: string | undefined;
  readonly templateId: string;
  readonly holder?: string | undefined;
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
  readonly ledgerSeq?: string | undefined;
}

export function IssuerFacts({ facts }: { readonly facts: CredentialFacts }) {
  const { words, language } = useDeskWords('verify');
  const { result } = words.verify;
  const names = usePartyNames([facts.issuer]);
  const profile = names.get(facts.issuer);
  // A verifier's own name for an issuer is its own word; the operator's comes before what an issuer says of itself.
  const isOwn = facts.issuerName !== undefined && facts.issuerNameSource === 'trustList';
  const name = isOwn ? facts.issuerName : (profile?.name ?? facts.issuerName);
  const word = isOwn ? 'trustList' : (profile?.word ?? 'issuer');
  const isTrusted = facts.issuerTrust === 'trusted';
  const isRefused = facts.issuerTrust === 'notTrusted';
  return (
    <Panel className="issuer-facts">
      <dl className="facts">
        <dt>{result.issuer}</dt>
        <dd>
          <NamedParty did={facts.issuer} name={name} isPending={names.isPending} />
          {(name !== undefined || !names.isPending) && (
            <span className="hint"> {name === undefined ? result.noName : words.parts.nameWords[word]}</span>
          )}
          {facts.issuerTrust !== undefined && (
            <span className={`st ${isTrusted ? 'ok' : 'warn'}`}>
              <Icon name={isTrusted ? 'statusOk' : 'statusWarn'} />
              {isTrusted ? result.trusted : isRefused ? result.notTrusted : result.notAsked}
            </span>
          )}
        </dd>
        <dt>{result.template}</dt>
        <dd>{facts.templateName ?? <Did did={facts.templateId} />}</dd>
        <dt>{result.number}</dt>
        <dd className="row wrap">
          <Did did={facts.id} />
          {facts.ledgerSeq !== undefined && (
            <Block number={Number(facts.ledgerSeq)} to={`/ledger/blocks/${facts.ledgerSeq}`} />
          )}
        </dd>
        {facts.holder !== undefined && (
          <>
            <dt>{result.holder}</dt>
            <dd>
              <Did did={facts.holder} />
            </dd>
          </>
        )}
        {facts.validFrom !== undefined && facts.validUntil !== undefined && (
          <>
            <dt>{result.validity}</dt>
            <dd>
              {result.validTo(
                dayText(Date.parse(facts.validFrom), language),
                lastDayText(Date.parse(facts.validUntil), language),
              )}
            </dd>
          </>
        )}
      </dl>
    </Panel>
  );
}
