/** `/issue/templates`: all of the issuer's, one of them, a new one, or a new version of one. */
import { useParams, useRouterState } from '@tanstack/react-router';
import { issuerPage } from '../acting/issuer-page.tsx';
import '../issue-templates.css';
import { NewTemplate, NewVersion } from './draft/builder-page.tsx';
import { OwnTemplates } from './own-templates.tsx';
import { TemplatePage } from './template-page.tsx';

/** Stands where an identifier would, and is none. */
const newName = 'new';

function TemplatesPage() {
  const { id } = useParams({ strict: false }) as { readonly id?: string };
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (id === undefined) return <OwnTemplates />;
  if (id === newName) return <NewTemplate />;
  return path.endsWith(`/${newName}`) ? (
    <NewVersion key={id} templateId={id} />
  ) : (
    <TemplatePage key={id} templateId={id} />
  );
}

export default issuerPage(TemplatesPage);
