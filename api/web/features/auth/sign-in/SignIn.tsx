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
 * Leads a signed-in person on. A page of this bundle is shown at once; anything else of this service, such as an
 * application's request for consent, is for the server to answer.
 * @param at as the service said it, which lets through its own paths alone; null for home
 */
export function Arrived({ at }: { at: string | null }) {
  const navigate = useNavigate();
  const matchPath = useMatchPath();
  useEffect(() => {
    const target = new URL(at ?? '/', location.origin);
    // Asked again here, where it is used: what leads elsewhere leads home.
    const own = target.origin === location.origin ? target : new URL('/', location.origin);
    const path = own.pathname + own.search + own.hash;
    const match = matchPath(own.pathname);
    // Addresses with parameters may be the server's: `/oauth/authorize` looks like a full path.
    if (match && Object.keys(match.params).length === 0) void navigate(path, { replace: true });
    else location.replace(path);
  }, [at, navigate, matchPath]);
  return null;
}

/** What the service says of a sign-in by a plain form, which it leads back here. */
const PROBLEMS: Readonly<Record<string, string>> = {
  invalid: 'Invalid login or password.',
  refused: 'This account may not sign in.',
  throttled: 'Too many tries. Wait a minute, then try again.',
  busy: 'Too many people sign in at this moment. Try again.',
};

const PROBLEM_ID = 'sign-in-problem';

function readProblem(code: string | null): Error | null {
  const text = code === null ? undefined : PROBLEMS[code];
  return text === undefined ? null : new ApiProblem(text, 401, null);
}

/** `/users/sign_in`: username or email, and the password; then back to where somebody wanted to go. */
export default function SignIn() {
  const [search] = useSearchParams();
  const queries = useQueryClient();
  const session = useSession();
  const redirectTo = search.get('redirect_to') ?? search.get('redirect');
  // Where most people go from here: it is there then. What fails is asked for again by the page itself.
  useEffect(() => void import('../../ci/home/Home.js').catch(() => undefined), []);
  const redirectProblem = useMemo(() => readProblem(search.get('problem')), [search]);
  const entry = useMutation({
    mutationFn: (values: FormData) =>
      signIn(String(values.get('login') ?? ''), String(values.get('password') ?? ''), redirectTo),
    // The new session's rights are asked for anew; what was seen before is forgotten.
    onSuccess: () => queries.invalidateQueries(),
  });
  if (entry.data !== undefined) return <Arrived at={entry.data} />;
  // One's own sign-in is told of in the line above.
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
