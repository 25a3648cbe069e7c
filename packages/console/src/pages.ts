/**
 * The pages that are built, by the name of their place in `navigation/places.ts`. Whoever builds one adds it here and
 * changes nothing in the frame. Everything under `src/desks/<desk>` becomes one chunk, loaded when somebody goes there:
 *
 *     applications: () => import('./desks/issue/applications-page.tsx'),
 */
import type { ComponentType } from 'react';
import type { PlaceName } from './navigation/places.ts';

export type PageLoader = () => Promise<{ readonly default: ComponentType }>;

export const pages: { readonly [Name in PlaceName]?: PageLoader } = {
  parts: () => import('./stories/parts-page.tsx'),
};
