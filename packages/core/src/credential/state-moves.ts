/** Tables of states: which act leads from which state where. What is not in a table is forbidden. */
import { assert } from '../basics/assert.ts';

export type Moves<State extends string, Act extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Act, State>>>>
>;

/** Undefined where the act is forbidden. */
export const stateAfter = <State extends string, Act extends string>(
  moves: Moves<State, Act>,
  state: State,
  act: Act,
): State | undefined => (Object.hasOwn(moves[state], act) ? moves[state][act] : undefined);

/** From which states an act leads where: the condition of an update, and what it sets. */
export function moveOf<State extends string, Act extends string>(
  moves: Moves<State, Act>,
  act: Act,
): { readonly from: readonly State[]; readonly to: State } {
  const from = (Object.keys(moves) as State[]).filter((state) => Object.hasOwn(moves[state], act));
  const ends = new Set(from.map((state) => moves[state][act]));
  assert(ends.size === 1, 'an act leads to one state, whatever the state before');
  return { from, to: moves[from[0]][act] as State };
}
