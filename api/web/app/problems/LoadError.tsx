import { useLocation } from 'react-router';
import { ApiProblem } from '../../data/problem.js';
import { useSession } from '../../data/session.js';
import { ButtonLink } from '../../ui/Button.js';
import { Problem } from './Problem.js';

/** The API gives no reason for what a project's settings close, and what is of no plan of the service is refused alike. */
function explainError(error: Error, what: string, ofGroup: boolean): Error {
  if (!(error instanceof ApiProblem) || error.status !== 403) return error;
  const why = ofGroup
    ? 'are not among what this service offers, or are for members of this group alone.'
    : 'are switched off in this project, or are for its members alone.';
  return new ApiProblem(`${what} ${why}`, error.status, error.requestId);
}

const mayBeThere = (error: Error) => error instanceof ApiProblem && [401, 403, 404].includes(error.status);

interface LoadErrorProps {
  error: Error;
  /** What the page is of, such as `Issues`. */
  what: string;
  retry: () => void;
}

/** Why something is not shown. Who is not signed in may see more after that. */
export function LoadError({ error, what, retry }: LoadErrorProps) {
  const { data: session } = useSession();
  const { pathname, search } = useLocation();
  const back = new URLSearchParams({ redirect_to: pathname + search });
  return (
    <>
      <Problem
        error={explainError(error, what, pathname.startsWith('/groups/'))}
        {...(mayBeThere(error) ? {} : { retry })}
      />
      {session?.user === null && mayBeThere(error) && (
        <div>
          <ButtonLink kind="primary" to={`/users/sign_in?${back}`}>
            Sign in to see more
          </ButtonLink>
        </div>
      )}
    </>
  );
}
