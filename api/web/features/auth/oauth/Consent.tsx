import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';
import { Button } from '../../../ui/Button.js';
import { Card, Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { ask } from '../../../data/session.js';
import styles from './Consent.module.css';

/** An application's authorization request (`GET /oauth/consent/:uid`). */
interface Question {
  application: { name: string; confidential: boolean };
  scopes: { name: string; description: string }[];
  /** Where the browser goes afterwards: a host, or the scheme of the application's own. */
  redirect_host: string;
  user: { username: string; name: string };
}

type Decision = 'allow' | 'deny';

const getPath = (uid: string) => `/oauth/consent/${encodeURIComponent(uid)}`;

const questionQuery = (uid: string) =>
  queryOptions({ queryKey: ['consent', uid], queryFn: () => ask<Question>('GET', getPath(uid)), staleTime: Infinity });

/** `/oauth/consent/:uid`: the user allows or denies an application to act on their behalf. */
export default function Consent({ uid }: { uid: string }) {
  return <SignedIn>{() => <ConsentRequest uid={uid} />}</SignedIn>;
}

function ConsentRequest({ uid }: { uid: string }) {
  const question = useQuery(questionQuery(uid));
  if (question.error) return <Over error={question.error} />;
  return question.data ? <Ask uid={uid} question={question.data} /> : null;
}

/** A request lasts an hour, in the browser that it began in. */
function Over({ error }: { error: Error }) {
  const over = error instanceof ApiProblem && error.status === 404;
  return (
    <Page title="Invalid authorization request" narrow>
      <Problem error={error} />
      {over && (
        <p>
          The request has expired, was already answered, or belongs to another session. Go back to the application and
          try again.
        </p>
      )}
    </Page>
  );
}

function Ask({
  uid,
  question: { application, scopes, redirect_host: host, user },
}: {
  uid: string;
  question: Question;
}) {
  const answer = useMutation({
    mutationFn: (decision: Decision) => ask<{ redirect_to: string }>('POST', getPath(uid), { decision }),
    // Out of these pages: the service leads on to the application.
    onSuccess: ({ redirect_to: next }) => location.assign(next),
  });
  // Prevents a second answer until the browser has left the page.
  const busy = answer.isPending || answer.isSuccess;
  return (
    <Page
      title={`Authorize ${application.name} to use your account?`}
      lead={`You are signed in as ${user.name} (${user.username}).`}
      narrow
    >
      <Card>
        {answer.error && <Problem error={answer.error} />}
        <p>
          If you authorize it, <span className={styles.strong}>{application.name}</span> can:
        </p>
        <ul className={styles.scopes} aria-label="Requested scopes">
          {scopes.map(({ name, description }) => (
            <li key={name}>
              {description}
              <span className={styles.name}>
                Scope <code>{name}</code>
              </span>
            </li>
          ))}
        </ul>
        <p>
          You will be redirected to <span className={styles.strong}>{host}</span>. Authorize only applications that you
          trust.
        </p>
        <div className={styles.answers}>
          <Button busy={busy} onClick={() => answer.mutate('deny')}>
            Deny
          </Button>
          <Button kind="primary" busy={busy} onClick={() => answer.mutate('allow')}>
            Authorize
          </Button>
        </div>
      </Card>
    </Page>
  );
}
