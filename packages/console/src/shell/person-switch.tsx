/** Who sits here, and who else could. In the demo that is its four people; elsewhere it is you, or nobody. */
import { useEffect, useState } from 'react';
import { useMissing } from '../late/use-missing.ts';
import { LatePersonMenu } from './overlays.ts';
import { PersonButton, type PersonSwitchProps } from './person-button.tsx';

export function PersonSwitch(props: PersonSwitchProps) {
  const { person, wallet, isSmall = false } = props;
  const [isWanted, setWanted] = useState(false);
  const missing = useMissing(() => setWanted(false));
  // Whoever sits here can sign out, also when the network is gone by then.
  const isSeated = person !== undefined;
  useEffect(() => {
    if (isSeated) void LatePersonMenu.preload();
  }, [isSeated]);
  const button = <PersonButton person={person ?? wallet} isSmall={isSmall} onClick={() => setWanted(true)} />;
  return isWanted ? <LatePersonMenu {...props} waiting={button} onMissing={missing} /> : button;
}
