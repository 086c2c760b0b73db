import { commitPath, comparePath } from '../../../app/routing/paths.js';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { api, unwrapPage } from '../../../data/api.js';
import { useLive } from '../../../data/live.js';
import { ButtonLink } from '../../../ui/Button.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { AtRef, WhereInTree } from '../repository-files/index.js';
import type { RefLocation, RefPathParams } from '../repository-files/index.js';

const PER_PAGE = 20;

/** A page of the commits reachable from a ref, optionally only those that changed a path. */
const commitsQuery = (path: string, ref: string, file: string, page: number) =>
  queryOptions({
    queryKey: ['commits', path, ref, file, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/repository/commits', {
          params: {
            path: { id: path },
            query: { ref_name: ref, page, per_page: PER_PAGE, ...(file === '' ? {} : { path: file }) },
          },
        }),
      ),
  });

/** `/<project>/-/commits/<ref>/<path>`: what was changed, the newest first. */
export default function CommitList(location: RefPathParams) {
  return <AtRef {...location}>{(at) => <CommitsView at={at} />}</AtRef>;
}

function CommitsView({ at }: { at: RefLocation }) {
  const page = pageIn(useSearchParams()[0]);
  useLive({ project: at.path }, { repositories: [['commits', at.path, at.ref]] });
  return (
    <Page
      title="Commits"
      lead={at.file === '' ? undefined : <UnbrokenText>{`Of ${at.file}`}</UnbrokenText>}
      action={<ButtonLink to={comparePath(at.path)}>Compare</ButtonLink>}
    >
      <WhereInTree at={at} page="commits" />
      <RecordList
        title="Commits"
        query={useQuery(commitsQuery(at.path, at.ref, at.file, page))}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Commit',
            cell: ({ id, short_id: short, title }) => (
              <Link to={commitPath(at.path, id)}>
                <UnbrokenText>{title === '' ? short : title}</UnbrokenText>
              </Link>
            ),
          },
          { title: 'Author', cell: ({ author_name: name }) => name },
          { title: 'When', cell: ({ committed_date: when }) => <Time at={when} /> },
          { title: 'Sha', cell: ({ short_id: short }) => <code>{short}</code> },
        ]}
        empty="No commits yet. Commits pushed to this branch appear here."
      />
    </Page>
  );
}
