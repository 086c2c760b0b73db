import { namespacePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Container } from '../../../data/containers.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Card, Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { SearchForm } from '../../../app/forms/SearchForm.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useSession } from '../../../data/session.js';
import { EditMember } from './EditMember.js';
import { NewMember } from './NewMember.js';
import { membersQuery, formatRole } from './queries.js';
import type { Member } from './queries.js';
import { RemoveMember } from './RemoveMember.js';
import { useRole } from '../../../data/member-rights.js';

const MAINTAINER = 40;
const OWNER = 50;

type OpenDialog = { member: Member; what: 'edit' | 'remove' } | null;

/** Whether the user's role allows changes to members: Maintainers of projects and Owners of groups. */
function useMayChange(container: Container): { changes: boolean; own: number | null } {
  const person = useSession().data?.user ?? null;
  const needed = container.kind === 'project' ? MAINTAINER : OWNER;
  return { changes: useRole(container) >= needed, own: person?.id ?? null };
}

/** `/<project>/-/project_members` and `/groups/<group>/-/group_members`: the members and their roles. */
export default function Members({ of: container }: { of: Container }) {
  const [search, setSearch] = useSearchParams();
  const { changes, own } = useMayChange(container);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [said, setSaid] = useState('');
  const all = search.get('direct') !== '1';
  const query = useQuery(membersQuery(container, all, search.get('search') ?? '', pageIn(search)));
  const adding = changes && search.get('new') === '1';
  const close = (message: string) => {
    setSaid(message);
    setDialog(null);
    // Where their role can be changed.
    if (adding) setSearch({ direct: '1' }, { replace: true });
  };
  return (
    <Page title="Members" action={changes && !adding && <ButtonLink to="?new=1">Add member</ButtonLink>}>
      <Said>{said}</Said>
      {adding && (
        <Card>
          <NewMember container={container} onDone={close} />
        </Card>
      )}
      <LinkTabs
        label="Membership type"
        tabs={[
          { to: '?', label: 'All, including inherited', current: all },
          { to: '?direct=1', label: 'Direct', current: !all },
        ]}
      />
      <SearchForm label="Find a member" />
      <RecordList
        title="Members"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Member', cell: (member) => <Name member={member} /> },
          { title: 'Role', cell: ({ access_level: level }) => formatRole(level) },
          { title: 'Added', cell: ({ created_at: at }) => <Time at={at} /> },
          { title: 'Expires', cell: ({ expires_at: day }) => day ?? 'never' },
          {
            title: 'Actions',
            actions: true,
            end: true,
            cell: (member) =>
              // Who comes from a group above is changed there.
              (changes || member.id === own) &&
              !all && <Actions member={member} changes={changes} own={own} onAsk={setDialog} />,
          },
        ]}
        empty={all ? 'No members yet.' : 'No direct members. Members of parent groups have access as well.'}
      />
      {changes && all && (
        <p className={rows.quiet}>To change a role, go to “Direct”, or to the group it's inherited from.</p>
      )}
      {dialog?.what === 'edit' && (
        <EditMember container={container} member={dialog.member} onClose={() => setDialog(null)} onDone={close} />
      )}
      {dialog?.what === 'remove' && (
        <RemoveMember
          container={container}
          member={dialog.member}
          leaves={dialog.member.id === own}
          onClose={() => setDialog(null)}
          onDone={close}
        />
      )}
    </Page>
  );
}

function Name({ member: { name, username, state } }: { member: Member }) {
  return (
    <>
      <Link className={rows.name} to={namespacePath(username)}>
        <UnbrokenText>{name}</UnbrokenText>
      </Link>
      <span className={rows.quiet}>
        <UnbrokenText>{`@${username}${state === 'active' ? '' : `, ${state}`}`}</UnbrokenText>
      </span>
    </>
  );
}

interface ActionsProps {
  member: Member;
  changes: boolean;
  own: number | null;
  onAsk: (dialog: OpenDialog) => void;
}

function Actions({ member, changes, own, onAsk }: ActionsProps) {
  const does = member.id === own ? 'Leave' : 'Remove';
  return (
    <div className={rows.actions}>
      {changes && (
        <Button
          kind="quiet"
          aria-label={`Change the role of ${member.name}`}
          onClick={() => onAsk({ member, what: 'edit' })}
        >
          Change
        </Button>
      )}
      <Button kind="quiet" aria-label={`${does} ${member.name}`} onClick={() => onAsk({ member, what: 'remove' })}>
        {does}
      </Button>
    </div>
  );
}
