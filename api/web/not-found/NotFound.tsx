import { Link, useLocation } from 'react-router';
import { ButtonLink } from '../ui/Button.js';
import { Page } from '../ui/Page.js';
import { useSession } from '../session/session.js';

/** What no page stands for; the server answers it with 404. */
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
          <ButtonLink kind="primary" to={`/users/sign_in?${new URLSearchParams({ redirect_to: pathname + search })}`}>
            Sign in to see more
          </ButtonLink>
        </div>
      )}
    </Page>
  );
}
