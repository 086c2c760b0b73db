import { Link } from 'react-router';
import { ApiProblem } from '../client/problem.js';
import { Button } from './Button.js';
import { CopyButton } from './CopyButton.js';
import styles from './Problem.module.css';

/** What happened, by the kind of refusal; what to do about it is in the API's own message, or below. */
function titleOf(error: Error): string {
  if (!(error instanceof ApiProblem)) return 'This page failed';
  if (error.status === 0) return 'No answer';
  if (error.status === 401) return 'Not signed in';
  if (error.status === 403) return 'Not allowed';
  if (error.status === 404) return 'Not found';
  if (error.status === 429) return 'Too many tries';
  return error.status >= 500 ? 'The service failed' : 'Not accepted';
}

function adviceOf(error: Error): string | null {
  if (!(error instanceof ApiProblem)) return 'Reload the page. If it fails again, tell an administrator.';
  if (error.status === 429) return 'Wait a minute, then try again.';
  return error.status >= 500 ? 'Try again. If it fails again, tell an administrator, with the request id.' : null;
}

/** Refused for who asks: the service keeps for an hour which right was missing. */
const isRefusal = (error: Error): boolean => error instanceof ApiProblem && [401, 403, 404].includes(error.status);

/** What happened, what it means and what to do, with the API's message and the id of the request to copy. */
export function Problem({ error, id, retry }: { error: Error; id?: string | undefined; retry?: () => void }) {
  const requestId = error instanceof ApiProblem ? error.requestId : null;
  const advice = adviceOf(error);
  return (
    <div id={id} className={styles.problem} role="alert" tabIndex={-1}>
      <p>
        <span className={styles.title}>{titleOf(error)}:</span> {error.message}
      </p>
      {advice && <p>{advice}</p>}
      {requestId && (
        <div className={styles.request}>
          <span>
            Request <code>{requestId}</code>
          </span>
          <CopyButton text={requestId} label="Copy the request id" quiet />
          {isRefusal(error) && <Link to={`/-/refused_requests/${requestId}`}>Why?</Link>}
        </div>
      )}
      {retry && (
        <div>
          <Button onClick={retry}>Try again</Button>
        </div>
      )}
    </div>
  );
}
