import { issuesPath, mergeRequestsPath, namespacePath, treePath } from '../../../app/routing/paths.js';
import { useQuery, queryOptions } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { Schemas } from '#api';
import { Empty } from '../../../ui/Empty.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Section } from '../../../ui/Page.js';
import { PageLinks } from '../../../app/lists/PageLinks.js';
import { Problem } from '../../../app/problems/Problem.js';
import rows from '../../../ui/Rows.module.css';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { gql, graphql } from '../../../data/graphql.js';

const PATHS = gql(/* GraphQL */ `
  query ProjectPaths($ids: [ID!]) {
    projects(ids: $ids) {
      nodes {
        id
        fullPath
      }
    }
  }
`);

/** Where projects are, by their ids; those that the caller may not see are left out. */
const pathsOfProjectsQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['paths of projects', ids],
    queryFn: async (): Promise<ReadonlyMap<number, string>> => {
      const { projects } = await graphql(PATHS, { ids: ids.map((id) => `gid://gitlab/Project/${id}`) });
      return new Map(
        (projects?.nodes ?? []).map(({ id, fullPath }) => [Number(id.slice(id.lastIndexOf('/') + 1)), fullPath]),
      );
    },
  });

type Event = Schemas['Event'];

interface ActivityProps {
  query: UseQueryResult<{ rows: Event[]; next: number | null }>;
  /** The project that it happened in; left out where these are several. */
  path?: string;
}

/** The page of the activity in an address: `?activity=2`. */
export const activityPageIn = (search: URLSearchParams): number => pageIn(search, 'activity');

/** What people did last, and when. */
export function Activity({ query: { data, error, refetch }, path }: ActivityProps) {
  const page = activityPageIn(useSearchParams()[0]);
  const ids = path === undefined ? [...new Set(data?.rows.flatMap(({ project_id: id }) => id ?? []))] : [];
  const paths = useQuery({ ...pathsOfProjectsQuery(ids), enabled: ids.length > 0 }).data;
  const getPath = ({ project_id: id }: Event) => path ?? (id === null ? undefined : paths?.get(id));
  return (
    <Section title="Activity" aside="Newest first">
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label="Loading activity" rows={4} />}
      {data?.rows.length === 0 && (
        <Empty>{page > 1 ? 'No more activity.' : 'No activity yet. Pushes, issues and comments appear here.'}</Empty>
      )}
      {data && data.rows.length > 0 && (
        <Table
          caption="Activity"
          rows={data.rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Event', cell: (event) => <What event={event} path={getPath(event)} /> },
            ...(path === undefined
              ? [{ title: 'Project', cell: (event: Event) => <Where path={getPath(event)} /> }]
              : []),
            { title: 'Author', cell: ({ author }) => <Who author={author} /> },
            { title: 'When', cell: ({ created_at: at }) => <Time at={at} /> },
          ]}
        />
      )}
      {data && <PageLinks page={page} next={data.next} name="activity" />}
    </Section>
  );
}

function Where({ path }: { path: string | undefined }) {
  if (path === undefined) return null;
  return (
    <Link to={namespacePath(path)}>
      <UnbrokenText>{path}</UnbrokenText>
    </Link>
  );
}

function Who({ author: { name, username } }: { author: Event['author'] }) {
  return (
    <Link to={namespacePath(username)}>
      <UnbrokenText>{name}</UnbrokenText>
    </Link>
  );
}

/** `MergeRequest` and `WikiPage::Meta` as people say it. */
const formatTargetType = (type: string): string =>
  type
    .replace(/::.*$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();

function What({ event, path }: { event: Event; path: string | undefined }) {
  const { action_name: action, push_data: push, target_type: type, target_title: title } = event;
  const to = path === undefined ? null : getAddress(event, path);
  const what = push
    ? `${push.ref_type} ${push.ref ?? `(${push.ref_count ?? 0})`}`
    : type
      ? formatTargetType(type)
      : 'project';
  const more = push ? push.commit_title : title;
  return (
    <>
      <span className={rows.name}>
        {action} {to ? <Link to={to}>{<UnbrokenText>{what}</UnbrokenText>}</Link> : <UnbrokenText>{what}</UnbrokenText>}
      </span>
      {more && (
        <span className={rows.quiet}>
          <UnbrokenText>{more}</UnbrokenText>
        </span>
      )}
    </>
  );
}

/** The address of an event's target, if it has one. */
function getAddress({ push_data: push, target_type: type, target_iid: iid, note }: Event, path: string): string | null {
  if (push) return push.action === 'removed' || !push.ref ? null : treePath(path, push.ref);
  const [kind, number] = note ? [note.noteable_type, note.noteable_iid] : [type, iid];
  if (!number) return null;
  if (kind === 'Issue' || kind === 'WorkItem') return issuesPath(path, number);
  return kind === 'MergeRequest' ? mergeRequestsPath(path, number) : null;
}
