/** In the place of what needs a template of one's own: that they are being read, could not be, or that there is none. */
import { Link } from '@tanstack/react-router';
import { Panel } from '../../../../parts/frame/panel.tsx';
import { EmptyState } from '../../../../parts/states/empty-state.tsx';
import { useDeskWords } from '../../../../words/words.ts';
import { QueryPart } from '../../acting/query-part.tsx';
import type { useTemplateChoices } from './template-queries.ts';

export function NoTemplates({ choices }: { readonly choices: ReturnType<typeof useTemplateChoices> }) {
  const { words } = useDeskWords('issue');
  if (choices.data && choices.data.length > 0) return null;
  return (
    <Panel>
      <QueryPart query={choices}>
        {() => (
          <EmptyState title={words.templates.none} text={words.templates.noneWhy}>
            <Link to="/issue/templates/new" className="btn sm">
              {words.templates.newTemplate}
            </Link>
          </EmptyState>
        )}
      </QueryPart>
    </Panel>
  );
}
