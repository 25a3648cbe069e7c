/** Several things done side by side, each with its own end: one that fails keeps none of the others from being done. */

export type ItemProgress<Done> =
  | { readonly state: 'waiting' }
  | { readonly state: 'working' }
  | { readonly state: 'done'; readonly outcome: Done }
  | { readonly state: 'failed'; readonly error: unknown };

/** What went wrong with one, if anything did. */
export const errorOfItem = (progress: ItemProgress<unknown> | undefined): unknown =>
  progress?.state === 'failed' ? progress.error : undefined;

export interface SeveralOrder<Done> {
  readonly ids: readonly string[];
  /** How many at once. */
  readonly lanes: number;
  readonly work: (id: string) => Promise<Done>;
  readonly tell: (id: string, progress: ItemProgress<Done>) => void;
  /** Whether what went wrong with one would go wrong with the rest: those are left as they are. */
  readonly endsAll?: (error: unknown) => boolean;
}

export async function doSeveral<Done>({
  ids,
  lanes,
  work,
  tell,
  endsAll,
}: SeveralOrder<Done>): Promise<void> {
  const waiting = [...ids];
  for (const id of ids) tell(id, { state: 'waiting' });
  const lane = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      tell(id, { state: 'working' });
      try {
        tell(id, { state: 'done', outcome: await work(id) });
      } catch (error) {
        tell(id, { state: 'failed', error });
        if (endsAll?.(error)) waiting.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, ids.length) }, lane));
}
