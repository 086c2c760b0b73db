import { Link, useLocation } from 'react-router';
import { Page } from '../look/Page.js';

/** What no page stands for; the server answers it with 404. */
export function NotFound() {
  const { pathname } = useLocation();
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
        <a href="/-/api-docs">API reference</a>: much of what this service does has no page yet.
      </p>
    </Page>
  );
}
