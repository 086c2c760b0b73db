import { namespacePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { Button } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Card, Section } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { formatRole } from '../../tenancy/members/index.js';
import { Absent } from '../../../app/problems/Absent.js';
import { useSession } from '../../../data/session.js';
import { AdminPage } from './AdminPage.js';
import { membershipsQuery, useEditUser, useMoveUser, userQuery } from './queries.js';
import type { User, UserEdit, UserMove } from './queries.js';
import { getRights, UserState } from './Users.js';

/** `/admin/users/<username>`: one user, to block, edit, and see the memberships of. */
export function UserAdmin({ username }: { username: string }) {
  const { data: user, error, refetch } = useQuery(userQuery(username));
  const own = useSession().data?.user ?? null;
  const mayAct = own?.is_admin ?? false;
  const [said, setSaid] = useState('');
  if (error && !user) return <Absent what="Users" error={error} retry={() => void refetch()} />;
  if (!user)
    return (
      <AdminPage title={username}>
        <LoadingRows label="Loading the user" rows={6} />
      </AdminPage>
    );
  return (
    <AdminPage title={user.name} lead={<UnbrokenText>{`@${user.username}`}</UnbrokenText>}>
      <Said>{said}</Said>
      <DetailList
        details={[
          ['State', <UserState key="state" user={user} />],
          ['Access level', getRights(user)],
          ['Email', <UnbrokenText key="email">{user.email ?? 'none'}</UnbrokenText>],
          [
            'Profile',
            <Link key="profile" to={namespacePath(user.username)}>
              public profile
            </Link>,
          ],
          ['Created', user.created_at ? <Time key="created" at={user.created_at} /> : 'unknown'],
          ['Signed in', user.current_sign_in_at ? <Time key="in" at={user.current_sign_in_at} /> : 'never'],
          ['Last active', user.last_activity_on ?? 'never'],
          ['ID', String(user.id)],
        ]}
      />
      {mayAct && own?.id !== user.id && <Moves user={user} onSaid={setSaid} />}
      {mayAct && <Edit key={user.id} user={user} onSaid={setSaid} />}
      <Memberships id={user.id} />
    </AdminPage>
  );
}

interface PartProps {
  user: User;
  onSaid: (said: string) => void;
}

/** What became of a user. */
const DONE: Record<UserMove, string> = {
  block: 'was blocked',
  unblock: 'was reactivated',
  deactivate: 'was deactivated',
  activate: 'was reactivated',
  ban: 'was banned',
  unban: 'was reactivated',
  approve: 'was approved',
  reject: 'was rejected',
};

/** What can be done with a user in a state, and what it means for them. */
const MOVES: Readonly<Record<string, readonly (readonly [move: UserMove, label: string, means: string])[]>> = {
  active: [
    ['block', 'Block', "The user can't sign in. Their tokens and schedules stop working until they are unblocked."],
    ['deactivate', 'Deactivate', 'Signing in reactivates the user.'],
    ['ban', 'Ban', "The user can't sign in, and their content is hidden."],
  ],
  blocked: [['unblock', 'Unblock', 'The user can sign in again. Their tokens work again.']],
  deactivated: [['activate', 'Activate', 'The user can sign in again.']],
  banned: [['unban', 'Unban', 'The user can sign in again. Their content is visible again.']],
  blocked_pending_approval: [
    ['approve', 'Approve', 'The user can sign in.'],
    ['reject', 'Reject', 'The user will be deleted.'],
  ],
};

function Moves({ user, onSaid }: PartProps) {
  const move = useMoveUser(user.id);
  const [chosenMove, setChosenMove] = useState<UserMove | null>(null);
  const offered = MOVES[user.state] ?? [];
  const found = offered.find(([name]) => name === chosenMove);
  return (
    <div className={rows.pages}>
      {offered.map(([name, label]) => (
        <Button key={name} onClick={() => setChosenMove(name)}>
          {label}
        </Button>
      ))}
      {found && (
        <Confirm
          title={`${found[1]} ${user.name}?`}
          does={found[1]}
          danger
          busy={move.isPending}
          problem={move.error}
          onClose={() => setChosenMove(null)}
          onConfirm={() =>
            move.mutate(found[0], {
              onSuccess: () => {
                setChosenMove(null);
                onSaid(`${user.name} ${DONE[found[0]]}.`);
              },
            })
          }
        >
          <p>{found[2]}</p>
        </Confirm>
      )}
    </div>
  );
}

/** Form values that differ from the user's: concurrent changes by others are preserved. */
function changedIn(values: FormData, user: User): UserEdit {
  const text = (name: string) => String(values.get(name) ?? '').trim();
  const edited = {
    name: text('name'),
    username: text('username'),
    email: text('email'),
    note: text('note'),
    admin: values.has('admin'),
    auditor: values.has('auditor'),
    external: values.has('external'),
    can_create_group: values.has('can_create_group'),
    projects_limit: Number(text('projects_limit')),
  };
  const { is_admin: admin = false, is_auditor: auditor = false, note, ...rest } = user;
  const before: Partial<Record<string, unknown>> = { ...rest, note: note ?? '', admin, auditor };
  const changed = Object.entries(edited).filter(([name, value]) => value !== before[name]);
  // Not trimmed: a password may begin and end with spaces.
  const password = String(values.get('password') ?? '');
  return { ...Object.fromEntries(changed), ...(password === '' ? {} : { password }) };
}

function Edit({ user, onSaid }: PartProps) {
  const change = useEditUser(user.id);
  const navigate = useNavigate();
  const problem = (name: string) => fieldProblem(change.error, name);
  return (
    <Section title="Edit">
      <Card>
        <Form
          submit="Save"
          busy={change.isPending}
          problem={change.error}
          fields={['name', 'username', 'email', 'password', 'note', 'projects_limit']}
          onSubmit={(values) => {
            const changes = changedIn(values, user);
            if (Object.keys(changes).length === 0) return onSaid('No changes.');
            change.mutate(changes, {
              onSuccess: ({ username }) => {
                onSaid('Saved.');
                if (username !== user.username) void navigate(`/admin/users/${username}`, { replace: true });
              },
            });
          }}
        >
          <Field label="Name" name="name" defaultValue={user.name} maxLength={255} problem={problem('name')} />
          <Field
            label="Username"
            name="username"
            hint="Changes the URLs of their profile and projects."
            defaultValue={user.username}
            autoComplete="off"
            problem={problem('username')}
          />
          <Field label="Email" name="email" type="email" defaultValue={user.email} problem={problem('email')} />
          <Field
            label="New password"
            name="password"
            type="password"
            hint="Leave empty to keep the current password."
            autoComplete="new-password"
            problem={problem('password')}
          />
          <Field
            label="Note"
            name="note"
            hint="Visible to administrators only."
            defaultValue={user.note ?? ''}
            problem={problem('note')}
          />
          <Field
            label="Projects limit"
            name="projects_limit"
            hint="Maximum number of personal projects."
            short
            inputMode="numeric"
            defaultValue={user.projects_limit}
            problem={problem('projects_limit')}
          />
          <Check label="Administrator" name="admin" hint="Can see and change everything." on={user.is_admin ?? false} />
          <Check
            label="Auditor"
            name="auditor"
            hint="Can see everything, but not change more than others."
            on={user.is_auditor ?? false}
          />
          <Check
            label="External"
            name="external"
            hint="Can only see projects and groups they are a member of."
            on={user.external ?? false}
          />
          <Check label="Can create groups" name="can_create_group" on={user.can_create_group ?? false} />
        </Form>
      </Card>
    </Section>
  );
}

function Memberships({ id }: { id: number }) {
  const page = pageIn(useSearchParams()[0]);
  return (
    <Section title="Memberships">
      <RecordList
        title="Memberships"
        query={useQuery(membershipsQuery(id, page))}
        keyOf={({ source_type: type, source_id: source }) => `${type} ${source}`}
        columns={[
          {
            title: 'Name',
            cell: ({ source_name: name, path }) =>
              path === null ? (
                <UnbrokenText>{name}</UnbrokenText>
              ) : (
                <Link className={rows.name} to={path}>
                  <UnbrokenText>{name}</UnbrokenText>
                </Link>
              ),
          },
          { title: 'Kind', cell: ({ source_type: type }) => (type === 'Project' ? 'project' : 'group') },
          { title: 'Role', cell: ({ access_level: level }) => formatRole(level) },
        ]}
        empty="No memberships."
      />
    </Section>
  );
}
