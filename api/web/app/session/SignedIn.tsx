import { signInPath } from '../routing/paths.js';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { Page } from '../../ui/Page.js';
import { Problem } from '../problems/Problem.js';
import { useSession } from '../../data/session.js';
import type { Person } from '../../data/session.js';

/** What only signed-in people see; everybody else signs in first and comes back. */
export function SignedIn({ children }: { children: (person: Person) => ReactNode }) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  if (session.error)
    return (
      <Page title="Not available">
        <Problem error={session.error} retry={() => void session.refetch()} />
      </Page>
    );
  if (!session.data) return null;
  if (session.data.user) return children(session.data.user);
  return <Navigate to={signInPath(pathname + search + hash)} replace />;
}
