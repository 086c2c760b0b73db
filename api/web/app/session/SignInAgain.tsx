import { useQueryClient } from '@tanstack/react-query';
import { useMutation } from '../../data/mutation.js';
import { Dialog } from '../../ui/Dialog.js';
import { Form } from '../forms/Form.js';
import { sessionFromNow, sessionQuery, signIn } from '../../data/session.js';
import type { Person } from '../../data/session.js';
import { SignInFields } from './SignInFields.js';

const PROBLEM_ID = 'sign-in-again-problem';

/**
 * Displayed over a page whose session expired while it was open: signing in again preserves the page and its unsaved
 * input.
 */
export default function SignInAgain({ person }: { person: Person }) {
  const queries = useQueryClient();
  const entry = useMutation({
    mutationFn: (values: FormData) =>
      signIn(String(values.get('login') ?? ''), String(values.get('password') ?? ''), null),
    onSuccess: async () => {
      const session = await sessionFromNow();
      // The unsaved input belongs to another user, so the page is reloaded before anything is rendered for the new one.
      if (session.user?.id !== person.id) return location.reload();
      queries.setQueryData(sessionQuery.queryKey, session);
      await queries.invalidateQueries();
    },
  });
  const describedBy = entry.error ? PROBLEM_ID : undefined;
  return (
    <Dialog title="Sign in again">
      <p>Your session has expired. Your unsaved changes are still here.</p>
      <Form
        submit="Sign in"
        wide
        busy={entry.isPending}
        problem={entry.error}
        problemId={PROBLEM_ID}
        fields={[]}
        again="password"
        onSubmit={(values) => entry.mutate(values)}
      >
        <SignInFields describedBy={describedBy} username={person.username} />
      </Form>
      <p>
        <a href="/">Continue without signing in</a>
      </p>
    </Dialog>
  );
}
