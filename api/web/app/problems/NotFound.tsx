import { signInPath } from '../routing/paths.js';
import { Link, useLocation } from 'react-router';
import { ButtonLink } from '../../ui/Button.js';
import { Page } from '../../ui/Page.js';
import { useSession } from '../../data/session.js';

/** The page for paths without a page; the server responds to them with 404. */
export function NotFound() {
  const { pathname, search } = useLocation();
  const { data: session } = useSession();
  return (
    <Page
      title="Page not found"
      lead={
        <>
          There is no page at <code>{pathname}</code>.
        </>
      }
    >
      <p>
        It may have been moved, or the link may be incomplete. <Link to="/">Go to the home page</Link>, or see the{' '}
        <a href="/-/api-docs">API reference</a> and the <Link to="/help">help</Link>: not every feature has a page yet.
      </p>
      {session?.user === null && (
        <div>
          <ButtonLink kind="primary" to={signInPath(pathname + search)}>
            Sign in to see more
          </ButtonLink>
        </div>
      )}
    </Page>
  );
}
