import { HelpLink } from '../../../app/shell/HelpLink.js';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeployToken } from '../../../data/api.js';
import { ConfirmChange } from '../../../app/dialogs/ConfirmChange.js';
import { useNewSecret } from '../../../app/forms/new-secret.js';
import { RowName, Scopes } from '../../../app/lists/row-cells.js';
import { SettingsSection, usePage } from '../../../app/settings/SettingsSection.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { NewDeployToken } from './NewDeployToken.js';
import { deployTokensQuery, useEndDeployToken } from './queries.js';
import type { TokenEnd, TokenContainer } from './queries.js';

interface DeployTokensProps {
  container: TokenContainer;
  /** Whether the viewer may create tokens. */
  open: boolean;
  /** Whether the viewer may revoke and delete tokens. */
  ends: boolean;
  /** More about them here. */
  children?: ReactNode;
}

/** The deploy tokens of a project or group: created, copied once, revoked and deleted. */
export function DeployTokens({ container, open, ends, children }: DeployTokensProps) {
  const [secret, showSecret] = useNewSecret();
  const query = useQuery(deployTokensQuery(container, usePage('deploy_tokens')));
  return (
    <SettingsSection
      list="deploy_tokens"
      title="Deploy tokens"
      add="New deploy token"
      lead={
        <p>
          Deploy tokens give access to repositories, packages and container images without a user account. The API does
          not accept them.
          {children} <HelpLink page="tokens" section="deploy-tokens" />
        </p>
      }
      above={secret}
      form={
        open
          ? ({ onCreate, onCancel }) => (
              <NewDeployToken
                container={container}
                onCancel={onCancel}
                onCreate={({ name, username, token }) => {
                  showSecret({
                    title: `Deploy token “${name}”`,
                    value: token,
                    with: { label: 'Username', value: username },
                  });
                  // The secret receives the focus.
                  onCreate('');
                }}
              />
            )
          : null
      }
      query={query}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      columns={[
        { title: 'Name', cell: ({ name, username }) => <RowName name={name} code={username} /> },
        { title: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
        { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
        { title: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : 'Never') },
        { title: 'Expires', cell: (token) => <Expiry token={token} /> },
      ]}
      actions={
        ends
          ? (['revoke', 'delete'] as const).map((end) => ({
              label: LABELS[end].does,
              isOffered: ({ revoked }: DeployToken) => end === 'delete' || !revoked,
              dialog: (token: DeployToken, then) => (
                <EndToken container={container} token={token} end={end} {...then} />
              ),
            }))
          : []
      }
      empty="No deploy tokens yet. A deploy token lets a server or an external pipeline clone the repository."
    />
  );
}

const LABELS = {
  revoke: { does: 'Revoke', done: 'revoked', outcome: 'A revoked token stays in the list.' },
  delete: { does: 'Delete', done: 'deleted', outcome: 'The token is removed from the list.' },
} as const;

function Expiry({ token: { revoked, expired, expires_at: at } }: { token: DeployToken }) {
  if (revoked) return <State tone="quiet">Revoked</State>;
  if (at === null) return 'Never';
  if (!expired) return <Time at={at} />;
  return (
    <State tone="warn">
      Expired <Time at={at} />
    </State>
  );
}

interface EndTokenProps {
  container: TokenContainer;
  token: DeployToken;
  end: TokenEnd;
  onClose: () => void;
  onDone: (message: string) => void;
}

function EndToken({ container, token, end, onClose, onDone }: EndTokenProps) {
  const { does, done, outcome } = LABELS[end];
  return (
    <ConfirmChange
      title={`${does} “${token.name}”?`}
      does={does}
      change={useEndDeployToken(container)}
      variables={{ token, end }}
      onDone={() => onDone(`Deploy token “${token.name}” ${done}.`)}
      onClose={onClose}
    >
      <p>Programs that use this token lose access immediately. This cannot be undone. {outcome}</p>
    </ConfirmChange>
  );
}
