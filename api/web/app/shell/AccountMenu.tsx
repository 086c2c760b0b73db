import { useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { useMutation } from '../../data/mutation.js';
import { sessionQuery, signOut } from '../../data/session.js';
import type { Person } from '../../data/session.js';
import styles from './AccountMenu.module.css';
import { Button } from '../../ui/Button.js';
import { useDisclosure } from '../../ui/disclosure.js';
import { useMenu } from '../routing/menu.js';
import { Problem } from '../problems/Problem.js';
import { UnbrokenText } from '../../ui/UnbrokenText.js';

/** First letters of the first two words of a name. */
const getInitials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();

/** The menu with the pages about the signed-in user, and sign-out, behind a button with their initials. */
export function AccountMenu({ person }: { person: Person }) {
  const { open, toggle, container } = useDisclosure();
  const pages = useMenu('account');
  return (
    <div ref={container} className={styles.account}>
      <button
        type="button"
        className={styles.avatar}
        aria-label={`Account of ${person.name}`}
        aria-expanded={open}
        // Drawn by the styles: it is no part of the name.
        data-initials={getInitials(person.name)}
        onClick={toggle}
      />
      {open && (
        <nav className={styles.menu} aria-label="Account">
          <p className={styles.who}>
            <span className={styles.name}>
              <UnbrokenText>{person.name}</UnbrokenText>
            </span>
            <span className={styles.username}>
              <UnbrokenText>{`@${person.username}`}</UnbrokenText>
            </span>
          </p>
          <ul className={styles.items}>
            {[{ label: 'Profile', to: `/${person.username}` }, ...pages].map(({ label, to }) => (
              <li key={to}>
                <Link className={styles.item} to={to}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
          <SignOut />
        </nav>
      )}
    </div>
  );
}

function SignOut() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      // Displayed data is discarded before another user signs in.
      queries.clear();
      await queries.fetchQuery(sessionQuery);
      await navigate('/users/sign_in');
    },
  });
  return (
    <>
      <Button kind="quiet" busy={leave.isPending} onClick={() => leave.mutate()}>
        <LogOut size={16} aria-hidden /> Sign out
      </Button>
      {leave.error && <Problem error={leave.error} />}
    </>
  );
}
