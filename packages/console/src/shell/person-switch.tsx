/** Who sits here, and who else could. In the demo that is its four people; elsewhere it is you, or nobody. */
import { lazy, Suspense, useState } from 'react';
import { PersonButton, type PersonSwitchProps } from './person-button.tsx';

const PersonMenu = lazy(() => import('./person-menu.tsx'));

export function PersonSwitch(props: PersonSwitchProps) {
  const { person, wallet, isSmall = false } = props;
  const [isWanted, setWanted] = useState(false);
  const button = <PersonButton person={person ?? wallet} isSmall={isSmall} onClick={() => setWanted(true)} />;
  return isWanted ? (
    <Suspense fallback={button}>
      <PersonMenu {...props} />
    </Suspense>
  ) : (
    button
  );
}
