import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../look/Button.js';
import { Page } from '../look/Page.js';
import { Secret } from '../look/Secret.js';
import { SignedIn } from '../session/SignedIn.js';
import type { Person } from '../session/session.js';
import { NewToken } from './NewToken.js';
import { TokenList } from './TokenList.js';

/** `/-/user_settings/personal_access_tokens`: one's own tokens. `?new=1` shows the form for another one. */
export default function PersonalAccessTokens() {
  return <SignedIn>{(person) => <Tokens person={person} />}</SignedIn>;
}

function Tokens({ person }: { person: Person }) {
  const [search, setSearch] = useSearchParams();
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const making = search.has('new');
  return (
    <Page
      title="Access tokens"
      lead="A token lets a program act as you, as far as its scopes go. Give each program one of its own, so that you can end it alone."
      action={
        !making && (
          <ButtonLink kind="primary" to="?new=1">
            New token
          </ButtonLink>
        )
      }
    >
      {made && (
        <Secret key={made.token} title={`Token “${made.name}”`} value={made.token} onDone={() => setMade(null)} />
      )}
      {making && (
        <NewToken
          onCancel={() => setSearch({})}
          onMade={(token) => {
            setMade(token);
            setSearch({}, { replace: true });
          }}
        />
      )}
      <TokenList person={person} onMade={setMade} />
    </Page>
  );
}
