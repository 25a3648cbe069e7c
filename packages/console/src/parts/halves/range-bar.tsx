/**
 * A proved range: the claim in words, and a bar that shows which part of a scale it leaves. Where the value lies in it
 * is never drawn, because nobody was told.
 */
export interface RangeBarProps {
  readonly claim: string;
  /** Shares of the scale, 0 to 1; an end that is left out is open. */
  readonly from?: number;
  readonly to?: number;
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;

export function RangeBar({ claim, from, to }: RangeBarProps) {
  const open = [from === undefined && 'open-l', to === undefined && 'open-r'].filter(Boolean).join(' ');
  return (
    <span className="rng">
      <span className="w">{claim}</span>
      <span className="t" aria-hidden="true">
        <i className={open} style={{ left: percent(from ?? 0), right: percent(1 - (to ?? 1)) }} />
      </span>
    </span>
  );
}
