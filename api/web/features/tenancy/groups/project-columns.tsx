import { groupPath, namespacePath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import rows from '../../../ui/Rows.module.css';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import type { Group, ListedProject } from './queries.js';

function Name({ to, name, path, description }: { to: string; name: string; path: string; description: string | null }) {
  return (
    <>
      <Link className={rows.name} to={to}>
        <UnbrokenText>{name}</UnbrokenText>
      </Link>
      <code className={rows.quiet}>
        <UnbrokenText>{path}</UnbrokenText>
      </code>
      {description && (
        <span className={rows.quiet}>
          <UnbrokenText>{description}</UnbrokenText>
        </span>
      )}
    </>
  );
}

/** The name of a project, with its location and description. */
export function ProjectName({ project }: { project: ListedProject }) {
  const { name_with_namespace: name, path_with_namespace: path, description } = project;
  return <Name to={namespacePath(path)} name={name} path={path} description={description} />;
}

/** How projects are listed. */
export const projectColumns: readonly Column<ListedProject>[] = [
  {
    title: 'Project',
    cell: (project) => <ProjectName project={project} />,
  },
  { title: 'Stars', end: true, cell: ({ star_count: stars }) => stars.toLocaleString('en') },
  { title: 'Last activity', cell: ({ last_activity_at: at }) => <Time at={at} /> },
];

/** How groups are listed. */
export const groupColumns: readonly Column<Group>[] = [
  {
    title: 'Group',
    cell: ({ full_name: name, full_path: path, description }) => (
      <Name to={groupPath(path)} name={name} path={path} description={description} />
    ),
  },
  { title: 'Visibility', cell: ({ visibility }) => visibility },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
];
