import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Token } from '../client/api.js';
import { Button, ButtonLink } from '../look/Button.js';
import { Empty } from '../look/Empty.js';
import { Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import rows from '../look/Rows.module.css';
import { State } from '../look/State.js';
import { LoadingRows, Table } from '../look/Table.js';
import { Time } from '../look/Time.js';
import type { Person } from '../session/session.js';
import { tokensQuery } from './queries.js';
import type { TokenState } from './queries.js';
import { RevokeToken } from './RevokeToken.js';
import { RotateToken } from './RotateToken.js';
import styles from './TokenList.module.css';

type Asked = { token: Token; what: 'revoke' | 'rotate' } | null;

const STATES: readonly [TokenState, string][] = [
  ['active', 'In use'],
  ['inactive', 'Ended'],
];

interface TokenListProps {
  person: Person;
  onMade: (made: { name: string; token: string }) => void;
}

/** One's tokens, newest first, those in use or those that ended (`?state=inactive`), a page at a time (`?page=`). */
export function TokenList({ person, onMade }: TokenListProps) {
  const [search] = useSearchParams();
  const state: TokenState = search.get('state') === 'inactive' ? 'inactive' : 'active';
  const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
  const tokens = useQuery(tokensQuery(person.id, state, page));
  const [asked, setAsked] = useState<Asked>(null);
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
  const close = () => setAsked(null);
  return (
    <Section title="Your tokens" aside={<States current={state} />}>
      <output ref={said} tabIndex={-1} className={done === '' ? 'hidden' : undefined}>
        {done}
      </output>
      {tokens.error && <Problem error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.isPending && <LoadingRows label="Loading tokens" />}
      {tokens.data?.rows.length === 0 && <NoTokens state={state} />}
      {tokens.data && tokens.data.rows.length > 0 && (
        <Table
          caption={state === 'active' ? 'Tokens in use' : 'Tokens that ended'}
          rows={tokens.data.rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Token', cell: (token) => <Name token={token} /> },
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
                    cell: (token: Token) => <Actions token={token} onAsk={setAsked} />,
                  },
                ]
              : []),
          ]}
        />
      )}
      <PageLinks state={state} page={page} next={tokens.data?.next ?? null} />
      {asked?.what === 'revoke' && (
        <RevokeToken
          token={asked.token}
          onClose={close}
          onDone={() => {
            setDone(`The token “${asked.token.name}” is revoked.`);
            close();
          }}
        />
      )}
      {asked?.what === 'rotate' && (
        <RotateToken
          token={asked.token}
          onClose={close}
          onMade={(made) => {
            onMade(made);
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
      {STATES.map(([state, words]) => (
        <Link
          key={state}
          className={styles.state}
          to={state === 'active' ? '?' : `?state=${state}`}
          aria-current={state === current ? 'page' : undefined}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}

function NoTokens({ state }: { state: TokenState }) {
  if (state === 'inactive')
    return <Empty>Tokens that were revoked or have expired are kept here, for the record.</Empty>;
  return (
    <Empty action={<ButtonLink to="?new=1">Create the first token</ButtonLink>}>
      No tokens yet. A token takes the place of your password in scripts, command lines and other programs.
    </Empty>
  );
}

function Name({ token }: { token: Token }) {
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

function End({ token: { revoked, active, expires_at: day } }: { token: Token }) {
  if (revoked) return <State tone="quiet">revoked</State>;
  if (!active) return <State tone="warn">expired on {day}</State>;
  return day ? <time dateTime={day}>{day}</time> : <span className={rows.whole}>without end</span>;
}

function Actions({ token, onAsk }: { token: Token; onAsk: (asked: Asked) => void }) {
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
