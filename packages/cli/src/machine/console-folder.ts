/** The web console that came along with this program, if it did: built in a package of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Seen from here: in a checkout, and where the command is installed as a package. */
const places = ['../../../console/dist', '../../node_modules/@symbolon/console/dist'];

export const consoleFolder = (): string | undefined =>
  places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((folder) => existsSync(join(folder, 'index.html')));
