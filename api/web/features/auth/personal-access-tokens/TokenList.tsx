import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { Section } from '../../../ui/Page.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Problem } from '../../../app/problems/Problem.js';
import rows from '../../../ui/Rows.module.css';
import { State } from '../../../ui/State.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { RevokeToken } from './RevokeToken.js';
import { RotateToken } from './RotateToken.js';
import { tokensQuery } from './token-source.js';
import type { ListedToken, TokenSource, TokenState } from './token-source.js';
import type { TokenSecret } from './token-source.js';
import styles from './TokenList.module.css';

type OpenDialog = { token: ListedToken; what: 'revoke' | 'rotate' } | null;

const STATES: readonly [TokenState, string][] = [
  ['active', 'In use'],
  ['inactive', 'Ended'],
];

/** What differs from one kind of tokens to another. */
export interface TokenListLabels {
  title: string;
  /** Where there are none in use: what they are for. */
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

/** Tokens, newest first, those in use or those that ended (`?state=inactive`), a page at a time (`?page=`). */
export function TokenList({ source, labels, makes, onCreate }: TokenListProps) {
  const [search] = useSearchParams();
  const state: TokenState = search.get('state') === 'inactive' ? 'inactive' : 'active';
  const page = pageIn(search);
  const tokens = useQuery(tokensQuery(source, state, page));
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [done, setDone] = useState('');
  const said = useRef<HTMLOutputElement>(null);
  // What was pressed is gone with its row; the focus goes to what became of it.
  useEffect(() => {
    if (done === '') return;
    // The question gives the focus back in the frame after it closed, to a button that is about to go: this comes last.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => said.current?.focus());
    });
    return () => cancelAnimationFrame(frame);
  }, [done]);
  const close = () => setDialog(null);
  return (
    <Section title={labels.title} aside={<States current={state} />}>
      <output ref={said} tabIndex={-1} className={done === '' ? 'hidden' : undefined}>
        {done}
      </output>
      {tokens.error && <Problem error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.isPending && <LoadingRows label="Loading tokens" />}
      {tokens.data?.rows.length === 0 && <NoTokens state={state} makes={makes} empty={labels.empty} />}
      {tokens.data && tokens.data.rows.length > 0 && (
        <Table
          caption={state === 'active' ? 'Tokens in use' : 'Tokens that ended'}
          rows={tokens.data.rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Token', cell: (token) => <Name token={token} /> },
            ...(labels.more ?? []),
            { title: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
            { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
            { title: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : 'never') },
            { title: 'Ends', cell: (token) => <End token={token} /> },
            ...(state === 'active'
              ? [
                  {
                    title: 'Actions',
                    actions: true,
                    end: true,
                    cell: (token: ListedToken) => <Actions token={token} onAsk={setDialog} />,
                  },
                ]
              : []),
          ]}
        />
      )}
      <PageLinks state={state} page={page} next={tokens.data?.next ?? null} />
      {dialog?.what === 'revoke' && (
        <RevokeToken
          source={source}
          token={dialog.token}
          onClose={close}
          onDone={() => {
            setDone(`The token “${dialog.token.name}” is revoked.`);
            close();
          }}
        />
      )}
      {dialog?.what === 'rotate' && (
        <RotateToken
          source={source}
          token={dialog.token}
          onClose={close}
          onCreate={(token) => {
            onCreate(token);
            close();
          }}
        />
      )}
    </Section>
  );
}

function States({ current }: { current: TokenState }) {
  return (
    <nav className={styles.states} aria-label="Which tokens">
      {STATES.map(([state, label]) => (
        <Link
          key={state}
          className={styles.state}
          to={state === 'active' ? '?' : `?state=${state}`}
          aria-current={state === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function NoTokens({ state, makes, empty }: { state: TokenState; makes: boolean; empty: ReactNode }) {
  if (state === 'inactive')
    return <Empty>Tokens that were revoked or have expired are kept here, for the record.</Empty>;
  return <Empty action={makes && <ButtonLink to="?new=1">Create the first token</ButtonLink>}>{empty}</Empty>;
}

function Name({ token }: { token: ListedToken }) {
  return (
    <>
      <span className={rows.name}>{token.name}</span>
      {token.description && <span className={rows.quiet}>{token.description}</span>}
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

function End({ token: { revoked, active, expires_at: day } }: { token: ListedToken }) {
  if (revoked) return <State tone="quiet">revoked</State>;
  if (!active) return <State tone="warn">expired on {day}</State>;
  return day ? <time dateTime={day}>{day}</time> : <span className={rows.whole}>without end</span>;
}

function Actions({ token, onAsk }: { token: ListedToken; onAsk: (dialog: OpenDialog) => void }) {
  return (
    <div className={rows.actions}>
      <Button kind="quiet" aria-label={`Rotate ${token.name}`} onClick={() => onAsk({ token, what: 'rotate' })}>
        Rotate
      </Button>
      <Button kind="quiet" aria-label={`Revoke ${token.name}`} onClick={() => onAsk({ token, what: 'revoke' })}>
        Revoke
      </Button>
    </div>
  );
}

function PageLinks({ state, page, next }: { state: TokenState; page: number; next: number | null }) {
  if (page === 1 && next === null) return null;
  const to = (number: number) => `?${new URLSearchParams({ state, page: String(number) })}`;
  return (
    <nav className={rows.pages} aria-label="Pages">
      {page > 1 && <ButtonLink to={to(page - 1)}>Newer</ButtonLink>}
      {next !== null && <ButtonLink to={to(next)}>Older</ButtonLink>}
    </nav>
  );
}
