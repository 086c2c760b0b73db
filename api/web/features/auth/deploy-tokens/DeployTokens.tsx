import { HelpLink } from '../../../app/shell/HelpLink.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { DeployToken, NewDeployToken as CreatedDeployToken } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import rows from '../../../ui/Rows.module.css';
import { Secret } from '../../../ui/Secret.js';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { Whole } from '../../../ui/Whole.js';
import { SettingsSection, useCloseForm, usePage } from '../../../app/settings/SettingsSection.js';
import { NewDeployToken } from './NewDeployToken.js';
import { deployTokensQuery, useEndDeployToken } from './queries.js';
import type { TokenEnd, TokenContainer } from './queries.js';

type OpenDialog = { token: DeployToken; end: TokenEnd } | null;

interface DeployTokensProps {
  container: TokenContainer;
  /** Whether new ones are made here. */
  open: boolean;
  /** Whether those that are here may be ended. */
  ends: boolean;
  /** More about them here. */
  children?: ReactNode;
}

/** The deploy tokens of a project or group: made, copied once, revoked and deleted. */
export function DeployTokens({ container, open, ends, children }: DeployTokensProps) {
  const [newToken, setNewToken] = useState<CreatedDeployToken | null>(null);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [said, setSaid] = useState('');
  const closeForm = useCloseForm();
  const query = useQuery(deployTokensQuery(container, usePage('deploy_tokens')));
  return (
    <>
      <SettingsSection
        list="deploy_tokens"
        title="Deploy tokens"
        noun="deploy token"
        lead={
          <p>
            A deploy token is a user name and a secret for programs that fetch, without a user behind it. The API takes
            none.
            {children} <HelpLink page="tokens" section="deploy-tokens" />
          </p>
        }
        said={said}
        above={newToken && <NewTokenSecret key={newToken.token} newToken={newToken} onDone={() => setNewToken(null)} />}
        form={
          open ? (
            <NewDeployToken
              container={container}
              onCancel={closeForm}
              onCreate={(token) => {
                setNewToken(token);
                closeForm();
              }}
            />
          ) : null
        }
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Token', cell: (token) => <Name token={token} /> },
          { title: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
          { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
          { title: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : 'never') },
          { title: 'Ends', cell: (token) => <End token={token} /> },
          {
            title: 'Actions',
            actions: true,
            end: true,
            cell: (token) => ends && <Actions token={token} onAsk={(end) => setDialog({ token, end })} />,
          },
        ]}
        empty="No deploy tokens yet. One lets a server or a pipeline elsewhere clone without anybody's password."
      />
      {dialog && (
        <EndToken
          container={container}
          token={dialog.token}
          end={dialog.end}
          onClose={() => setDialog(null)}
          onDone={() => {
            setSaid(`The deploy token “${dialog.token.name}” is ${DONE[dialog.end]}.`);
            setDialog(null);
          }}
        />
      )}
    </>
  );
}

const DONE = { revoke: 'revoked', delete: 'deleted' } as const;

function NewTokenSecret({
  newToken: { name, username, token },
  onDone,
}: {
  newToken: CreatedDeployToken;
  onDone: () => void;
}) {
  return (
    <Secret title={`Deploy token “${name}”`} value={token} onDone={onDone}>
      <p>
        Its user name is{' '}
        <code>
          <Whole>{username}</Whole>
        </code>
        ; git asks for both.
      </p>
    </Secret>
  );
}

function Name({ token: { name, username } }: { token: DeployToken }) {
  return (
    <>
      <span className={rows.name}>
        <Whole>{name}</Whole>
      </span>
      <code className={rows.quiet}>
        <Whole>{username}</Whole>
      </code>
    </>
  );
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <span className={rows.scopes}>
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </span>
  );
}

function End({ token: { revoked, expired, expires_at: at } }: { token: DeployToken }) {
  if (revoked) return <State tone="quiet">revoked</State>;
  if (at === null) return <span className={rows.whole}>without end</span>;
  if (!expired) return <Time at={at} />;
  return (
    <State tone="warn">
      expired <Time at={at} />
    </State>
  );
}

function Actions({ token, onAsk }: { token: DeployToken; onAsk: (end: TokenEnd) => void }) {
  return (
    <div className={rows.actions}>
      {!token.revoked && (
        <Button kind="quiet" aria-label={`Revoke ${token.name}`} onClick={() => onAsk('revoke')}>
          Revoke
        </Button>
      )}
      <Button kind="quiet" aria-label={`Delete ${token.name}`} onClick={() => onAsk('delete')}>
        Delete
      </Button>
    </div>
  );
}

interface EndTokenProps {
  container: TokenContainer;
  token: DeployToken;
  end: TokenEnd;
  onClose: () => void;
  onDone: () => void;
}

function EndToken({ container, token, end, onClose, onDone }: EndTokenProps) {
  const ending = useEndDeployToken(container);
  const does = end === 'revoke' ? 'Revoke' : 'Delete';
  return (
    <Confirm
      title={`${does} “${token.name}”?`}
      does={does}
      danger
      busy={ending.isPending}
      problem={ending.error}
      onConfirm={() => ending.mutate({ token, end }, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>
        Programs that use it are refused from the next request on. This cannot be undone.{' '}
        {end === 'revoke' ? 'The token stays in the list, for the record.' : 'The token goes from the list.'}
      </p>
    </Confirm>
  );
}
