import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { ConfirmChange } from '../../../app/dialogs/ConfirmChange.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { actionsColumn, Scopes } from '../../../app/lists/row-cells.js';
import type { RowAction } from '../../../app/lists/row-cells.js';
import { StateTabs } from '../../../app/lists/StateTabs.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Section } from '../../../ui/Page.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { RotateToken } from './RotateToken.js';
import { tokensQuery, useRevokeToken } from './token-source.js';
import type { ListedToken, TokenSecret, TokenSource, TokenState } from './token-source.js';

const LABELS: Record<TokenState, string> = { active: 'Active', inactive: 'Inactive' };
const STATES: readonly TokenState[] = ['active', 'inactive'];

/** What differs from one kind of tokens to another. */
export interface TokenListLabels {
  title: string;
  /** Where there are no active ones: what they are for. */
  empty: ReactNode;
  /** Columns behind the name. */
  more?: readonly Column<ListedToken>[];
}

interface TokenListProps {
  source: TokenSource;
  labels: TokenListLabels;
  /** Whether another one may be made here. */
  makes: boolean;
  onCreate: (token: TokenSecret) => void;
}

/** Tokens, newest first, either active or inactive (`?state=inactive`), a page at a time (`?page=`). */
export function TokenList({ source, labels, makes, onCreate }: TokenListProps) {
  const [search] = useSearchParams();
  const state: TokenState = search.get('state') === 'inactive' ? 'inactive' : 'active';
  const [dialog, setDialog] = useState<{ row: ListedToken; action: RowAction<ListedToken> } | null>(null);
  const [said, setSaid] = useState('');
  const close = () => setDialog(null);
  const onDone = (message: string) => {
    setSaid(message);
    close();
  };
  const actions: RowAction<ListedToken>[] = [
    {
      label: 'Rotate',
      dialog: (token, { onClose }) => (
        <RotateToken
          source={source}
          token={token}
          onClose={onClose}
          onCreate={(rotated) => {
            onCreate(rotated);
            onClose();
          }}
        />
      ),
    },
    { label: 'Revoke', dialog: (token, then) => <RevokeToken source={source} token={token} {...then} /> },
  ];
  const acting = actionsColumn<ListedToken>(
    actions,
    ({ name }) => name,
    (row, action) => setDialog({ row, action }),
  );
  return (
    <Section title={labels.title}>
      <StateTabs label="Tokens by state" labels={LABELS} states={STATES} current={state} countOf={() => undefined} />
      <Said>{said}</Said>
      <RecordList
        title="Tokens"
        caption={`${LABELS[state]} tokens`}
        query={useQuery(tokensQuery(source, state, pageIn(search)))}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: (token) => <Name token={token} /> },
          ...(labels.more ?? []),
          { title: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
          { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
          { title: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : 'Never') },
          { title: 'Expires', cell: (token) => <Expiry token={token} /> },
          ...(state === 'active' ? [acting] : []),
        ]}
        empty={state === 'active' ? labels.empty : 'No inactive tokens. Revoked and expired tokens are listed here.'}
        action={state === 'active' && makes && <ButtonLink to="?new=1">Create a token</ButtonLink>}
      />
      {dialog?.action.dialog(dialog.row, { onClose: close, onDone })}
    </Section>
  );
}

function Name({ token: { name, description } }: { token: ListedToken }) {
  return (
    <>
      <span className={rows.name}>{name}</span>
      {description && <span className={rows.quiet}>{description}</span>}
    </>
  );
}

function Expiry({ token: { revoked, active, expires_at: day } }: { token: ListedToken }) {
  if (revoked) return <State tone="quiet">Revoked</State>;
  if (!active) return <State tone="warn">Expired on {day}</State>;
  return day ? <time dateTime={day}>{day}</time> : 'Never';
}

interface RevokeTokenProps {
  source: TokenSource;
  token: ListedToken;
  onClose: () => void;
  onDone: (message: string) => void;
}

function RevokeToken({ source, token, onClose, onDone }: RevokeTokenProps) {
  return (
    <ConfirmChange
      title={`Revoke “${token.name}”?`}
      does="Revoke"
      change={useRevokeToken(source)}
      variables={token}
      onDone={() => onDone(`Token “${token.name}” revoked.`)}
      onClose={onClose}
    >
      <p>Programs that use this token lose access immediately. This cannot be undone.</p>
    </ConfirmChange>
  );
}
