/** A code to scan, drawn as one path: dark on light in every look, because cameras want it so. */
import { encodeQR } from 'qr';
import { useMemo } from 'react';

export interface QrCodeProps {
  readonly text: string;
  readonly label: string;
  /** How much of it may be lost. Little is on a screen, and a long text then has larger squares. */
  readonly correction?: 'low' | 'medium';
}

/** Light modules around the code, which readers need. */
const quiet = 4;

export function QrCode({ text, label, correction = 'medium' }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { ecc: correction, border: quiet });
    const squares = rows.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size: rows.length, path: squares.join('') };
  }, [correction, text]);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
