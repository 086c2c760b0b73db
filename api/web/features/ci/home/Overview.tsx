import { newContainerPath } from '../../../app/routing/paths.js';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import type { Project } from '../../../data/api.js';
import { useLive } from '../../../data/live.js';
import { Link } from 'react-router';
import { ProjectName } from '../../tenancy/groups/index.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { Page, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { useSession } from '../../../data/session.js';
import type { EndingToken, Person } from '../../../data/session.js';
import { failuresQuery, LIVE_QUERIES, projectsQuery, upcomingQuery } from './queries.js';
import { NeedsYou, Upcoming } from './Schedules.js';

/**
 * The state of the user's projects: the next scheduled runs, the result of the last ones, and the projects themselves.
 */
export function Overview({ person }: { person: Person }) {
  const projects = useQuery(projectsQuery);
  const session = useSession().data;
  const tokens = session?.user ? session.ending_tokens : [];
  // All at once, instead of one after the other.
  usePrefetchQuery(failuresQuery);
  usePrefetchQuery(upcomingQuery);
  return (
    <Page title="Home" lead={`Signed in as ${person.name} (${person.username}).`}>
      {projects.error && <Problem error={projects.error} retry={() => void projects.refetch()} />}
      {projects.isPending && <LoadingRows label="Loading projects" />}
      {projects.data?.length === 0 && (
        <>
          <NeedsYou tokens={tokens} />
          <Empty
            action={
              <ButtonLink kind="primary" to={newContainerPath('project')}>
                New project
              </ButtonLink>
            }
          >
            No projects yet. Your projects and their pipeline schedules appear here.
          </Empty>
        </>
      )}
      {projects.data && projects.data.length > 0 && <Work projects={projects.data} tokens={tokens} />}
    </Page>
  );
}

/** Displayed once all of it is loaded: content that arrives later would push the rest down. */
function Work({ projects, tokens }: { projects: readonly Project[]; tokens: readonly EndingToken[] }) {
  useLive({ membership: 'true' }, LIVE_QUERIES);
  const pending = [useQuery(failuresQuery), useQuery(upcomingQuery)].some(({ isPending }) => isPending);
  if (pending) return <LoadingRows label="Loading schedules" />;
  return (
    <>
      <NeedsYou tokens={tokens} />
      <Upcoming />
      <Section
        title="Projects"
        aside={
          <>
            Recently active first · <Link to={newContainerPath('project')}>New project</Link> ·{' '}
            <Link to={newContainerPath('group')}>New group</Link>
          </>
        }
      >
        <Table
          caption="Projects"
          rows={projects}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Project', cell: (project) => <ProjectName project={project} /> },
            { title: 'Visibility', cell: ({ visibility }) => visibility },
            { title: 'Last activity', cell: ({ last_activity_at }) => <Time at={last_activity_at} /> },
          ]}
        />
      </Section>
    </>
  );
}
