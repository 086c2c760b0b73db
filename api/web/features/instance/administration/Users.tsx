import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { SearchForm } from '../../../app/forms/SearchForm.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useSession } from '../../../data/session.js';
import { AdminPage } from './AdminPage.js';
import { USER_FILTERS, usersQuery } from './queries.js';
import type { User, UserFilter } from './queries.js';

const LABELS: Record<UserFilter, string> = {
  all: 'All',
  active: 'Active',
  blocked: 'Blocked',
  administrators: 'Administrators',
  external: 'External',
};

/** `/admin/users`: everybody that the instance knows. */
export function Users() {
  const [search] = useSearchParams();
  const filters = Object.keys(USER_FILTERS) as UserFilter[];
  const filter = filters.find((one) => one === search.get('filter')) ?? 'all';
  const query = useQuery(usersQuery(filter, search.get('search') ?? '', pageIn(search)));
  const mayAct = useSession().data?.user?.is_admin ?? false;
  const said = (useLocation().state as { said?: string } | null)?.said ?? '';
  return (
    <AdminPage
      title="Users"
      action={
        mayAct && (
          <ButtonLink kind="primary" to="/admin/users/new">
            New user
          </ButtonLink>
        )
      }
    >
      <Said>{said}</Said>
      <LinkTabs
        label="Filter users"
        tabs={filters.map((one) => ({ to: `?filter=${one}`, label: LABELS[one], current: one === filter }))}
      />
      <SearchForm label="Find a user" />
      <RecordList
        title="Users"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'User', cell: (user) => <Name user={user} /> },
          { title: 'State', cell: (user) => <UserState user={user} /> },
          { title: 'Access level', cell: getRights },
          { title: 'Created', cell: ({ created_at: at }) => (at ? <Time at={at} /> : '–') },
          { title: 'Last active', cell: ({ last_activity_on: day }) => day ?? 'never' },
        ]}
        empty="No matching users."
      />
    </AdminPage>
  );
}

/** The state of a user as a label. */
export function UserState({ user: { state } }: { user: User }) {
  return <State tone={state === 'active' ? 'good' : 'warn'}>{state.replaceAll('_', ' ')}</State>;
}

/** The additional rights of a user as a text. */
export const getRights = ({ is_admin: admin, is_auditor: auditor, external, bot }: User): string =>
  [admin && 'administrator', auditor && 'auditor', external && 'external', bot && 'bot'].filter(Boolean).join(', ') ||
  'user';

function Name({ user: { name, username, email } }: { user: User }) {
  return (
    <>
      <Link className={rows.name} to={`/admin/users/${username}`}>
        <UnbrokenText>{name}</UnbrokenText>
      </Link>
      <span className={rows.quiet}>
        <UnbrokenText>{[`@${username}`, email].filter(Boolean).join(', ')}</UnbrokenText>
      </span>
    </>
  );
}
