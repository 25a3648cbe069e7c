/** Beside the form: the card as it will look, what a verifier can ask of it, and what changes. */
import { sha256 } from '@noble/hashes/sha2.js';
import { templateId } from '@symbolon/core/names/template-names';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useMemo } from 'react';
import { CredentialCard } from '../../../../parts/card/credential-card.tsx';
import { Panel } from '../../../../parts/frame/panel.tsx';
import { Fate } from '../../../../parts/halves/fate.tsx';
import { useDeskWords } from '../../../../words/words.ts';
import { useIssuer } from '../../acting/issuer-page.tsx';
import { canBeProved, cardLabel, provableText } from '../reading/attribute-words.ts';
import { ChangeLines } from '../reading/change-lines.tsx';
import { comparedOf } from '../reading/version-changes.ts';
import type { BuiltTemplate } from './template-draft.ts';

export interface BuilderSideProps {
  readonly draft: BuiltTemplate;
  readonly base: TemplateReply | undefined;
}

const provableMax = 6;

export function BuilderSide({ draft, base }: BuilderSideProps) {
  const { words } = useDeskWords('issue');
  const issuer = useIssuer();
  const { name, attributes } = draft;
  const { did } = issuer;
  // Another name is another template, and another line on its card.
  const id = useMemo(
    () => templateId({ issuer: did, name }, { didMethod: did.split(':')[1] ?? '', sha256 }),
    [did, name],
  );
  const provable = attributes.filter(({ format }) => canBeProved(format));
  return (
    <div className="side-stack">
      <CredentialCard
        templateId={id}
        templateName={name === '' ? words.templates.unnamed : name}
        issuer={issuer}
        state="Active"
        telling={cardLabel(attributes) ?? words.templates.telling}
        holder={words.templates.holderName}
      />
      <p className="hint card-hint">{words.templates.cardHint}</p>
      <Panel title={words.templates.canAsk} isPadded>
        <ul className="can-ask">
          <li>
            <Fate fate="shared" />
            <span>{words.templates.anyOf(attributes.length)}</span>
          </li>
          {provable.slice(0, provableMax).map((attribute) => (
            <li key={attribute.id}>
              <Fate fate="proved" />
              <span>{provableText(attribute, words.templates)}</span>
            </li>
          ))}
        </ul>
      </Panel>
      {base && (
        <Panel title={words.templates.changesSince(base.version)} isPadded>
          <ChangeLines before={base.credentialFormat.map(comparedOf)} after={attributes} />
        </Panel>
      )}
    </div>
  );
}
