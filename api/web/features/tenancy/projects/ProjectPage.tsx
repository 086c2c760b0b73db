import { pipelinesPath, schedulesPath, treePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Project } from '../../../data/api.js';
import { CopyButton } from '../../../ui/CopyButton.js';
import { Empty } from '../../../ui/Empty.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Page, Section } from '../../../ui/Page.js';
import { LoadingRows } from '../../../ui/Table.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { Absent } from '../../../app/problems/Absent.js';
import { projectQuery } from '../../../data/containers.js';
import { Activity, activityPageIn } from '../../notes/events/index.js';
import { useSession } from '../../../data/session.js';
import { useLive } from '../../../data/live.js';
import { eventsQuery, lastFailureQuery, nextRunQuery } from './queries.js';
import { ReadmeSection } from './ReadmeSection.js';

/** Refetches the project page's data when it changes. */
function LiveProject({ path }: { path: string }) {
  // Schedules and pipelines of the project appear in all of these queries; the keys of the others share the prefix.
  const all = [['project', path]];
  const events = [['project', path, 'events']];
  useLive(
    { project: path },
    {
      pipelines: all,
      pipeline_schedules: all,
      issues: events,
      merge_requests: events,
      repositories: [...all, ['readme', path]],
      project_imports: all,
    },
  );
  return null;
}

const POLL_MS = 2_000;
const MAX_POLLS = 3;

/** `/<project>`: what it is, how it is cloned, what runs next and what failed last, what happened, and its README. */
export default function ProjectPage({ path }: { path: string }) {
  const {
    data: project,
    error,
    refetch,
  } = useQuery({
    ...projectQuery(path),
    // The service finds the README shortly after the push that contains it.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && !data.empty_repo && !data.readme_url && dataUpdateCount <= MAX_POLLS ? POLL_MS : false,
  });
  if (error && !project) return <Absent what="Projects" error={error} retry={() => void refetch()} />;
  if (!project)
    return (
      <Page title={path.slice(path.lastIndexOf('/') + 1)}>
        <LoadingRows label="Loading the project" rows={6} />
      </Page>
    );
  return (
    <Page
      title={project.name}
      lead={project.description ? <UnbrokenText>{project.description}</UnbrokenText> : undefined}
    >
      <LiveProject path={project.path_with_namespace} />
      <ProjectSummary project={project} />
      {project.empty_repo ? <NoCode project={project} /> : <ReadmeSection project={project} />}
      <ProjectActivity path={project.path_with_namespace} />
    </Page>
  );
}

function ProjectActivity({ path }: { path: string }) {
  const page = activityPageIn(useSearchParams()[0]);
  return <Activity query={useQuery(eventsQuery(path, page))} path={path} />;
}

/** Records for anonymous users have fewer fields: features that are missing count as enabled. */
const open = (switched: boolean | undefined) => switched !== false;

function ProjectSummary({ project }: { project: Project }) {
  const { visibility, topics, default_branch: branch, license, forked_from_project: source } = project;
  const path = project.path_with_namespace;
  const person = useSession().data?.user ?? null;
  const builds = open(project.jobs_enabled);
  const next = useQuery({ ...nextRunQuery(path), enabled: builds && person !== null });
  const failed = useQuery({ ...lastFailureQuery(path), enabled: builds });
  const details: (readonly [string, ReactNode] | null)[] = [
    ['Clone', <CloneUrl key="clone" url={project.http_url_to_repo} />],
    ['Visibility', visibility],
    branch === undefined
      ? null
      : [
          'Branch',
          <Link key="branch" to={treePath(path, branch)}>
            <UnbrokenText>{branch}</UnbrokenText>
          </Link>,
        ],
    // Schedules are only visible to signed-in users.
    builds && person
      ? ['Next run', renderResult(next, (data) => <NextRun key="next" path={path} next={data} />)]
      : null,
    builds
      ? ['Last failure', renderResult(failed, (data) => <LastFailure key="failed" path={path} failed={data} />)]
      : null,
    ['Last activity', <Time key="activity" at={project.last_activity_at} />],
    license ? ['License', license.name] : null,
    topics.length > 0 ? ['Topics', <UnbrokenText key="topics">{topics.join(', ')}</UnbrokenText>] : null,
    source
      ? [
          'Forked from',
          <Link key="source" to={`/${source.path_with_namespace}`}>
            <UnbrokenText>{source.path_with_namespace}</UnbrokenText>
          </Link>,
        ]
      : null,
    project.archived
      ? [
          'State',
          <State key="archived" tone="warn">
            archived: read-only
          </State>,
        ]
      : null,
  ];
  return <DetailList details={details.filter((detail) => detail !== null)} />;
}

/** The rendered result of a query, once it has loaded. */
function renderResult<T>({ data, error }: UseQueryResult<T>, render: (data: T) => ReactNode): ReactNode {
  if (data !== undefined) return render(data);
  return error ? 'unavailable' : '…';
}

function CloneUrl({ url }: { url: string }) {
  return (
    <>
      <code>
        <UnbrokenText>{url}</UnbrokenText>
      </code>{' '}
      <CopyButton text={url} label="Copy the clone address" quiet />
    </>
  );
}

interface NextRunProps {
  path: string;
  next: { id: number; description: string; next_run_at: string | null } | null;
}

function NextRun({ path, next }: NextRunProps) {
  const schedules = schedulesPath({ kind: 'project', path });
  if (!next?.next_run_at) return <Link to={schedules}>no active schedule</Link>;
  return (
    <>
      <Time at={next.next_run_at} />:{' '}
      <Link to={schedules}>
        <UnbrokenText>{next.description}</UnbrokenText>
      </Link>
    </>
  );
}

function LastFailure({ path, failed }: { path: string; failed: { id: number; created_at: string } | null }) {
  if (!failed) return 'none';
  return (
    <>
      <Link to={pipelinesPath(path, failed.id)}>#{failed.id}</Link> <Time at={failed.created_at} />
    </>
  );
}

function NoCode({ project: { http_url_to_repo: url } }: { project: Project }) {
  return (
    <Section title="Code">
      <Empty action={<CopyButton text={`git push ${url} HEAD:main`} label="Copy the command" />}>
        The repository is empty. Push an existing repository: <code>git push {url} HEAD:main</code>
      </Empty>
    </Section>
  );
}
