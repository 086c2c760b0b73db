import { useQuery } from '@tanstack/react-query';
import { Empty } from '../look/Empty.js';
import { Page, Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { LoadingRows, Table } from '../look/Table.js';
import { Time } from '../look/Time.js';
import type { Person } from '../session/session.js';
import { projectsQuery } from './queries.js';
import { Failures, Upcoming } from './Schedules.js';
import styles from './Overview.module.css';

/** What a signed-in person's projects do: what runs next and what became of the last run, and the projects themselves. */
export function Overview({ person }: { person: Person }) {
  const projects = useQuery(projectsQuery);
  return (
    <Page title="Home" lead={`Signed in as ${person.name} (${person.username}).`}>
      {projects.error && <Problem error={projects.error} retry={() => void projects.refetch()} />}
      {projects.isPending && <LoadingRows label="Loading projects" />}
      {projects.data?.length === 0 && (
        <Empty action={<a href="/-/api-docs#/Projects/createProject">Create the first project through the API</a>}>
          Nothing here yet. Projects that you are a member of appear here, with the schedules of their pipelines.
        </Empty>
      )}
      {projects.data && projects.data.length > 0 && (
        <>
          <Failures />
          <Upcoming />
          <Section title="Projects" aside="The most recently active first">
            <Table
              caption="Projects"
              rows={projects.data}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Project',
                  cell: (project) => (
                    <>
                      <span className={styles.name}>{project.name_with_namespace}</span>
                      {project.description && <span className={styles.description}>{project.description}</span>}
                    </>
                  ),
                },
                { title: 'Path', cell: ({ path_with_namespace }) => <code>{path_with_namespace}</code> },
                { title: 'Visibility', cell: ({ visibility }) => visibility },
                { title: 'Last activity', cell: ({ last_activity_at }) => <Time at={last_activity_at} /> },
              ]}
            />
          </Section>
        </>
      )}
    </Page>
  );
}
