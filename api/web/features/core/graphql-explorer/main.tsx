import '../../../ui/tokens.css';
import '../../../ui/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { ExplorerPage } from './ExplorerPage.js';

const queries = new QueryClient({ defaultOptions: { mutations: { retry: false } } });

createRoot(document.querySelector('#page') as HTMLElement).render(
  <QueryClientProvider client={queries}>
    <ExplorerPage />
  </QueryClientProvider>,
);
