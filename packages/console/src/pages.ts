/**
 * The pages that are built, by the name of their place in `navigation/places.ts`. Whoever builds one adds it here and
 * changes nothing in the frame. Everything under `src/desks/<desk>` becomes one chunk, loaded when somebody goes there:
 *
 *     applications: () => import('./desks/issue/applications/applications-page.tsx'),
 */
import type { ComponentType } from 'react';
import type { PlaceName } from './navigation/places.ts';

export type PageLoader = () => Promise<{ readonly default: ComponentType }>;

export const pages: { readonly [Name in PlaceName]?: PageLoader } = {
  apiKeys: () => import('./desks/dev/keys-page.tsx'),
  webhooks: () => import('./desks/dev/webhooks-page.tsx'),
  requestLog: () => import('./desks/dev/requests-page.tsx'),
  audit: () => import('./desks/dev/audit-page.tsx'),
  templates: () => import('./desks/issue/templates/templates-page.tsx'),
  offers: () => import('./desks/issue/offers/offers-page.tsx'),
  bulk: () => import('./desks/issue/bulk/bulk-page.tsx'),
  issuerKeys: () => import('./desks/issue/keys/keys-page.tsx'),
  applications: () => import('./desks/issue/applications/applications-page.tsx'),
  issued: () => import('./desks/issue/issued/issued-page.tsx'),
  certificate: () => import('./desks/issue/certificate/certificate-page.tsx'),
  ask: () => import('./desks/verify/ask/ask-page.tsx'),
  sessions: () => import('./desks/verify/session/sessions-page.tsx'),
  check: () => import('./desks/verify/check/check-page.tsx'),
  saved: () => import('./desks/verify/saved/saved-page.tsx'),
  explorer: () => import('./desks/ledger/explorer-page.tsx'),
  pending: () => import('./desks/ledger/nodes/pending-page.tsx'),
  validators: () => import('./desks/ledger/nodes/validators-page.tsx'),
  parts: () => import('./stories/parts-page.tsx'),
  cards: () => import('./desks/wallet/cards/cards-page.tsx'),
  apply: () => import('./desks/wallet/apply/apply-page.tsx'),
  requests: () => import('./desks/wallet/requests/requests-page.tsx'),
  activity: () => import('./desks/wallet/activity/activity-page.tsx'),
  backup: () => import('./desks/wallet/backup/backup-page.tsx'),
  lab: () => import('./desks/lab/build-page.tsx'),
  decode: () => import('./desks/lab/decode-page.tsx'),
  call: () => import('./desks/lab/call-page.tsx'),
};
