import { signInPath } from '../routing/paths.js';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '../../data/session.js';
import type { Service } from '../../data/session.js';
import { AccountMenu } from './AccountMenu.js';
import { Button } from '../../ui/Button.js';
import { later, optional } from '../../ui/later.js';
import { LostProblem } from '../problems/LostProblem.js';
import { Mark } from '../../ui/Mark.js';
import { NewVersion } from './NewVersion.js';
import { clockDifference, useNow } from '../../ui/now.js';
import { openDialog } from './current-dialog.js';
import styles from './Shell.module.css';
import { Shortcuts } from './Shortcuts.js';
import { useMenu } from '../routing/menu.js';
import { ThemeSwitch } from '../../ui/ThemeSwitch.js';
import { formatDuration } from '../../ui/format-time.js';

const SignInAgain = later(() => import('../session/SignInAgain.js'));

// Loaded separately from the first view. Without a network it may fail to load; the page then works without it.
const Stale = optional(() => import('./Stale.js'));

/** The frame of every page: navigation, the signed-in user, and the theme. */
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
          <Navigation />
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
        Times are in your time zone, {new Intl.DateTimeFormat().resolvedOptions().timeZone}. <ClockNote />{' '}
        {session?.user && <ServiceVersion service={session.service} />} <Shortcuts />
      </footer>
    </div>
  );
}

/** Pages that lead there themselves. */
const SIGNS_IN: ReadonlySet<string> = new Set(['/', '/users/sign_in']);

/** For anonymous users: returns to the current page after the sign-in. */
function SignInLink() {
  const { pathname, search } = useLocation();
  return (
    <Link className={styles.link} to={signInPath(pathname + search)}>
      Sign in
    </Link>
  );
}

/** If this browser's clock is off by more than this, displayed times may confuse the user. */
const WRONG_MS = 60_000;

function ClockNote() {
  useNow();
  const ahead = clockDifference();
  if (Math.abs(ahead) < WRONG_MS) return null;
  const difference = `${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'behind' : 'ahead'}`;
  return <span>Your browser's clock is {difference}. Times follow the server's clock.</span>;
}

/** The version, for problem reports. */
function ServiceVersion({ service: { name, version, revision } }: { service: Service }) {
  return (
    <span>
      {name} {version}
      {revision !== 'unknown' && ` (${revision})`}
    </span>
  );
}

function Navigation() {
  return (
    <nav className={styles.nav} aria-label="Main">
      <ul className={styles.links}>
        {useMenu('main').map(({ label, to }) => (
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
