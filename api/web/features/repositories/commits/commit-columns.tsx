import { commitPath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import type { Commit } from '../../../data/api.js';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';

/** The columns of a list of commits. */
export const commitColumns = (path: string): Column<Commit>[] => [
  {
    title: 'Commit',
    cell: ({ id, title }) => (
      <Link to={commitPath(path, id)}>
        <UnbrokenText>{title === '' ? 'No message' : title}</UnbrokenText>
      </Link>
    ),
  },
  { title: 'Sha', cell: ({ short_id: sha }) => <code>{sha}</code> },
  { title: 'Author', cell: ({ author_name: name }) => name },
  { title: 'Committed', cell: ({ committed_date: at }) => <Time at={at} /> },
];
