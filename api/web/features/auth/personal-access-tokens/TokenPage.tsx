import { HelpLink } from '../../../app/shell/HelpLink.js';
import type { TokenSecret } from './token-source.js';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import { Page } from '../../../ui/Page.js';
import { useNewSecret } from '../../../app/forms/new-secret.js';
import { TokenList } from './TokenList.js';
import type { TokenListLabels } from './TokenList.js';
import type { TokenSource } from './token-source.js';

interface TokenPageProps {
  lead: ReactNode;
  source: TokenSource;
  labels: TokenListLabels;
  /** The form for another one; null where none is made. */
  form: ((done: { onCreate: (token: TokenSecret) => void; onCancel: () => void }) => ReactNode) | null;
  /** Above all of it. */
  children?: ReactNode;
}

/** Tokens of one kind: made, copied once, rotated and revoked. `?new=1` shows the form for another one. */
export function TokenPage({ lead, source, labels, form, children }: TokenPageProps) {
  const [search, setSearch] = useSearchParams();
  const [secret, showSecret] = useNewSecret();
  const showToken = ({ name, token }: TokenSecret) => showSecret({ title: `Token “${name}”`, value: token });
  const making = form !== null && search.has('new');
  return (
    <Page
      title="Access tokens"
      lead={
        <>
          {lead} <HelpLink page="tokens" />
        </>
      }
      action={
        form !== null &&
        !making && (
          <ButtonLink kind="primary" to="?new=1">
            New token
          </ButtonLink>
        )
      }
    >
      {children}
      {secret}
      {making &&
        form({
          onCancel: () => setSearch({}),
          onCreate: (token) => {
            showToken(token);
            setSearch({}, { replace: true });
          },
        })}
      <TokenList source={source} labels={labels} makes={form !== null} onCreate={showToken} />
    </Page>
  );
}
