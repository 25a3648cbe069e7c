/** Requests: one that is open, or the ways to one: a code before the camera, a link that was sent. */
import { useParams } from '@tanstack/react-router';
import { WalletGate } from '../frame/wallet-gate.tsx';
import { Consent } from './consent.tsx';
import { RequestDoor } from './request-door.tsx';

export default function RequestsPage() {
  return (
    <WalletGate>
      <RequestsInside />
    </WalletGate>
  );
}

function RequestsInside() {
  const { id } = useParams({ strict: false });
  return id === undefined ? <RequestDoor /> : <Consent key={id} id={id} />;
}
