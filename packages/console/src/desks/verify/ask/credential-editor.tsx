/** What is asked of one credential: of each attribute nothing, its value, or that it lies in a range. */
import { TextInput } from '@mantine/core';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { Button } from '../../../parts/controls/button.tsx';
import { misspeltText } from '../../../parts/controls/misspelt-text.ts';
import { Segments } from '../../../parts/controls/segments.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { useDeskWords } from '../../../words/words.ts';
import {
  blankClaim,
  claimKindsOf,
  type DraftClaim,
  type DraftCredential,
  type RequestProblem,
  type TemplateField,
} from '../request/request-draft.ts';

export interface CredentialEditorProps {
  readonly credential: DraftCredential;
  /** Undefined until it is read. */
  readonly template: TemplateReply | undefined;
  readonly problems: readonly RequestProblem[];
  readonly onClaim: (key: string, claim: DraftClaim | undefined) => void;
  readonly onRemove: () => void;
}

export function CredentialEditor({
  credential,
  template,
  problems,
  onClaim,
  onRemove,
}: CredentialEditorProps) {
  const { words } = useDeskWords('verify');
  const { ask } = words.verify;
  const name = template?.templateName ?? ask.template;
  return (
    <Panel
      title={name}
      aside={
        <Button kind="quiet" size="small" icon="cross" aria-label={ask.remove(name)} onClick={onRemove} />
      }
    >
      {template ? (
        <ul className="claims">
          {template.credentialFormat.map((field) => (
            <ClaimEditor
              key={field.key}
              field={field}
              claim={credential.claims[field.key]}
              problem={problems.find(({ key }) => key === field.key)}
              onClaim={(claim) => onClaim(field.key, claim)}
            />
          ))}
        </ul>
      ) : (
        <Bones rows={3} hasMark={false} />
      )}
    </Panel>
  );
}

interface ClaimEditorProps {
  readonly field: TemplateField;
  readonly claim: DraftClaim | undefined;
  readonly problem: RequestProblem | undefined;
  readonly onClaim: (claim: DraftClaim | undefined) => void;
}

function ClaimEditor({ field, claim, problem, onClaim }: ClaimEditorProps) {
  const { words } = useDeskWords('verify');
  const { ask, fates } = words.verify;
  const kinds = ['hidden', ...claimKindsOf(field)] as const;
  return (
    <li>
      <span className="claim-label">{field.attribute}</span>
      <Segments
        label={ask.how(field.attribute)}
        value={claim?.kind ?? 'hidden'}
        options={kinds.map((kind) => ({ value: kind, label: fates[kind] }))}
        onChoose={(kind) => onClaim(kind === 'hidden' ? undefined : blankClaim(kind))}
      />
      {claim && claim.kind !== 'show' && (
        <div className="claim-bounds">
          {(['min', 'max'] as const).map((side) => (
            <TextInput
              key={side}
              aria-label={side === 'min' ? ask.fromOf(field.attribute) : ask.toOf(field.attribute)}
              placeholder={side === 'min' ? ask.from : ask.to}
              value={claim[side]}
              error={problem !== undefined}
              inputMode={claim.kind === 'age' ? 'numeric' : 'text'}
              onChange={({ currentTarget }) => onClaim({ ...claim, [side]: currentTarget.value })}
            />
          ))}
          {claim.kind === 'age' && <span className="hint">{ask.years}</span>}
          {problem && (
            <span className="fld-error">{misspeltText(problem, words, ask.problems[problem.name])}</span>
          )}
        </div>
      )}
    </li>
  );
}
