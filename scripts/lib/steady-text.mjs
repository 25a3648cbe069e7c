/**
 * What differs from one run to the next, made the same: ids and hashes, moments, durations, ports and heights. The same
 * id gets the same replacement everywhere, shortened or whole, so that a reader can follow it from picture to picture.
 */
import { createHash } from 'node:crypto';

const steadyHex = (index, length) =>
  createHash('sha512').update(`symbolon capture ${index}`).digest('hex').slice(0, length);

/** Names a steady hex for each id that it is shown; a shortened one is that of the whole one that fits. */
function createIds(steady) {
  const known = steady.map((id) => ({ from: id, to: id }));
  const remember = (id) => {
    const found = known.find(({ from }) => from === id);
    if (found) return found.to;
    const to = steadyHex(known.length, id.length);
    known.push({ from: id, to });
    return to;
  };
  const ofParts = (begin, end) => {
    const found = known.find(({ from }) => from.startsWith(begin) && from.endsWith(end));
    const to = found?.to ?? remember(`${begin}${'0'.repeat(64 - begin.length - end.length)}${end}`);
    return [to.slice(0, begin.length), end === '' ? '' : to.slice(-end.length)];
  };
  return { remember, ofParts };
}

/** Where a word may begin: not inside another, but right after what begins a tone. */
const edge = String.raw`(?<=^|[^0-9A-Za-z_]|\u001b\[\d{1,2}m)`;
const word = (pattern) => new RegExp(`${edge}${pattern}(?![0-9A-Za-z])`, 'gm');

const patterns = {
  wholeId: word('[0-9a-f]{64}'),
  shortId: word('([0-9a-f]{4,12})…([0-9a-f]{4,12})'),
  cutId: /(?<=did:zid:)[0-9a-f]{1,3}(?=…)/g,
  shortAddress: /ZTX3\w{4}…\w{6}/g,
  beginOfId: word(String.raw`(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{8}`),
  challenge: word('[0-9a-f]{32}'),
  session: word(String.raw`pres_\d+_[0-9a-f]{32}`),
  resultKey: /(?<=^ {2})[A-Za-z0-9_-]{43}$/gm,
  height: word(String.raw`((?:block|ledger) +)(\d+)`),
  count: word(String.raw`(transactions +)\d+`),
  moment: word(String.raw`20[23]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`),
  bound: /(\.\.|<= ?)\d{4}-\d\d-\d\d/g,
  time: word(String.raw`\d\d:\d\d:\d\d`),
  duration: word(String.raw`\d+\.\d( ?m?s)`),
  disk: word(String.raw`[\d.]+ GiB free`),
};

/**
 * Makes texts steady, one after the other. `steady`: whole ids that are the same in every run; `accounts`: addresses that
 * are; `places`: ports of this run, and what to show instead.
 */
export function createSteadier({ steady, accounts, places }) {
  const ids = createIds(steady);
  const heights = [];
  const height = (found) => {
    if (found === '1') return found;
    if (!heights.includes(found)) heights.push(found);
    return String(heightFirst + heights.indexOf(found));
  };
  const address = (found) => {
    const [begin, end] = found.split('…');
    const isKnown = accounts.some((one) => one.startsWith(begin) && one.endsWith(end));
    return isKnown ? found : registryAddress;
  };
  const ports = (text) =>
    Object.entries(places).reduce(
      (read, [from, to]) =>
        read.replaceAll(`:${from}`, `:${to}`).replaceAll(`port ${from}`, `port ${to.padEnd(from.length)}`),
      text,
    );
  // Whole ids before shortened ones.
  return (text) =>
    ports(text)
      .replaceAll(patterns.session, () => `pres_1768471200000_${steadyHex('session', 32)}`)
      .replaceAll(patterns.wholeId, ids.remember)
      .replaceAll(patterns.challenge, () => steadyHex('challenge', 32))
      .replaceAll(patterns.resultKey, () => 'EdVTh87JeKWjIV5nqsPWRYWhlk8fTdc24JRDB_M2KR8')
      .replaceAll(patterns.shortId, (_, begin, end) => ids.ofParts(begin, end).join('…'))
      .replaceAll(patterns.cutId, () => '3')
      .replaceAll(patterns.shortAddress, address)
      .replaceAll(patterns.beginOfId, (begin) => ids.ofParts(begin, '')[0])
      .replaceAll(patterns.height, (_, name, found) => `${name}${height(found)}`)
      .replaceAll(patterns.count, (_, name) => `${name}14`)
      .replaceAll(patterns.moment, (_, part = '') => `2026-01-15T10:00:00${part.replaceAll(/\d/g, '0')}Z`)
      .replaceAll(patterns.bound, (_, sign) => `${sign}2008-01-15`)
      .replaceAll(patterns.time, () => '10:00:00')
      .replaceAll(patterns.duration, (_, unit) => `0.4${unit}`)
      .replaceAll(patterns.disk, () => '80.0 GiB free');
}

/** Above what the demo itself has laid down. */
const heightFirst = 14;

/** The contracts of a service have other addresses each time. */
const registryAddress = 'ZTX3NahX…f6rgqL';
