import { useLocation } from 'react-router';
import { ApiProblem } from '../../data/problem.js';
import { useSession } from '../../data/session.js';
import { ButtonLink } from '../../ui/Button.js';
import { Problem } from './Problem.js';

/**
 * The API gives no reason for features disabled in a project's settings, and refuses features that no plan of the
 * service includes in the same way.
 */
function explainError(error: Error, what: string, ofGroup: boolean): Error {
  if (!(error instanceof ApiProblem) || error.status !== 403) return error;
  const why = ofGroup
    ? "aren't available, or only available to members of this group."
    : 'are turned off in this project, or only available to its members.';
  return new ApiProblem(`${what} ${why}`, error.status, error.requestId);
}

const mayBeThere = (error: Error) => error instanceof ApiProblem && [401, 403, 404].includes(error.status);

interface LoadErrorProps {
  error: Error;
  /** The subject of the page, such as `Issues`. */
  what: string;
  retry: () => void;
}

/** Why content is not displayed. Anonymous users are offered to sign in, which may give them access. */
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
