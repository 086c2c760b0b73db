import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { FileDiffs } from '../../repositories/diffs/index.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Section } from '../../../ui/Page.js';
import { PageLinks } from '../../../app/lists/PageLinks.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { useSession } from '../../../data/session.js';
import { requestDiffsQuery } from './queries.js';
import type { MergeRequestDetails } from './queries.js';
import { CommentedDiffs } from './CommentedDiffs.js';

/** The changed files of a merge request, a page at a time, with comments for signed-in users. */
export function RequestDiffs({ path, request }: { path: string; request: MergeRequestDetails }) {
  const page = pageIn(useSearchParams()[0]);
  const diffs = useQuery(requestDiffsQuery(path, request.iid, page));
  const { data: session } = useSession();
  if (diffs.error) return <Problem error={diffs.error} retry={() => void diffs.refetch()} />;
  if (!diffs.data || !session) return <LoadingRows label="Loading changes" rows={6} />;
  const { rows, next } = diffs.data;
  return (
    <Section title="Changes">
      {session.user ? <CommentedDiffs path={path} request={request} files={rows} /> : <FileDiffs files={rows} />}
      <PageLinks page={page} next={next} />
    </Section>
  );
}
