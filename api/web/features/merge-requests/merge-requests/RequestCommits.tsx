import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { commitColumns } from '../../repositories/commits/index.js';
import { Empty } from '../../../ui/Empty.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Section } from '../../../ui/Page.js';
import { PageLinks } from '../../../app/lists/PageLinks.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { requestCommitsQuery } from './queries.js';

/** The commits of a merge request, the newest first. */
export function RequestCommits({ path, iid }: { path: string; iid: number }) {
  const page = pageIn(useSearchParams()[0]);
  const commits = useQuery(requestCommitsQuery(path, iid, page));
  if (commits.error) return <Problem error={commits.error} retry={() => void commits.refetch()} />;
  if (!commits.data) return <LoadingRows label="Loading commits" rows={6} />;
  const { rows, next } = commits.data;
  return (
    <Section title="Commits">
      {rows.length === 0 ? (
        <Empty>No commits. The target branch is up to date with the source branch.</Empty>
      ) : (
        <Table caption="Commits, newest first" rows={rows} keyOf={({ id }) => id} columns={commitColumns(path)} />
      )}
      <PageLinks page={page} next={next} />
    </Section>
  );
}
