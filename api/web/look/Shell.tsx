import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, NavLink, useNavigate } from 'react-router';
import { sessionQuery, signOut, useSession } from '../session/session.js';
import type { Person, Service } from '../session/session.js';
import { Button } from './Button.js';
import { Mark } from './Mark.js';
import { Problem } from './Problem.js';
import styles from './Shell.module.css';
import { Shortcuts } from './Shortcuts.js';
import { ThemeSwitch } from './ThemeSwitch.js';

/** What stands around every page: the way to the others, who is signed in, and the theme. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession().data;
  const person = session?.user ?? null;
  return (
    <div className={styles.shell}>
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
            <ThemeSwitch />
            {person && <SignOut name={person.name} />}
          </div>
        </div>
      </header>
      {children}
      <footer className={styles.footer}>
        Times are in your zone, {new Intl.DateTimeFormat().resolvedOptions().timeZone}.{' '}
        {session?.user && <ServiceVersion service={session.service} />} <Shortcuts />
      </footer>
    </div>
  );
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

function Navigation({ person }: { person: Person | null }) {
  return (
    <nav className={styles.nav} aria-label="Main">
      <ul className={styles.links}>
        {person && (
          <>
            <li>
              <NavLink className={styles.link} to="/" end>
                Home
              </NavLink>
            </li>
            <li>
              <NavLink className={styles.link} to="/-/user_settings/personal_access_tokens">
                Access tokens
              </NavLink>
            </li>
            <li>
              <NavLink className={styles.link} to="/-/profile/password">
                Password
              </NavLink>
            </li>
          </>
        )}
        {(person?.is_admin || person?.is_auditor) && (
          <li>
            <NavLink className={styles.link} to="/admin/jobs">
              Jobs
            </NavLink>
          </li>
        )}
        <li>
          <NavLink className={styles.link} to="/-/api-docs">
            API reference
          </NavLink>
        </li>
      </ul>
    </nav>
  );
}

function SignOut({ name }: { name: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      // Nothing of what was seen stays for whoever comes next.
      queries.clear();
      await queries.fetchQuery(sessionQuery);
      await navigate('/users/sign_in');
    },
  });
  return (
    <>
      <span className={styles.name}>{name}</span>
      <Button kind="quiet" busy={leave.isPending} onClick={() => leave.mutate()}>
        <LogOut size={16} aria-hidden /> Sign out
      </Button>
      {leave.error && <Problem error={leave.error} />}
    </>
  );
}
