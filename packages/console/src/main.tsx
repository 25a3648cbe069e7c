/** Starts the console: words of the reader's language, then everything that stands around the pages. */
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider } from './api/api.tsx';
import { HomePage } from './home/home-page.tsx';
import { KeysProvider } from './keys/keys.tsx';
import './look/look.css';
import { theme } from './look/theme.ts';
import { BuiltPlaces } from './navigation/built-places.tsx';
import type { PlaceName } from './navigation/places.ts';
import { pages } from './pages.ts';
import { createConsoleRouter } from './router.tsx';
import { ConsoleFrame } from './shell/console-frame.tsx';
import { ShownCodeProvider } from './shell/shown-code.tsx';
import { Toaster } from './shell/toaster.tsx';
import { SigningProvider } from './signing/signing.tsx';
import { preferredLanguage } from './text/language.ts';
import { chosenLanguage, followLanguage, readLanguage } from './words/words.ts';

const router = createConsoleRouter({ frame: ConsoleFrame, home: HomePage });
const built = new Set(Object.keys(pages) as PlaceName[]);
const lookManager = localStorageColorSchemeManager({ key: 'symbolon-look' });

const chosen = chosenLanguage();
await readLanguage(preferredLanguage(chosen === undefined ? navigator.languages : [chosen]));
followLanguage();
const place = document.getElementById('console');
if (!place) throw new Error('index.html has no place for the console');

createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={lookManager}
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses={false}
    >
      <ApiProvider>
        <KeysProvider>
          <ShownCodeProvider>
            <Toaster>
              <SigningProvider>
                <BuiltPlaces value={built}>
                  <RouterProvider router={router} />
                </BuiltPlaces>
              </SigningProvider>
            </Toaster>
          </ShownCodeProvider>
        </KeysProvider>
      </ApiProvider>
    </MantineProvider>
  </StrictMode>,
);
