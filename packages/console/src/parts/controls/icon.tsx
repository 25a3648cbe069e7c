/** Every drawing of one line, 16 by 16, in the colour of its text. An icon alone says nothing: a word stands beside it. */

const paths = {
  home: 'M2.5 7.2 8 2.7l5.5 4.5v6a.6.6 0 0 1-.6.6H9.8V9.6H6.2v4.2H3.1a.6.6 0 0 1-.6-.6z',
  inbox: 'M2.2 9.2 4 3.3h8l1.8 5.9v3.5a.6.6 0 0 1-.6.6H2.8a.6.6 0 0 1-.6-.6zM2.2 9.2h3.3l1 1.7h3l1-1.7h3.3',
  medal: 'M12 6.2a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM5.6 9.6l-1 4.6L8 12.5l3.4 1.7-1-4.6',
  template:
    'M3.9 2.3h8.2a1.6 1.6 0 0 1 1.6 1.6v8.2a1.6 1.6 0 0 1-1.6 1.6H3.9a1.6 1.6 0 0 1-1.6-1.6V3.9a1.6 1.6 0 0 1 1.6-1.6zM2.3 6.3h11.4M6.3 6.3v7.4',
  list: 'M5.6 4h8M5.6 8h8M5.6 12h8M2.4 4h.1M2.4 8h.1M2.4 12h.1',
  bulk: 'M2.5 4h11M2.5 8h6M2.5 12h6M12 7.5v6M9.8 11.3l2.2 2.2 2.2-2.2',
  key: 'M8.6 7.4 13.6 2.4M11.6 4.4l1.7 1.7M9 9.7a3.1 3.1 0 1 1-6.2 0 3.1 3.1 0 0 1 6.2 0z',
  card: 'M3.4 3.4h9.2a1.6 1.6 0 0 1 1.6 1.6v6a1.6 1.6 0 0 1-1.6 1.6H3.4A1.6 1.6 0 0 1 1.8 11V5a1.6 1.6 0 0 1 1.6-1.6zM1.8 6.4h12.4M4.3 9.8h3',
  qr: 'M2.3 2.3h4v4h-4zM9.7 2.3h4v4h-4zM2.3 9.7h4v4h-4zM9.7 9.7h1.6v1.6M13.7 9.7v4H12M9.7 13.7h.1',
  clock: 'M13.8 8A5.8 5.8 0 1 1 2.2 8a5.8 5.8 0 0 1 11.6 0zM8 4.6V8l2.3 1.6',
  save: 'M8 2.5v7M5.2 6.9 8 9.7l2.8-2.8M2.8 11.2v1.6a.8.8 0 0 0 .8.8h8.8a.8.8 0 0 0 .8-.8v-1.6',
  shield: 'M8 1.8 13 3.6v4c0 3.2-2 5.4-5 6.6-3-1.2-5-3.4-5-6.6v-4z',
  shieldCheck: 'M8 1.8 13 3.6v4c0 3.2-2 5.4-5 6.6-3-1.2-5-3.4-5-6.6v-4zM5.7 7.9l1.7 1.7 3-3.2',
  flask: 'M6.2 2h3.6M6.8 2v4.3L3 12.6a.9.9 0 0 0 .8 1.4h8.4a.9.9 0 0 0 .8-1.4L9.2 6.3V2M4.8 9.9h6.4',
  pencil: 'm3 13 .6-2.7 6.9-6.9a1.2 1.2 0 0 1 1.7 0l.4.4a1.2 1.2 0 0 1 0 1.7L5.7 12.4z',
  cube: 'M8 1.9 13.4 5v6L8 14.1 2.6 11V5zM2.6 5 8 8.1 13.4 5M8 8.1v6',
  pending: 'M2 6.3h12M2 9.7h12M4.6 2.9h6.8M4.6 13.1h6.8',
  people:
    'M8.4 5.6a2.4 2.4 0 1 1-4.8 0 2.4 2.4 0 0 1 4.8 0zM1.8 13c.4-2.3 2-3.5 4.2-3.5s3.8 1.2 4.2 3.5M10.6 3.5a2.3 2.3 0 0 1 0 4.3M12 9.8c1.3.5 2 1.6 2.3 3.2',
  person: 'M10.9 5.4a2.9 2.9 0 1 1-5.8 0 2.9 2.9 0 0 1 5.8 0zM2.8 13.6c.6-2.7 2.6-4 5.2-4s4.6 1.3 5.2 4',
  swap: 'M3 5.4h9.4M10 2.9l2.5 2.5L10 7.9M13 10.6H3.6M6 8.1l-2.5 2.5L6 13.1',
  code: 'm5.2 4.4-3.6 3.6 3.6 3.6M10.8 4.4l3.6 3.6-3.6 3.6',
  webhook:
    'M5 6.6a3 3 0 1 1 4.4 1l1.9 3.2M8 4.6l-2.2 4M4.9 8.6a2.6 2.6 0 1 0 2.9 2.9h3.6M13.1 11.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0z',
  search: 'M11.4 7A4.4 4.4 0 1 1 2.6 7a4.4 4.4 0 0 1 8.8 0zM10.3 10.3l3.4 3.4',
  upDown: 'm5 6.2 3-3 3 3M5 9.8l3 3 3-3',
  up: 'm4.2 9.7 3.8-3.8 3.8 3.8',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.3-2.3a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.2 9.1a2.6 2.6 0 0 0 3.7 3.7l.9-.9',
  down: 'm4.2 6.3 3.8 3.8 3.8-3.8',
  check: 'm3 8.4 3.3 3.3L13 4.9',
  cross: 'm4 4 8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  copy: 'M6.9 5.4h5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5h-5a1.5 1.5 0 0 1-1.5-1.5v-5a1.5 1.5 0 0 1 1.5-1.5zM10.6 5.4V3.9a1.3 1.3 0 0 0-1.3-1.3H3.9a1.3 1.3 0 0 0-1.3 1.3v5.4a1.3 1.3 0 0 0 1.3 1.3h1.5',
  again: 'M13.2 8a5.2 5.2 0 1 1-1.6-3.7M13.4 2.4v2.8h-2.8',
  play: 'M5 3.2v9.6l7.6-4.8z',
  bolt: 'M8.8 1.8 3.4 9h4l-.6 5.2L12.6 7h-4.2z',
  lock: 'M4.6 7.2h6.8a1.4 1.4 0 0 1 1.4 1.4v3.8a1.4 1.4 0 0 1-1.4 1.4H4.6a1.4 1.4 0 0 1-1.4-1.4V8.6a1.4 1.4 0 0 1 1.4-1.4zM5.2 7.2V5a2.8 2.8 0 0 1 5.6 0v2.2',
  proved: 'M5 3.2H2.8v9.6H5M11 3.2h2.2v9.6H11M5.4 8h5.2',
  empty: 'M4.4 8h7.2',
  hidden:
    'm2.4 2.4 11.2 11.2M6.4 4a6 6 0 0 1 1.6-.3C12 3.7 14.4 8 14.4 8a12 12 0 0 1-1.9 2.4M9.5 12.1a6 6 0 0 1-1.5.2C4 12.3 1.6 8 1.6 8a12 12 0 0 1 2.3-2.8',
  statusOk: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM5.4 8.2l1.8 1.8 3.5-3.8',
  statusIdle: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM6.4 5.8v4.4M9.6 5.8v4.4',
  statusBad: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM6 6l4 4M10 6l-4 4',
  settings:
    'M2.5 4.6h6M11.5 4.6h2M2.5 11.4h2M7.5 11.4h6M11.5 4.6a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0zM7.5 11.4a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0z',
  out: 'M6.3 2.8H3.6a.8.8 0 0 0-.8.8v8.8a.8.8 0 0 0 .8.8h2.7M10.2 5l3 3-3 3M13 8H6.2',
} as const;

/** Drawings that one path does not draw. */
const drawn = {
  shared: (
    <>
      <path d="M1.6 8S4 3.7 8 3.7 14.4 8 14.4 8 12 12.3 8 12.3 1.6 8 1.6 8z" />
      <circle cx="8" cy="8" r="1.9" fill="currentColor" stroke="none" />
    </>
  ),
  grip: <path d="M6 4h.1M6 8h.1M6 12h.1M10 4h.1M10 8h.1M10 12h.1" strokeWidth="2" />,
  statusWarn: <circle cx="8" cy="8" r="6" strokeDasharray="2.6 2.1" />,
  broken: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2v12" strokeDasharray="2 1.6" />
    </>
  ),
} as const;

export type IconName = keyof typeof paths | keyof typeof drawn;

export interface IconProps {
  readonly name: IconName;
  readonly size?: number;
}

export function Icon({ name, size = 16 }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {name in drawn ? drawn[name as keyof typeof drawn] : <path d={paths[name as keyof typeof paths]} />}
    </svg>
  );
}
