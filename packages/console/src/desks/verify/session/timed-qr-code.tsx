/** A QR code with a ring around it that grows shorter while time runs. */
import { QrCode, type QrCodeProps } from '../../../parts/controls/qr-code.tsx';

export interface TimedQrCodeProps extends QrCodeProps {
  /** Share of the time that is left, 0 to 1. */
  readonly left: number;
}

const ringPath =
  'M140 1.5H262.5a16 16 0 0 1 16 16V262.5a16 16 0 0 1-16 16H17.5a16 16 0 0 1-16-16V17.5a16 16 0 0 1 16-16Z';

export function TimedQrCode({ left, ...code }: TimedQrCodeProps) {
  return (
    <div className="qr-frame">
      <QrCode {...code} />
      <svg className="qr-ring" viewBox="0 0 280 280" preserveAspectRatio="none" aria-hidden="true">
        <path d={ringPath} pathLength="100" strokeDasharray={`${Math.round(left * 100)} 100`} />
      </svg>
    </div>
  );
}
