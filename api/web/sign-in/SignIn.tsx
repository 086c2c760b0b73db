import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useMutation } from '../client/mutation.js';
import { ApiProblem } from '../client/problem.js';
import { Form } from '../ui/Form.js';
import { Card, Page } from '../ui/Page.js';
import { Problem } from '../ui/Problem.js';
import { signIn, useSession } from '../session/session.js';
import { Arrived } from './Arrived.js';
import { SignInFields } from './SignInFields.js';

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
export function SignIn() {
  const [search] = useSearchParams();
  const queries = useQueryClient();
  const session = useSession();
  const redirectTo = search.get('redirect_to') ?? search.get('redirect');
  // Where most people go from here: it is there then. What fails is asked for again by the page itself.
  useEffect(() => void import('../home/Home.js').catch(() => undefined), []);
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
