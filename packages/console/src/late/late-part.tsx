/**
 * A part that is loaded when somebody wants it. One that cannot be loaded, without a network above all, fails in its own
 * place and nowhere else: what was typed and signed around it stays. It is tried again when it is wanted again.
 */
import {
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { MissingPart, type MissingPartProps } from './missing-part.tsx';

export type LoadPart<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

export interface LateProps {
  /** Drawn until it is there; nothing, if left out. */
  readonly waiting?: ReactNode;
  /** Told that it cannot be loaded, instead of drawing that. */
  readonly onMissing?: (error: unknown) => void;
}

type Loading<Props> = { readonly part: ComponentType<Props> } | { readonly error: unknown } | undefined;

/** `preload` fetches it before anybody wants it, and tells nobody where that fails. */
export function latePart<Props extends object>(
  load: LoadPart<Props>,
  Missing: ComponentType<MissingPartProps> = MissingPart,
): FunctionComponent<Props & LateProps> & { readonly preload: () => Promise<void> } {
  let known: ComponentType<Props> | undefined;
  const read = async (): Promise<ComponentType<Props>> => {
    known ??= (await load()).default;
    return known;
  };
  function Late({ waiting = null, onMissing, ...props }: Props & LateProps) {
    const [loading, setLoading] = useState<Loading<Props>>(known && { part: known });
    const tell = useEffectEvent((error: unknown) => onMissing?.(error));
    useEffect(() => {
      if (loading) return;
      let isGone = false;
      read().then(
        (part) => {
          if (!isGone) setLoading({ part });
        },
        (error: unknown) => {
          if (isGone) return;
          setLoading({ error });
          tell(error);
        },
      );
      return () => {
        isGone = true;
      };
    }, [loading]);
    if (loading === undefined || (onMissing && 'error' in loading)) return waiting;
    if ('error' in loading) return <Missing error={loading.error} onAgain={() => setLoading(undefined)} />;
    return <loading.part {...(props as unknown as Props)} />;
  }
  const preload = (): Promise<void> =>
    read().then(
      () => undefined,
      () => undefined,
    );
  return Object.assign(Late, { preload });
}
