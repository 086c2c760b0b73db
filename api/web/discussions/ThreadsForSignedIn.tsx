import { useLocation } from 'react-router';
import { ButtonLink } from '../ui/Button.js';
import { Empty } from '../ui/Empty.js';
import { Section } from '../ui/Page.js';
import { useSession } from '../session/session.js';
import type { Noteable } from './noteable.js';
import { Threads } from './Threads.js';

/** The threads of something, which the API tells to nobody who is not signed in (discussions-and-notes.md section 1). */
export function ThreadsForSignedIn({ of }: { of: Noteable }) {
  const { data: session } = useSession();
  const { pathname } = useLocation();
  if (!session) return null;
  if (session.user) return <Threads of={of} />;
  const signIn = `/users/sign_in?${new URLSearchParams({ redirect_to: pathname })}`;
  return (
    <Section title="Comments">
      <Empty action={<ButtonLink to={signIn}>Sign in</ButtonLink>}>
        What is said about it is shown to people who are signed in.
      </Empty>
    </Section>
  );
}
