/**
 * Programs that tests need and that are none of the project's parts: those this system has, else those of Debian's
 * packages, which are fetched into .cache/tools. Without either, tests are skipped with the reason, or fail where
 * everything must run (CI).
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where to look: the root of this system, or where packages were unpacked. */
export interface DebianTools {
  readonly root: string;
  readonly libraryFolders: readonly string[];
}

export interface ToolOrder<Tool> {
  /** As people know it. */
  readonly title: string;
  /** Of the folder that the packages are kept in. */
  readonly name: string;
  readonly packages: readonly string[];
  readonly lookIn: (tools: DebianTools) => Tool | undefined;
}

/** Whether what cannot be run is a failure (CI). */
export const mustRun = !['', '0', 'false'].includes(process.env.CI ?? '');

/** The tool, or why there is none. */
export async function findTool<Tool>({
  title,
  name,
  packages,
  lookIn,
}: ToolOrder<Tool>): Promise<Tool | { readonly missing: string }> {
  const installed = lookIn({ root: '/', libraryFolders: [] });
  if (installed) return installed;
  const script = path.resolve(import.meta.dirname, '../../scripts/debian/tools.mjs');
  const { debianTools } = (await import(pathToFileURL(script).href)) as {
    debianTools: (name: string, packages: readonly string[]) => Promise<DebianTools>;
  };
  try {
    const found = lookIn(await debianTools(name, packages));
    if (found) return found;
    throw new Error('the packages do not hold what they should');
  } catch (error) {
    const missing = `${title} is not at hand: ${(error as Error).message}`;
    if (mustRun) throw new Error(missing, { cause: error });
    return { missing };
  }
}
