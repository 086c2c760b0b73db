import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useSearchParams, useNavigate } from 'react-router';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { signIn, useSession } from '../../../data/session.js';
import { useMatchPath } from '../../../app/routing/router.js';
import { SignInFields } from '../../../app/session/SignInFields.js';

/**
 * Navigates a signed-in user to the next page. Pages of this bundle are displayed at once; other addresses of this
 * service, such as an application's consent request, are loaded from the server.
 * @param at the address returned by the service, which only permits its own paths; null for home
 */
export function Arrived({ at }: { at: string | null }) {
  const navigate = useNavigate();
  const matchPath = useMatchPath();
  useEffect(() => {
    const target = new URL(at ?? '/', location.origin);
    // Checked again before use: addresses of other origins lead home.
    const own = target.origin === location.origin ? target : new URL('/', location.origin);
    const path = own.pathname + own.search + own.hash;
    const match = matchPath(own.pathname);
    // Addresses with parameters may be the server's: `/oauth/authorize` looks like a full path.
    if (match && Object.keys(match.params).length === 0) void navigate(path, { replace: true });
    else location.replace(path);
  }, [at, navigate, matchPath]);
  return null;
}

/** Messages for the error code of a sign-in by a plain form, which redirects back here. */
const PROBLEMS: Readonly<Record<string, string>> = {
  invalid: 'Invalid login or password.',
  refused: "This account can't sign in.",
  throttled: 'Too many attempts. Wait a minute and try again.',
  busy: 'Too many sign-ins right now. Try again.',
};

const PROBLEM_ID = 'sign-in-problem';

function readProblem(code: string | null): Error | null {
  const text = code === null ? undefined : PROBLEMS[code];
  return text === undefined ? null : new ApiProblem(text, 401, null);
}

/** `/users/sign_in`: username or email, and password; then redirects to the requested page. */
export default function SignIn() {
  const [search] = useSearchParams();
  const queries = useQueryClient();
  const session = useSession();
  const redirectTo = search.get('redirect_to') ?? search.get('redirect');
  // Preloads the page where most users continue. If that fails, the page loads it again.
  useEffect(() => void import('../../ci/home/Home.js').catch(() => undefined), []);
  const redirectProblem = useMemo(() => readProblem(search.get('problem')), [search]);
  const entry = useMutation({
    mutationFn: (values: FormData) =>
      signIn(String(values.get('login') ?? ''), String(values.get('password') ?? ''), redirectTo),
    // The new session's permissions are fetched again; previously displayed data is discarded.
    onSuccess: () => queries.invalidateQueries(),
  });
  if (entry.data !== undefined) return <Arrived at={entry.data} />;
  // The message above already covers the user's own sign-in.
  if (session.data?.user && !entry.isPending) return <Arrived at={null} />;
  const problem = entry.isIdle ? redirectProblem : entry.error;
  const describedBy = problem ? PROBLEM_ID : undefined;
  return (
    <Page title="Sign in" narrow>
      {session.error ? (
        <Problem error={session.error} retry={() => void session.refetch()} />
      ) : (
        <Card>
          <Form
            submit="Sign in"
            wide
            busy={entry.isPending}
            problem={problem}
            problemId={PROBLEM_ID}
            fields={[]}
            focusFirst
            again="password"
            onSubmit={(values) => entry.mutate(values)}
          >
            <SignInFields describedBy={describedBy} />
          </Form>
        </Card>
      )}
    </Page>
  );
}
