import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { named } from '../containers/address.js';
import { Button } from '../look/Button.js';
import { Check } from '../look/Check.js';
import { Confirm } from '../look/Confirm.js';
import { Facts } from '../look/Facts.js';
import { Field, fieldProblem, Form } from '../look/Form.js';
import { pageIn } from '../look/list-address.js';
import { Card, Section } from '../look/Page.js';
import { RecordList } from '../look/RecordList.js';
import rows from '../look/Rows.module.css';
import { Said } from '../look/Said.js';
import { LoadingRows } from '../look/Table.js';
import { Whole } from '../look/Whole.js';
import { roleWords } from '../members/queries.js';
import { Absent } from '../not-found/Absent.js';
import { useSession } from '../session/session.js';
import { AdminPage } from './AdminPage.js';
import { membershipsQuery, useEditUser, useMoveUser, userQuery } from './queries.js';
import type { User, UserMove } from './queries.js';
import { StateOf } from './Users.js';

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
    <AdminPage title={user.name} lead={<Whole>{`@${user.username}`}</Whole>}>
      <Said>{said}</Said>
      <Facts
        facts={[
          ['State', <StateOf key="state" user={user} />],
          ['Mail', <Whole key="mail">{user.email ?? 'none'}</Whole>],
          [
            'Profile',
            <Link key="profile" to={named(user.username)}>
              as others see it
            </Link>,
          ],
          ['Last seen', user.last_activity_on ?? 'never'],
        ]}
      />
      {mayAct && own?.id !== user.id && <Moves user={user} onSaid={setSaid} />}
      {mayAct && <Edit key={JSON.stringify(user)} user={user} onSaid={setSaid} />}
      <Memberships id={user.id} />
    </AdminPage>
  );
}

interface PartProps {
  user: User;
  onSaid: (said: string) => void;
}

/** What can be done with a user in a state, and what it means for them. */
const MOVES: Readonly<Record<string, readonly (readonly [move: UserMove, words: string, means: string])[]>> = {
  active: [
    ['block', 'Block', 'They cannot sign in, and their tokens and schedules stop working until they are unblocked.'],
    ['deactivate', 'Deactivate', 'They become active again by signing in.'],
    ['ban', 'Ban', 'They cannot sign in, and others do not see what they wrote.'],
  ],
  blocked: [['unblock', 'Unblock', 'They sign in again, and their tokens work again.']],
  deactivated: [['activate', 'Activate', 'They sign in as before.']],
  banned: [['unban', 'Unban', 'They sign in again, and others see what they wrote.']],
  blocked_pending_approval: [
    ['approve', 'Approve', 'They may sign in.'],
    ['reject', 'Reject', 'The user is deleted.'],
  ],
};

function Moves({ user, onSaid }: PartProps) {
  const move = useMoveUser(user.id);
  const [asked, setAsked] = useState<UserMove | null>(null);
  const offered = MOVES[user.state] ?? [];
  const found = offered.find(([name]) => name === asked);
  return (
    <div className={rows.pages}>
      {offered.map(([name, words]) => (
        <Button key={name} onClick={() => setAsked(name)}>
          {words}
        </Button>
      ))}
      {found && (
        <Confirm
          title={`${found[1]} ${user.name}?`}
          does={found[1]}
          danger
          busy={move.isPending}
          problem={move.error}
          onClose={() => setAsked(null)}
          onConfirm={() =>
            move.mutate(found[0], {
              onSuccess: () => {
                setAsked(null);
                onSaid(`Done: ${found[1].toLowerCase()}.`);
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

function Edit({ user, onSaid }: PartProps) {
  const change = useEditUser(user.id);
  const problem = (name: string) => fieldProblem(change.error, name);
  return (
    <Section title="Edit">
      <Card>
        <Form
          submit="Save"
          busy={change.isPending}
          problem={change.error}
          fields={['name', 'email', 'note']}
          onSubmit={(values) => {
            const text = (name: string) => String(values.get(name) ?? '').trim();
            change.mutate(
              {
                name: text('name'),
                email: text('email'),
                note: text('note'),
                admin: values.get('admin') !== null,
                external: values.get('external') !== null,
              },
              { onSuccess: () => onSaid('Saved.') },
            );
          }}
        >
          <Field label="Name" name="name" defaultValue={user.name} maxLength={255} problem={problem('name')} />
          <Field label="Mail" name="email" type="email" defaultValue={user.email} problem={problem('email')} />
          <Field
            label="Note"
            name="note"
            hint="For administrators alone."
            defaultValue={user.note ?? ''}
            problem={problem('note')}
          />
          <Check label="Administrator" name="admin" on={user.is_admin ?? false} />
          <Check label="External" name="external" on={user.external ?? false} />
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
          { title: 'Name', cell: ({ source_name: name }) => name },
          { title: 'Kind', cell: ({ source_type: type }) => (type === 'Project' ? 'project' : 'group') },
          { title: 'Role', cell: ({ access_level: level }) => roleWords(level) },
        ]}
        empty="This user is a member of nothing."
      />
    </Section>
  );
}
