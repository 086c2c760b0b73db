import { useQueryClient } from '@tanstack/react-query';
import { useMutation } from '../../../data/mutation.js';
import { Button } from '../../../ui/Button.js';
import { Mark } from '../../../ui/Mark.js';
import shell from '../../../app/shell/Shell.module.css';
import { ThemeSwitch } from '../../../ui/ThemeSwitch.js';
import { sessionQuery, signOut, useSession } from '../../../data/session.js';
import styles from './Explorer.module.css';

/**
 * Links to the other pages, and the signed-in user: plain links, because each document has its own content security
 * policy.
 */
export function ExplorerBar() {
  return (
    <>
      <a className={shell.skip} href="#content">
        Skip to content
      </a>
      <header className={shell.header}>
        <div className={`${shell.bar} ${styles.bar}`}>
          <a className={shell.brand} href="/">
            <Mark /> Capstan
          </a>
          <nav className={shell.nav} aria-label="Main">
            <ul className={shell.links}>
              <li>
                <a className={shell.link} href="/-/graphql-explorer" aria-current="page">
                  GraphQL explorer
                </a>
              </li>
              <li>
                <a className={shell.link} href="/-/api-docs/graphql">
                  GraphQL reference
                </a>
              </li>
              <li>
                <a className={shell.link} href="/-/api-docs">
                  API reference
                </a>
              </li>
            </ul>
          </nav>
          <div className={shell.person}>
            <ThemeSwitch />
            <Caller />
          </div>
        </div>
      </header>
    </>
  );
}

/** The user that sends the queries, unless their headers identify another one. */
function Caller() {
  const session = useSession();
  const queries = useQueryClient();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  if (session.error) return <span className={shell.name}>Session unknown</span>;
  if (!session.data) return null;
  const { user } = session.data;
  if (!user)
    return (
      <>
        <span className={styles.caller}>Not signed in</span>
        <a className={shell.link} href={`/users/sign_in?${new URLSearchParams({ redirect_to: own() })}`}>
          Sign in
        </a>
      </>
    );
  return (
    <>
      <span className={styles.caller}>
        <span className={styles.long}>Signed in as {user.name} (</span>@{user.username}
        <span className={styles.long}>)</span>
      </span>
      <Button kind="quiet" busy={leave.isPending} onClick={() => leave.mutate()}>
        Sign out
      </Button>
    </>
  );
}

const own = () => location.pathname + location.search;
