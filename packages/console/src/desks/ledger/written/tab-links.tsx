/** Tabs that are links: which one is open stands in the address, so that it can be sent to somebody. */
import { Link } from '@tanstack/react-router';

export interface TabLink<Name extends string> {
  readonly name: Name;
  readonly title: string;
  readonly count?: number;
}

export interface TabLinksProps<Name extends string> {
  readonly label: string;
  /** Path of the page. */
  readonly to: string;
  readonly tabs: readonly TabLink<Name>[];
  readonly open: Name;
}

export function TabLinks<Name extends string>({ label, to, tabs, open }: TabLinksProps<Name>) {
  const first = tabs[0]?.name;
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ name, title, count }) => (
        <Link
          key={name}
          to={to}
          search={name === first ? {} : { tab: name }}
          replace
          resetScroll={false}
          className={name === open ? 'on' : ''}
          aria-current={name === open ? 'page' : undefined}
        >
          {title}
          {count !== undefined && <span className="n">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}
