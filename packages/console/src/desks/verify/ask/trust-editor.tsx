/** Whose credentials a verifier believes: issuers by name, a list that the service keeps, or anybody's. */
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { usePartyNames } from '../../../api/party-names.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { NamedParty } from '../../../parts/written/named-party.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { isIssuerDid } from '../issuer-dids.ts';
import type { DraftTrust, RequestProblem } from '../request/request-draft.ts';

export interface TrustEditorProps {
  readonly trust: DraftTrust;
  readonly onTrust: (trust: DraftTrust) => void;
  /** Issuers of the templates that are asked for: who names issuers again begins with these. */
  readonly issuers: readonly string[];
  readonly problems: readonly RequestProblem[];
}

export function TrustEditor({ trust, onTrust, issuers, problems }: TrustEditorProps) {
  const { words } = useDeskWords('verify');
  const { ask } = words.verify;
  const { service } = useClients();
  const lists = useQuery({ queryKey: ['service', 'trustLists'], queryFn: () => service.listTrustLists() });
  const names = lists.data?.lists.map(({ name }) => name) ?? [];
  const kinds =
    names.length > 0 || trust.kind === 'list'
      ? (['issuers', 'list', 'anybody'] as const)
      : (['issuers', 'anybody'] as const);
  const choose = (kind: DraftTrust['kind']): void => {
    if (kind === 'anybody') onTrust({ kind });
    else onTrust(kind === 'list' ? { kind, name: names[0] ?? '' } : { kind, dids: issuers });
  };
  return (
    <Panel title={ask.trust}>
      <div className="pad stack">
        <Segments
          label={ask.trust}
          value={trust.kind}
          options={kinds.map((kind) => ({ value: kind, label: ask.trustKinds[kind] }))}
          onChoose={choose}
        />
        {trust.kind === 'anybody' && <p className="note warn">{ask.trustAnybody}</p>}
        {trust.kind === 'list' && (
          <Select
            label={ask.trustList}
            value={trust.name}
            data={names}
            nothingFoundMessage={ask.trustNoList}
            onChange={(name) => name !== null && onTrust({ kind: 'list', name })}
          />
        )}
        {trust.kind === 'issuers' && (
          <IssuerList dids={trust.dids} onDids={(dids) => onTrust({ kind: 'issuers', dids })} />
        )}
        {problems.map(
          ({ name }) =>
            (name === 'noIssuer' || name === 'issuerWrong') && (
              <p key={name} className="fld-error" role="alert">
                {ask.problems[name]}
              </p>
            ),
        )}
      </div>
    </Panel>
  );
}

interface IssuerListProps {
  readonly dids: readonly string[];
  readonly onDids: (dids: readonly string[]) => void;
}

function IssuerList({ dids, onDids }: IssuerListProps) {
  const { words } = useDeskWords('verify');
  const { ask, result } = words.verify;
  const [typed, setTyped] = useState('');
  const names = usePartyNames(dids);
  const did = typed.trim();
  const isWrong = did !== '' && !isIssuerDid(did);
  const add = (): void => {
    if (!isIssuerDid(did)) return;
    onDids([...new Set([...dids, did])]);
    setTyped('');
  };
  return (
    <>
      <ul className="issuers">
        {dids.map((one) => {
          const party = names.get(one);
          return (
            <li key={one}>
              <NamedParty did={one} name={party?.name} isPending={names.isPending} />
              <span className="hint cut">
                {party ? words.parts.nameWords[party.word] : names.isPending ? '' : result.noName}
              </span>
              <Button
                kind="quiet"
                size="small"
                icon="cross"
                aria-label={ask.removeIssuer(party?.name ?? one)}
                onClick={() => onDids(dids.filter((other) => other !== one))}
              />
            </li>
          );
        })}
      </ul>
      <form
        className="row add-issuer"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextInput
          className="grow"
          aria-label={ask.addIssuer}
          placeholder={ask.addIssuer}
          value={typed}
          error={isWrong && ask.notDid}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" disabled={did === '' || isWrong}>
          {ask.add}
        </Button>
      </form>
    </>
  );
}
