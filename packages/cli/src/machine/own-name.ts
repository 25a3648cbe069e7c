/** How people call this program: installed as a package by its name, in a checkout through npm. */

/** What the compiler made stands in packages alone. */
export const isInstalled = import.meta.url.endsWith('.js');

export const ownName = isInstalled ? 'symbolon' : 'npm run symbolon --';
/** The same where nothing but its own output may be printed. */
export const quietName = isInstalled ? 'symbolon' : 'npm run symbolon -s --';
/** What starts the demo. */
export const startName = isInstalled ? 'symbolon dev' : 'npm start';
/** The same before options. */
export const startWithOptions = isInstalled ? startName : `${startName} --`;
