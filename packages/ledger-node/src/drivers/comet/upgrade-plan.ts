/**
 * An upgrade at a height: a file beside the chain names the last block of older programs and the version that goes on.
 * Whoever runs an older one ends after that block, so that no block is made by two kinds of rules. The file may come, change
 * and go while the node runs.
 */
import { readFile } from 'node:fs/promises';
import { OperatorError } from '@symbolon/core/faults/operator-errors';
import { compareVersions, isVersion } from '@symbolon/core/names/template-names';
import { z } from 'zod';

const planSchema = z.strictObject({
  /** The last block of older programs. */
  after: z.int().min(1),
  version: z.string().refine(isVersion, 'must be a version such as 1.2.0'),
});

export type UpgradePlan = z.infer<typeof planSchema>;

/** This program makes no further block; a newer one does. */
export class UpgradeDue extends OperatorError {
  override name = 'UpgradeDue';

  constructor({ after, version }: UpgradePlan, own: string) {
    super(
      `block ${after} was the last one of this program, which is ${own}: install ${version} or a newer one, and start the node again`,
    );
  }
}

/** Undefined where there is none. One that cannot be read is a mistake that must not pass for none. */
export async function readUpgradePlan(file: string): Promise<UpgradePlan | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const read = planSchema.safeParse(jsonOf(text));
  if (read.success) return read.data;
  throw new OperatorError(`${file} is no plan of an upgrade: ${z.prettifyError(read.error)}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface OwnProgram {
  /** Where a plan stands; none is looked for without. */
  readonly planFile: string | undefined;
  readonly version: string;
}

/** Throws `UpgradeDue` when a block is another program's to make. */
export async function assertOwnBlock({ planFile, version }: OwnProgram, height: bigint): Promise<void> {
  const plan = planFile === undefined ? undefined : await readUpgradePlan(planFile);
  if (plan && height > BigInt(plan.after) && compareVersions(version, plan.version) < 0)
    throw new UpgradeDue(plan, version);
}
