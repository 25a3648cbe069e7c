/**
 * What a test process runs: imports the files named in SYMBOLON_TEST_FILES, one after the other. Node itself passes over a
 * file that fails while it is loaded, if it has named a test before; here that is a failing test by the name of the file.
 */
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of JSON.parse(process.env.SYMBOLON_TEST_FILES))
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    test(file, () => {
      throw error;
    });
  }
