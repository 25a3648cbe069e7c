/** Where everything is: service, ledger, reference, and the same in a terminal. */
import type { ReactNode } from 'react';
import { useConsoleConfig } from '../api/api.tsx';
import { demoProfileIn } from '../code/command-setting.ts';
import { shellQuoted } from '../code/shell-quoted.ts';
import { CopyButton } from '../parts/controls/copy-button.tsx';
import { Status, type StatusName } from '../parts/written/status.tsx';
import { useWords } from '../words/words.ts';

export interface AddressesProps {
  readonly host: string;
  readonly service: StatusName;
  readonly ledger: StatusName;
}

export function Addresses({ host, service, ledger }: AddressesProps) {
  const { words } = useWords();
  const folder = useConsoleConfig()?.demoFolder;
  const profile = folder === undefined ? '' : ` --profile ${shellQuoted(demoProfileIn(folder))}`;
  const command = `npm run symbolon -- demo${profile}`;
  return (
    <div className="places">
      <AddressCell title={words.home.service} status={service}>
        <span className="mono cut">{host}</span>
        <CopyButton text={host} what={words.parts.address} />
      </AddressCell>
      <AddressCell title={words.home.ledger} status={ledger}>
        <span className="mono cut">{host}/ledger</span>
        <CopyButton text={`${host}/ledger`} what={words.parts.address} />
      </AddressCell>
      <AddressCell title={words.home.reference}>
        <a className="mono lk" href="/docs">
          /docs
        </a>
        <a className="mono lk" href="/openapi.json">
          /openapi.json
        </a>
      </AddressCell>
      <AddressCell title={words.home.terminal}>
        <span className="mono cut">{command}</span>
        <CopyButton text={command} what={words.parts.command} />
      </AddressCell>
    </div>
  );
}

function AddressCell({
  title,
  status,
  children,
}: {
  readonly title: string;
  readonly status?: StatusName;
  readonly children: ReactNode;
}) {
  return (
    <div>
      <span className="l">
        <span>{title}</span>
        {status && <Status status={status} />}
      </span>
      <div className="row between">{children}</div>
    </div>
  );
}
