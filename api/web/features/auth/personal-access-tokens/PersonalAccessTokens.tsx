import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../../app/problems/Problem.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import type { Person } from '../../../data/session.js';
import { NewToken } from './NewToken.js';
import { ownTokens, scopesQuery } from './queries.js';
import type { TokenSecret } from './token-source.js';
import { TokenPage } from './TokenPage.js';
import type { TokenSource } from './token-source.js';

/** `/-/user_settings/personal_access_tokens`: one's own tokens. */
export default function PersonalAccessTokens() {
  return <SignedIn>{(person) => <Tokens person={person} />}</SignedIn>;
}

const LABELS = {
  title: 'Your tokens',
  empty: 'No tokens yet. A token takes the place of your password in scripts, command lines and other programs.',
};

function Tokens({ person }: { person: Person }) {
  const source = useMemo(() => ownTokens(person.id), [person.id]);
  return (
    <TokenPage
      lead="A token lets a program act as you, as far as its scopes go. Give each program one of its own, so that you can end it alone."
      source={source}
      labels={LABELS}
      form={(done) => <NewOwnToken source={source} {...done} />}
    />
  );
}

interface NewOwnTokenProps {
  source: TokenSource;
  onCreate: (token: TokenSecret) => void;
  onCancel: () => void;
}

/** The form for another token of one's own, of the scopes that the service offers. */
function NewOwnToken(props: NewOwnTokenProps) {
  const scopes = useQuery(scopesQuery);
  return (
    <>
      {scopes.error && <Problem error={scopes.error} retry={() => void scopes.refetch()} />}
      <NewToken
        {...props}
        scopes={(scopes.data ?? []).map(({ name, description }) => ({ value: name, description }))}
        about="What the token opens. It never opens more than you may do yourself."
      />
    </>
  );
}
