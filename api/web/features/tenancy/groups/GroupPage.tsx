import { membersPath, newContainerPath, schedulesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { Empty } from '../../../ui/Empty.js';
import { DetailList } from '../../../ui/DetailList.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { SearchForm } from '../../../app/forms/SearchForm.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { Absent } from '../../../app/problems/Absent.js';
import { groupQuery } from '../../../data/containers.js';
import { ButtonLink } from '../../../ui/Button.js';
import { useSession } from '../../../data/session.js';
import { groupColumns, projectColumns } from './project-columns.js';
import { mayMakeQuery, projectsOfGroupQuery, subgroupsQuery } from './queries.js';

/** `/groups/<group>`: what it is, the groups in it and its projects. */
export default function GroupPage({ path }: { path: string }) {
  const { data: group, error, refetch } = useQuery(groupQuery(path));
  const person = useSession().data?.user ?? null;
  if (error && !group) return <Absent what="Groups" error={error} retry={() => void refetch()} />;
  if (!group)
    return (
      <Page title={path.slice(path.lastIndexOf('/') + 1)}>
        <LoadingRows label="Loading the group" rows={6} />
      </Page>
    );
  const at = { kind: 'group', path: group.full_path } as const;
  return (
    <Page
      title={group.name}
      lead={group.description ? <UnbrokenText>{group.description}</UnbrokenText> : undefined}
      action={person && <Making path={group.full_path} />}
    >
      <DetailList
        details={[
          ['Visibility', group.visibility],
          ['Created', <Time key="made" at={group.created_at} />],
          [
            'Schedules',
            <Link key="schedules" to={schedulesPath(at)}>
              Schedules in this group and subgroups
            </Link>,
          ],
          [
            'Members',
            <Link key="members" to={membersPath(at)}>
              Members of this group
            </Link>,
          ],
        ]}
      />
      <Subgroups path={group.full_path} />
      <Projects path={group.full_path} />
    </Page>
  );
}

/** What one may make in a group, and the way to it. */
function Making({ path }: { path: string }) {
  const may = useQuery(mayMakeQuery(path)).data;
  return (
    <div className={rows.pages}>
      {may?.createSubgroup && <ButtonLink to={newContainerPath('group', { parent: path })}>New subgroup</ButtonLink>}
      {may?.createProjects && (
        <ButtonLink to={newContainerPath('project', { namespace: path })}>New project</ButtonLink>
      )}
    </div>
  );
}

function Subgroups({ path }: { path: string }) {
  const { data, error, refetch } = useQuery(subgroupsQuery(path));
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!data || data.rows.length === 0) return null;
  return (
    <Section title="Subgroups" aside={data.next !== null && 'First 100'}>
      <Table caption="Subgroups" rows={data.rows} keyOf={({ id }) => id} columns={groupColumns} />
    </Section>
  );
}

function Projects({ path }: { path: string }) {
  const [search] = useSearchParams();
  const searched = search.get('search') ?? '';
  const query = useQuery(projectsOfGroupQuery(path, searched, pageIn(search)));
  return (
    <Section title="Projects" aside="Recently active first">
      {(searched !== '' || (query.data?.rows.length ?? 0) > 0) && <SearchForm label="Find a project" />}
      {query.data?.rows.length === 0 && searched === '' && pageIn(search) === 1 ? (
        <Empty>No projects yet. A project contains a repository, pipelines and schedules.</Empty>
      ) : (
        <RecordList
          title="Projects"
          query={query}
          keyOf={({ id }) => id}
          columns={projectColumns}
          empty="No matching projects."
        />
      )}
    </Section>
  );
}
