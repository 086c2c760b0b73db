import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { referenceQuery } from './contents.js';
import type { ReferenceContents } from './contents.js';
import { ReferenceTabs } from './ReferenceTabs.js';

interface ReferencePageProps {
  title: string;
  lead: ReactNode;
  children: (contents: ReferenceContents) => ReactNode;
}

/** A page that renders the service's information about its API. */
export function ReferencePage({ title, lead, children }: ReferencePageProps) {
  const contents = useQuery(referenceQuery);
  return (
    <Page title={title} lead={lead}>
      <ReferenceTabs />
      {contents.error && <Problem error={contents.error} retry={() => void contents.refetch()} />}
      {contents.isPending && <LoadingRows label="Loading" rows={8} />}
      {contents.data && children(contents.data)}
    </Page>
  );
}
