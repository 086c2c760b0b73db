import { page } from '../../../ui/later.js';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { useSession } from '../../../data/session.js';
import { Overview } from './Overview.js';

/** Most who come are signed in. */
const Welcome = page(async () => ({ default: (await import('./Welcome.js')).Welcome }));

/** `/`: the state of the user's projects or, for anonymous visitors, a description of this service. */
export default function Home() {
  const session = useSession();
  if (session.error)
    return (
      <Page title="Capstan">
        <Problem error={session.error} retry={() => void session.refetch()} />
      </Page>
    );
  if (!session.data) return null;
  return session.data.user ? <Overview person={session.data.user} /> : <Welcome />;
}
