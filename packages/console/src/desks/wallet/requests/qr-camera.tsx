/** The camera, looking for a code. Pictures stay in this page: they are read and dropped. */
import decodeQR from 'qr/decode.js';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { useDeskWords } from '../../../words/words.ts';

const lookEachMs = 180;
/** Larger pictures take longer and show no more of a code. */
const sideMax = 720;

export interface QrCameraProps {
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}

export default function QrCamera({ onText, onClose }: QrCameraProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const video = useRef<HTMLVideoElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const told = useRef(onText);
  told.current = onText;
  useEffect(() => {
    let isOver = false;
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const canvas = document.createElement('canvas');
    const look = (): void => {
      const text = video.current ? codeIn(video.current, canvas) : undefined;
      if (text !== undefined) told.current(text);
      if (!isOver) timer = setTimeout(look, lookEachMs);
    };
    const start = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (isOver || !video.current) return stop();
      video.current.srcObject = stream;
      await video.current.play();
      look();
    };
    const stop = (): void => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    start().catch(() => setFailed(!isOver));
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
  return (
    <div className="stack">
      {hasFailed ? (
        <p className="note warn" role="alert">
          {texts.noCamera}
        </p>
      ) : (
        <video ref={video} className="wallet-camera" muted playsInline aria-label={texts.camera} />
      )}
      <div className="row between">
        <span className="hint">{texts.cameraHint}</span>
        <Button size="small" onClick={onClose}>
          {words.shell.close}
        </Button>
      </div>
    </div>
  );
}

function codeIn(video: HTMLVideoElement, canvas: HTMLCanvasElement): string | undefined {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0) return undefined;
  const scale = Math.min(1, sideMax / Math.max(videoWidth, videoHeight));
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  if (!drawing) return undefined;
  drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
  const { data, width, height } = drawing.getImageData(0, 0, canvas.width, canvas.height);
  try {
    return decodeQR({ data, width, height });
  } catch {
    // There is no code in this picture; the next one may have one.
    return undefined;
  }
}
