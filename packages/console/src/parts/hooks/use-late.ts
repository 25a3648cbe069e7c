/** True after a moment: what takes less is shown without a sign of waiting. */
import { useEffect, useState } from 'react';

export function useLate(ms: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLate;
}
