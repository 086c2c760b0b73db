import type { Container } from '../../../data/containers.js';
import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Select } from '../../../ui/Select.js';
import { LoadingRows } from '../../../ui/Table.js';
import { roleQuery } from '../../../data/member-rights.js';
import { ROLE_CHOICES, formatRole } from '../../tenancy/members/index.js';
import { NewToken, TokenPage } from '../personal-access-tokens/index.js';
import type { TokenSecret, ListedToken, TokenSource } from '../personal-access-tokens/index.js';
import { groupQuery, projectQuery } from '../../../data/containers.js';
import { SettingsTabs } from '../../../app/settings/SettingsTabs.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import type { Person } from '../../../data/session.js';
import { SCOPE_CHOICES, getTokens } from './queries.js';
import type { TokenContainer } from './queries.js';

const MAINTAINER = 40;
const OWNER = 50;
const USUAL_ROLE = 30;

/** `/<project>/-/settings/access_tokens` and `/groups/<group>/-/settings/access_tokens`: tokens of bots of its own. */
export default function AccessTokens({ of }: { of: Container }) {
  return <SignedIn>{(person) => <TokensForRole of={of} person={person} />}</SignedIn>;
}

/** Explains missing access; the service itself would only respond that a sign-in is required. */
function TokensForRole({ of, person }: { of: TokenContainer; person: Person }) {
  const role = useQuery({ ...roleQuery(of, person.id), enabled: !person.is_admin });
  const level = person.is_admin ? OWNER : (role.data ?? null);
  if (level !== null && level >= (of.kind === 'project' ? MAINTAINER : OWNER)) return <Tokens of={of} level={level} />;
  return (
    <Page title="Access tokens">
      <SettingsTabs container={of} />
      {level !== null && (
        <p>
          {of.kind === 'project'
            ? 'You need at least the Maintainer role to manage the access tokens of a project.'
            : 'You need the Owner role to manage the access tokens of a group.'}
        </p>
      )}
      {level === null && role.error && <Problem error={role.error} retry={() => void role.refetch()} />}
      {level === null && !role.error && <LoadingRows label="Loading your role" />}
    </Page>
  );
}

const ROLE = {
  title: 'Role',
  cell: ({ access_level: level }: ListedToken) => (level ? formatRole(level) : 'None'),
};

function Tokens({ of, level }: { of: TokenContainer; level: number }) {
  const { kind, path } = of;
  const source = useMemo(() => getTokens({ kind, path }), [kind, path]);
  const project = useQuery({ ...projectQuery(path), enabled: kind === 'project' }).data;
  const group = useQuery({ ...groupQuery(path), enabled: kind === 'group' }).data;
  const closed = (project ?? group)?.archived === true;
  return (
    <TokenPage
      lead={`A ${kind} access token belongs to a bot user with its own role in the ${kind}. It stays valid when members leave.`}
      source={source}
      labels={{
        title: kind === 'project' ? 'Project access tokens' : 'Group access tokens',
        empty: `No tokens yet. A token gives an application access to this ${kind} without a user account.`,
        more: [ROLE],
      }}
      form={closed ? null : (done) => <NewBotToken source={source} kind={kind} level={level} {...done} />}
    >
      <SettingsTabs container={of} />
      {closed && <p>The {kind} is archived: you can revoke tokens, but not create them.</p>}
    </TokenPage>
  );
}

interface NewBotTokenProps {
  source: TokenSource;
  kind: TokenContainer['kind'];
  /** The role of the creator, which limits the role of the token. */
  level: number;
  onCreate: (token: TokenSecret) => void;
  onCancel: () => void;
}

function NewBotToken({ kind, level, ...props }: NewBotTokenProps) {
  const [role, setRole] = useState(String(USUAL_ROLE));
  return (
    <NewToken
      {...props}
      scopes={SCOPE_CHOICES}
      about={`Scopes limit the access of the token in this ${kind}. It never exceeds its role.`}
    >
      <Select
        label="Role"
        name="access_level"
        hint="Role of the bot user, at most your own role."
        choices={ROLE_CHOICES.filter(({ value }) => Number(value) <= level)}
        value={role}
        onChoose={setRole}
      />
    </NewToken>
  );
}
