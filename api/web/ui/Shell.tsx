import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '../session/session.js';
import type { Person, Service } from '../session/session.js';
import { AccountMenu } from './AccountMenu.js';
import { Button } from './Button.js';
import { later, optional } from './later.js';
import { LostProblem } from './LostProblem.js';
import { Mark } from './Mark.js';
import { NewVersion } from './NewVersion.js';
import { clockDifference, useNow } from './now.js';
import { openDialog } from './current-dialog.js';
import styles from './Shell.module.css';
import { Shortcuts } from './Shortcuts.js';
import { ThemeSwitch } from './ThemeSwitch.js';
import { formatDuration } from './format-time.js';

const SignInAgain = later(() => import('../sign-in/SignInAgain.js'));

// Apart from the first view. Without a network it may not load; then the page stands without it.
const Stale = optional(() => import('./Stale.js'));

/** What stands around every page: the way to the others, who is signed in, and the theme. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession().data;
  const { pathname } = useLocation();
  const person = session?.user ?? null;
  const isExpired = session?.user && session.expired;
  return (
    <div className={isExpired ? `${styles.shell} ${styles.ended}` : styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <Link className={styles.brand} to="/">
            <Mark /> Capstan
          </Link>
          <Navigation person={person} />
          <div className={styles.person}>
            <Button
              kind="quiet"
              aria-label="Find anything"
              title="Find anything (Ctrl K)"
              onClick={() => openDialog('k')}
            >
              <Search size={18} aria-hidden />
            </Button>
            <ThemeSwitch />
            {/* A menu of its own for each page: it is closed where a link led on. */}
            {person && <AccountMenu key={pathname} person={person} />}
            {session && !person && !SIGNS_IN.has(pathname) && <SignInLink />}
          </div>
        </div>
      </header>
      <Stale />
      <NewVersion />
      <LostProblem />
      {children}
      {isExpired && person && <SignInAgain person={person} />}
      <footer className={styles.footer}>
        Times are in your zone, {new Intl.DateTimeFormat().resolvedOptions().timeZone}. <ClockNote />{' '}
        {session?.user && <ServiceVersion service={session.service} />} <Shortcuts />
      </footer>
    </div>
  );
}

/** Pages that lead there themselves. */
const SIGNS_IN: ReadonlySet<string> = new Set(['/', '/users/sign_in']);

/** For who is not signed in: to where they are now. */
function SignInLink() {
  const { pathname, search } = useLocation();
  return (
    <Link className={styles.link} to={`/users/sign_in?${new URLSearchParams({ redirect_to: pathname + search })}`}>
      Sign in
    </Link>
  );
}

/** Where this browser's clock is wrong by more than this, somebody may wonder about times. */
const WRONG_MS = 60_000;

function ClockNote() {
  useNow();
  const ahead = clockDifference();
  if (Math.abs(ahead) < WRONG_MS) return null;
  const difference = `${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'behind' : 'ahead'}`;
  return <span>The clock of this browser is {difference}: times are told by the service's clock.</span>;
}

/** For whoever reports a problem. */
function ServiceVersion({ service: { name, version, revision } }: { service: Service }) {
  return (
    <span>
      {name} {version}
      {revision !== 'unknown' && ` (${revision})`}
    </span>
  );
}

const OF_PEOPLE: readonly (readonly [label: string, to: string])[] = [
  ['Projects', '/dashboard/projects'],
  ['Groups', '/dashboard/groups'],
  ['Schedules', '/schedules'],
];

function Navigation({ person }: { person: Person | null }) {
  const sees = person?.is_admin || person?.is_auditor;
  const entries = [
    ...(person ? [['Home', '/'] as const, ...OF_PEOPLE] : []),
    ...(sees ? [['Admin', '/admin'] as const] : []),
    ['API reference', '/-/api-docs'] as const,
    ['Help', '/help'] as const,
  ];
  return (
    <nav className={styles.nav} aria-label="Main">
      <ul className={styles.links}>
        {entries.map(([label, to]) => (
          <li key={to}>
            <NavLink className={styles.link} to={to} end={to === '/'}>
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
