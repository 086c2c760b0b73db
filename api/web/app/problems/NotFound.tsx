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
        It may have moved, or the address may have been cut. <Link to="/">Go to the home page</Link>, or look into the{' '}
        <a href="/-/api-docs">API reference</a> and the <Link to="/help">help</Link>: much of what this service does has
        no page yet.
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
