/**
 * The setting that says whose word about the caller's address is taken: addresses, networks, and the names that stand for
 * networks. What is none of these would end the start of the server, or trust nobody.
 */
import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';

const names: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);
const proxiesMax = 100;

/** A mask is a number of bits, or, of the older kind of address, written as one. */
function isMask(mask: string, address: string): boolean {
  if (/^\d{1,3}$/.test(mask)) return Number(mask) >= 1 && Number(mask) <= (isIPv4(address) ? 32 : 128);
  if (!isIPv4(address) || !isIPv4(mask)) return false;
  const bits = mask
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
  return /^1+0*$/.test(bits);
}

function isProxy(word: string): boolean {
  if (names.has(word)) return true;
  const [address = '', mask, ...more] = word.split('/');
  return isIP(address) !== 0 && more.length === 0 && (mask === undefined || isMask(mask, address));
}

export const trustedProxiesSetting = () =>
  z
    .array(z.string())
    .max(proxiesMax)
    .superRefine((words, { addIssue }) => {
      const wrong = words.filter((word) => !isProxy(word));
      if (wrong.length > 0)
        addIssue({
          code: 'custom',
          message: `must be addresses or networks such as 10.0.0.0/8, which these are not: ${wrong.slice(0, 5).join(', ')}`,
        });
    });
