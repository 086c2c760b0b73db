import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { FileDiffs } from '../diffs/FileDiffs.js';
import { pageIn } from '../look/list-address.js';
import { Section } from '../look/Page.js';
import { PageLinks } from '../look/PageLinks.js';
import { Problem } from '../look/Problem.js';
import { LoadingRows } from '../look/Table.js';
import { requestDiffsQuery } from './queries.js';

/** How a merge request changes the files, a page of them at a time. */
export function RequestDiffs({ path, iid }: { path: string; iid: number }) {
  const page = pageIn(useSearchParams()[0]);
  const diffs = useQuery(requestDiffsQuery(path, iid, page));
  if (diffs.error) return <Problem error={diffs.error} retry={() => void diffs.refetch()} />;
  if (!diffs.data) return <LoadingRows label="Loading changes" rows={6} />;
  return (
    <Section title="Changes">
      <FileDiffs files={diffs.data.rows} />
      <PageLinks page={page} next={diffs.data.next} />
    </Section>
  );
}
