/** The credential that a transaction is about, as it is now: its card, without what only its holder and issuer know. */

import { accountOfDid } from '@symbolon/sdk/keys/key-owners';
import { Link } from '@tanstack/react-router';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { standingAt } from '../../../parts/card/credential-standing.ts';
import { Panel } from '../../../parts/frame/panel.tsx';
import { shortDid } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { credentialPath } from '../written/paths.ts';
import type { CredentialOnLedger } from './credential-on-ledger.ts';

export function CredentialPanel({ facts }: { readonly facts: CredentialOnLedger }) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { party } = useKnownNames();
  const hasPage = useBuiltPlaces().has('certificate');
  const { vcId, issuer, status, record } = facts;
  const { template } = record;
  if (!template) return null;
  const { validFrom, validUntil } = record;
  return (
    <Panel title={explorer.credential} isPadded>
      <CredentialCard
        templateId={template.id}
        templateName={template.name}
        issuer={{ did: issuer, name: party(accountOfDid(issuer) ?? '')?.name ?? shortDid(issuer).id }}
        state={standingAt({ status, validFrom, validUntil }, Date.now())}
        badge="state"
        vcId={vcId}
        until={Date.parse(validUntil)}
      />
      <p className="hint life-hint">{explorer.holderNot}</p>
      {hasPage && (
        <Link to={credentialPath(vcId)} className="btn sm">
          {explorer.credentialPage}
        </Link>
      )}
    </Panel>
  );
}
