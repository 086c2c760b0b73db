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
  title: 'Personal access tokens',
  empty: 'No tokens yet. Use a token instead of your password in scripts and applications.',
};

function Tokens({ person }: { person: Person }) {
  const source = useMemo(() => ownTokens(person.id), [person.id]);
  return (
    <TokenPage
      lead="Applications use personal access tokens to act on your behalf, limited by their scopes. Use a separate token for each application."
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

/** The form for a new personal access token, with the scopes of this instance. */
function NewOwnToken(props: NewOwnTokenProps) {
  const scopes = useQuery(scopesQuery);
  return (
    <>
      {scopes.error && <Problem error={scopes.error} retry={() => void scopes.refetch()} />}
      <NewToken
        {...props}
        scopes={(scopes.data ?? []).map(({ name, description }) => ({ value: name, description }))}
        about="Scopes limit the access of the token. It never exceeds your own permissions."
      />
    </>
  );
}
