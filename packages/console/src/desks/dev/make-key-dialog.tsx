/** Making an API key: a name, some of one's own scopes, and how long it is good. */
import { Checkbox, Select, TextInput } from '@mantine/core';
import { ownKeyLimits } from '@symbolon/core/limits/directory';
import type { ApiScope } from '@symbolon/wire/http/service-route';
import { useState } from 'react';
import { useClients } from '../../api/api.tsx';
import { ActForm } from '../../parts/frame/act-form.tsx';
import { Dialog } from '../../parts/frame/dialog.tsx';
import { CodeFold } from '../../shell/code-fold.tsx';
import { useDeskWords } from '../../words/words.ts';
import { useToldAct } from './use-act.ts';

export interface MakeKeyDialogProps {
  readonly scopes: readonly ApiScope[];
  readonly onClose: () => void;
  readonly onMade: (made: { readonly label: string; readonly apiKey: string }) => void;
}

const day = 86_400;
const terms = { day, month: 30 * day, year: 365 * day, ever: undefined } as const;
type Term = keyof typeof terms;
const termNames = Object.keys(terms) as readonly Term[];

export function MakeKeyDialog({ scopes, onClose, onMade }: MakeKeyDialogProps) {
  const { words } = useDeskWords('dev');
  const { service } = useClients();
  const act = useToldAct();
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<readonly ApiScope[]>([]);
  const [term, setTerm] = useState<Term>('month');
  const { keys } = words.dev;
  const validSeconds = terms[term];
  const body = {
    label: label.trim(),
    scopes: [...chosen],
    ...(validSeconds !== undefined && { validSeconds }),
  };
  return (
    <Dialog title={keys.make} onClose={onClose}>
      <div className="pad">
        <ActForm
          submit={keys.makeIt}
          hint={keys.shownOnce}
          isReady={body.label !== '' && chosen.length > 0}
          onSubmit={async () => {
            const reply = await act({
              call: () => service.makeApiKey(body),
              done: () => keys.made(body.label),
            });
            onMade({ label: reply.label, apiKey: reply.apiKey });
          }}
        >
          <TextInput
            label={keys.name}
            value={label}
            maxLength={ownKeyLimits.labelCharsMax}
            onChange={(event) => setLabel(event.target.value)}
            data-autofocus
          />
          <fieldset className="dev-scopes">
            <legend className="fld-label">{keys.mayDo}</legend>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                label={scope}
                description={words.dev.scopes[scope]}
                checked={chosen.includes(scope)}
                onChange={(event) =>
                  setChosen(event.target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
                }
              />
            ))}
          </fieldset>
          <Select
            label={keys.term}
            data={termNames.map((value) => ({ value, label: keys.terms[value] }))}
            value={term}
            allowDeselect={false}
            onChange={(value) => setTerm(termNames.find((name) => name === value) ?? 'month')}
          />
        </ActForm>
        <CodeFold requests={[{ server: 'service', route: 'makeApiKey', given: body }]} />
      </div>
    </Dialog>
  );
}
