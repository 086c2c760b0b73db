import './ui/tokens.css';
import './ui/base.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { liveState } from './data/live.js';
import { ApiProblem, mayPass } from './data/problem.js';
import { App } from './app/App.js';
import { routes } from './routes.js';
import { forgetCsrfToken } from './data/csrf.js';
import { sessionQuery } from './data/session.js';

const TRIES = 2;

/**
 * While a page is open, a session may end, or a new one may start in another window: the service then no longer accepts
 * the session (401) or its CSRF token (401 or 422), and the page refetches the signed-in user. Resources hidden from
 * anonymous callers respond with 404, like resources that do not exist, so after a 404 the user is refetched only once
 * in a while.
 */
function onError(error: Error): void {
  if (!(error instanceof ApiProblem)) return;
  const { queryKey } = sessionQuery;
  if (error.status === 404) void queries.refetchQueries({ queryKey, stale: true });
  if (error.status !== 401 && error.status !== 422) return;
  forgetCsrfToken();
  void queries.invalidateQueries({ queryKey });
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < TRIES && mayPass(error),
      refetchOnWindowFocus: () => !liveState().held,
      refetchOnReconnect: () => !liveState().held,
    },
    mutations: { retry: false },
  },
});

createRoot(document.querySelector('#page') as HTMLElement).render(
  <QueryClientProvider client={queries}>
    {/* A page goes with what led away from it: a transition would leave it for a moment, and it would ask for what is gone. */}
    <BrowserRouter useTransitions={false}>
      <App routes={routes} />
    </BrowserRouter>
  </QueryClientProvider>,
);
