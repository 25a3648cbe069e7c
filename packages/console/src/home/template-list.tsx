/** What is issued here: every template with a thumb of its card. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { CredentialCard } from '../parts/card/credential-card.tsx';
import { Did } from '../parts/written/did.tsx';
import { Who } from '../parts/written/who.tsx';
import { useWords } from '../words/words.ts';

export interface TemplateListProps {
  readonly templates: readonly TemplateReply[];
  /** Of issuers that the reader knows, by DID. */
  readonly names: ReadonlyMap<string, string>;
}

export function TemplateList({ templates, names }: TemplateListProps) {
  const { words } = useWords();
  return (
    <ul className="template-list">
      {templates.map(({ templateId, templateName, issuerDid, credentialFormat, version }) => {
        const name = names.get(issuerDid);
        return (
          <li key={templateId}>
            <span className="thumb-place">
              <CredentialCard
                templateId={templateId}
                templateName={templateName}
                issuer={{ did: issuerDid, name: name ?? issuerDid }}
                detail="thumb"
              />
            </span>
            <span className="grow">
              <b>{templateName}</b>
              <span className="hint cut">
                {words.home.attributes(credentialFormat.length)}, {words.home.version(version)}
              </span>
            </span>
            <span className="only-d">
              {name === undefined ? <Did did={issuerDid} /> : <Who id={issuerDid} name={name} />}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
