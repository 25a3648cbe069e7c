/** What the service keeps for the issuer and how: the vault or hardware module, and the key that was left to issue at once. */
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { Status } from '../../../parts/written/status.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { Confirm } from '../acting/confirm.tsx';
import { useAct } from '../acting/use-act.ts';

export interface KeptKeyPanelProps {
  readonly kept: CredentialReply<'listIssuerKeys'>;
  readonly name: string;
}

export function KeptKeyPanel({ kept: { vault, issuingKey }, name }: KeptKeyPanelProps) {
  const { words } = useDeskWords('issue');
  const { issuerKeys } = words;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Panel title={issuerKeys.vault} isPadded>
        <dl className="facts">
          <dt>{issuerKeys.place}</dt>
          <dd>{issuerKeys.places[vault.place]}</dd>
          <dt>{issuerKeys.health}</dt>
          <dd>
            <Status status={vault.isWorking ? 'Ready' : 'NotReady'} />
          </dd>
        </dl>
        <p className="hint">{vault.isWorking ? issuerKeys.vaultWorks : issuerKeys.vaultFails}</p>
      </Panel>
      <Panel title={issuerKeys.signingKey} isPadded>
        <div className="stack tight">
          <p className="muted">{issuingKey.isHeld ? issuerKeys.isLeft : issuerKeys.isNotLeft}</p>
          {issuingKey.since !== null && (
            <p className="hint">
              {issuerKeys.leftSince} <Time at={Date.parse(issuingKey.since)} />
            </p>
          )}
          {issuingKey.isHeld && (
            <div>
              <Button size="small" kind="bad" onClick={() => setAsking(true)}>
                {issuerKeys.takeBack}
              </Button>
            </div>
          )}
        </div>
      </Panel>
      {isAsking && <TakeBack name={name} onClose={() => setAsking(false)} />}
    </>
  );
}

function TakeBack({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { words } = useDeskWords('issue');
  const { issuerKeys } = words;
  const { service } = useClients();
  const queries = useQueryClient();
  const toast = useToast();
  const act = useAct(async () => {
    const { stoppedTemplates } = await service.withdrawIssuerKey();
    await queries.invalidateQueries({ queryKey: ['service'] });
    toast({ tone: 'ok', text: issuerKeys.takenBack(stoppedTemplates) });
    onClose();
  });
  return (
    <Confirm
      title={issuerKeys.takeBackTitle(name)}
      text={issuerKeys.takeBackText}
      doIt={issuerKeys.takeBack}
      act={act}
      onClose={onClose}
    />
  );
}
