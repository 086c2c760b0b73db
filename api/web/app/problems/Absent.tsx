import { Link } from 'react-router';
import { ApiProblem } from '../../data/problem.js';
import { Page } from '../../ui/Page.js';
import { LoadError } from './LoadError.js';

const TITLES: Readonly<Record<number, string>> = {
  0: 'No response',
  403: 'Access denied',
  404: 'Page not found',
  429: 'Too many requests',
  503: 'Service unavailable',
};

const getTitle = (error: Error): string =>
  (error instanceof ApiProblem ? TITLES[error.status] : undefined) ?? 'Not available';

/** Displayed instead of a page whose record is refused; hidden records look like missing ones. */
export function Absent({ error, what, retry }: { error: Error; what: string; retry: () => void }) {
  return (
    <Page title={getTitle(error)}>
      <LoadError what={what} error={error} retry={retry} />
      <p>
        It may have been moved, or the link may be incomplete. <Link to="/">Go to the home page</Link>
      </p>
    </Page>
  );
}
