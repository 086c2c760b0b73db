import { Link } from 'react-router';
import { ApiProblem } from '../../data/problem.js';
import { Button } from '../../ui/Button.js';
import { CopyButton } from '../../ui/CopyButton.js';
import styles from './Problem.module.css';

/** What happened, by the kind of refusal; what to do about it is in the API's own message, or below. */
function getTitle(error: Error): string {
  if (!(error instanceof ApiProblem)) return 'Something went wrong';
  if (error.status === 0) return 'No response';
  if (error.status === 401) return 'Not signed in';
  if (error.status === 403) return 'Access denied';
  if (error.status === 404) return 'Not found';
  if (error.status === 429) return 'Too many requests';
  if (error.status === 503) return 'Service unavailable';
  return error.status >= 500 ? 'Server error' : 'Request rejected';
}

function getAdvice(error: Error): string | null {
  if (!(error instanceof ApiProblem)) return 'Reload the page. If it happens again, contact an administrator.';
  if (error.status === 429) return 'Wait a minute, then try again.';
  if (error.status === 503) return 'It may be starting up. Try again in a moment.';
  if (error.status === 409) return MEANWHILE;
  return error.status >= 500 ? 'Try again. If it happens again, contact an administrator with the request ID.' : null;
}

const MEANWHILE = 'It was changed in the meantime, or already exists. Check its current state and try again.';

/** What to do where a form was refused for none of its fields. */
const AFTER_FORM: Readonly<Record<number, string>> = {
  403: 'Your role may not allow this, or the feature is turned off.',
  404: 'It may have been moved or deleted, or your role may have changed.',
};

const STAYS = 'Your input is kept.';

/** Whether the same form may succeed on a retry. */
const maybeLater = ({ status }: ApiProblem): boolean =>
  status === 0 || status === 409 || status === 429 || status >= 500 || status in AFTER_FORM;

function adviceInForm(error: Error): string | null {
  if (!(error instanceof ApiProblem) || !maybeLater(error)) return getAdvice(error);
  return [getAdvice(error), AFTER_FORM[error.status], STAYS].filter(Boolean).join(' ');
}

/** Refused for this caller: the service stores the missing permission for an hour. */
const isDenied = (error: Error): boolean => error instanceof ApiProblem && [401, 403, 404].includes(error.status);

interface ProblemProps {
  error: Error;
  id?: string | undefined;
  retry?: () => void;
  /** Displayed in a form whose input the user will correct. */
  inForm?: boolean;
}

/** What happened, what it means and what to do, with the API's message and the id of the request to copy. */
export function Problem({ error, id, retry, inForm = false }: ProblemProps) {
  const requestId = error instanceof ApiProblem ? error.requestId : null;
  const advice = inForm ? adviceInForm(error) : getAdvice(error);
  const hint = error instanceof ApiProblem ? error.hint : null;
  return (
    <div id={id} className={styles.problem} role="alert" tabIndex={-1}>
      <p>
        <span className={styles.title}>{getTitle(error)}:</span> {error.message}
      </p>
      {hint && <p>{hint}</p>}
      {advice && <p>{advice}</p>}
      {requestId && (
        <div className={styles.request}>
          <span>
            Request <code>{requestId}</code>
          </span>
          <CopyButton text={requestId} label="Copy the request ID" quiet />
          {isDenied(error) && <WhyLink id={requestId} apart={inForm} />}
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

function WhyLink({ id, apart }: { id: string; apart: boolean }) {
  const to = `/-/refused_requests/${id}`;
  if (!apart) return <Link to={to}>Why?</Link>;
  return (
    <a href={to} target="_blank" rel="noreferrer">
      Why? (opens in a new tab)
    </a>
  );
}
