import './look/tokens.css';
import './look/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { ApiProblem } from './client/problem.js';
import { Pages } from './routes.js';

const TRIES = 2;

/** What the service refused it refuses again; what did not arrive may arrive now. */
const mayHelp = (error: Error) => !(error instanceof ApiProblem) || error.status === 0 || error.status >= 500;

const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (failures, error) => failures < TRIES && mayHelp(error) },
    mutations: { retry: false },
  },
});

createRoot(document.querySelector('#page') as HTMLElement).render(
  <QueryClientProvider client={queries}>
    <BrowserRouter>
      <Pages />
    </BrowserRouter>
  </QueryClientProvider>,
);
