import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import type { Project } from '../client/api.js';
import { useLive } from '../client/live.js';
import { Link } from 'react-router';
import { newOf } from '../archives/address.js';
import { named } from '../containers/address.js';
import { doraOf } from '../dora/address.js';
import { environmentsOf } from '../environments/address.js';
import { issuesOf } from '../issues/address.js';
import { Empty } from '../look/Empty.js';
import { Page, Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { LoadingRows, Table } from '../look/Table.js';
import { Time } from '../look/Time.js';
import { Whole } from '../look/Whole.js';
import { schedulesOf } from '../pipeline-schedules/address.js';
import { mergeRequestsOf } from '../merge-requests/address.js';
import { settingsOf } from '../repository-settings/address.js';
import type { Person } from '../session/session.js';
import { failuresQuery, FOLLOWS, projectsQuery, upcomingQuery } from './queries.js';
import { Failures, Upcoming } from './Schedules.js';
import styles from './Overview.module.css';

/** What a signed-in person's projects do: what runs next and what became of the last run, and the projects themselves. */
export function Overview({ person }: { person: Person }) {
  const projects = useQuery(projectsQuery);
  // All at once, instead of one after the other.
  usePrefetchQuery(failuresQuery);
  usePrefetchQuery(upcomingQuery);
  return (
    <Page title="Home" lead={`Signed in as ${person.name} (${person.username}).`}>
      {projects.error && <Problem error={projects.error} retry={() => void projects.refetch()} />}
      {projects.isPending && <LoadingRows label="Loading projects" />}
      {projects.data?.length === 0 && (
        <Empty action={<a href="/-/api-docs#/Projects/createProject">Create the first project through the API</a>}>
          Nothing here yet. Projects that you are a member of appear here, with the schedules of their pipelines.
        </Empty>
      )}
      {projects.data && projects.data.length > 0 && <Work projects={projects.data} admin={person.is_admin} />}
    </Page>
  );
}

/** Shown together once all of it is there: what came later would push the rest down. */
function Work({ projects, admin }: { projects: readonly Project[]; admin: boolean }) {
  useLive({ membership: 'true' }, FOLLOWS);
  const pending = [useQuery(failuresQuery), useQuery(upcomingQuery)].some(({ isPending }) => isPending);
  if (pending) return <LoadingRows label="Loading schedules" />;
  return (
    <>
      <Failures />
      <Upcoming />
      <Section
        title="Projects"
        aside={
          <>
            The most recently active first · <Link to={newOf('project')}>Import a project</Link> ·{' '}
            <Link to={newOf('group')}>Import a group</Link>
          </>
        }
      >
        <Table
          caption="Projects"
          rows={projects}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Project', cell: (project) => <Name project={project} /> },
            {
              title: 'Path',
              cell: ({ path_with_namespace: path }) => (
                <code>
                  <Whole>{path}</Whole>
                </code>
              ),
            },
            { title: 'Pages', cell: (project) => <Pages project={project} /> },
            { title: 'Visibility', cell: ({ visibility }) => visibility },
            { title: 'Last activity', cell: ({ last_activity_at }) => <Time at={last_activity_at} /> },
            { title: 'Settings', cell: (project) => (admin || maintains(project)) && <Settings project={project} /> },
          ]}
        />
      </Section>
    </>
  );
}

const MAINTAINER = 40;

/** The API tells a direct role, and the one by the group. */
const maintains = ({ permissions: { project_access: own, group_access: byGroup } }: Project) =>
  Math.max(own?.access_level ?? 0, byGroup?.access_level ?? 0) >= MAINTAINER;

function Settings({ project: { name, path_with_namespace: path } }: { project: Project }) {
  return (
    <Link to={settingsOf({ kind: 'project', path })} aria-label={`Repository settings of ${name}`}>
      Repository
    </Link>
  );
}

function Name({ project }: { project: Project }) {
  const { name_with_namespace: name, path_with_namespace: path, description } = project;
  return (
    <>
      <Link className={styles.name} to={named(path)}>
        <Whole>{name}</Whole>
      </Link>
      {description && (
        <span className={styles.description}>
          <Whole>{description}</Whole>
        </span>
      )}
    </>
  );
}

/** The pages of a project, by what they are called. */
const pagesOf = (path: string): (readonly [words: string, to: string])[] => [
  ['Issues', issuesOf(path)],
  ['Merge requests', mergeRequestsOf(path)],
  ['Schedules', schedulesOf({ kind: 'project', path })],
  ['Environments', environmentsOf(path)],
  ['DORA metrics', doraOf({ kind: 'project', path })],
];

function Pages({ project: { name, path_with_namespace: path } }: { project: Project }) {
  return (
    <ul className={styles.pages}>
      {pagesOf(path).map(([words, to]) => (
        <li key={words}>
          <Link to={to} aria-label={`${words} of ${name}`}>
            {words}
          </Link>
        </li>
      ))}
    </ul>
  );
}
