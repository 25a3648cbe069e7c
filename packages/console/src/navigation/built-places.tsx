/** Which places are built, for the frame and for pages that lead to others. */
import { createContext, use } from 'react';
import type { PlaceName } from './places.ts';

/** Given by the program that has the pages. */
export const BuiltPlaces = createContext<ReadonlySet<PlaceName>>(new Set());

export const useBuiltPlaces = (): ReadonlySet<PlaceName> => use(BuiltPlaces);
