import { lazy, useEffect } from 'react';
import { Page } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { useSession } from '../session/session.js';
import { Welcome } from './Welcome.js';

const load = () => import('./Overview.js');

// Other pages do without it.
const Overview = lazy(async () => ({ default: (await load()).Overview }));

/** `/`: what somebody's projects do, or, to those not signed in, what this service is. */
export function Home() {
  const session = useSession();
  useEffect(() => {
    // While it is asked who is signed in. Where it fails, it is loaded again when it is shown.
    load().catch(() => undefined);
  }, []);
  if (session.error)
    return (
      <Page title="Capstan">
        <Problem error={session.error} retry={() => void session.refetch()} />
      </Page>
    );
  if (!session.data) return null;
  return session.data.user ? <Overview person={session.data.user} /> : <Welcome />;
}
