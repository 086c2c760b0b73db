import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Page } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { LoadingRows } from '../look/Table.js';
import { factsQuery } from './facts.js';
import type { Facts } from './facts.js';
import { ReferenceTabs } from './ReferenceTabs.js';

interface ReferencePageProps {
  title: string;
  lead: ReactNode;
  children: (facts: Facts) => ReactNode;
}

/** A page that is made of the service's facts about its API. */
export function ReferencePage({ title, lead, children }: ReferencePageProps) {
  const facts = useQuery(factsQuery);
  return (
    <Page title={title} lead={lead}>
      <ReferenceTabs />
      {facts.error && <Problem error={facts.error} retry={() => void facts.refetch()} />}
      {facts.isPending && <LoadingRows label="Loading" rows={8} />}
      {facts.data && children(facts.data)}
    </Page>
  );
}
