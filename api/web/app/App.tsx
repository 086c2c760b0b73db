import type { ReactElement, ReactNode } from 'react';
import { useLocation } from 'react-router';
import { later } from '../ui/later.js';
import { Failure } from './problems/Failure.js';
import { NotFound } from './problems/NotFound.js';
import { isForPerson } from './routing/menu.js';
import type { Route } from './routing/route.js';
import { RouterProvider, useRouteMatch } from './routing/router.js';
import { SignedIn } from './session/SignedIn.js';
import { Shell } from './shell/Shell.js';

// Apart from the first view, which may be of something else.
const WithBar = later<{ children: ReactNode }>(() => import('./shell/ContainerBar.js'));

/** The pages, within what surrounds them all. */
export function App({ routes }: { routes: readonly Route[] }) {
  return (
    <RouterProvider routes={routes}>
      <Shell>
        <CurrentPage />
      </Shell>
    </RouterProvider>
  );
}

function CurrentPage() {
  const { pathname } = useLocation();
  return (
    <Failure key={pathname}>
      <MatchedPage />
    </Failure>
  );
}

function MatchedPage() {
  const match = useRouteMatch();
  if (!match) return <NotFound />;
  const { route, params, container } = match;
  // Requested alongside the session, which it waits for anyway.
  route.Page.load();
  const drawn = (
    <ForAudience route={route}>
      <route.Page {...route.props(params)} />
    </ForAudience>
  );
  // Not before the bar, which would push it down.
  return container ? <WithBar>{drawn}</WithBar> : drawn;
}

/** A page that visitors sign in for; for users who may not see it, it does not exist. */
function ForAudience({ route: { audience }, children }: { route: Route; children: ReactElement }) {
  if (audience === 'everyone') return children;
  return <SignedIn>{(person) => (isForPerson(audience, person) ? children : <NotFound />)}</SignedIn>;
}
