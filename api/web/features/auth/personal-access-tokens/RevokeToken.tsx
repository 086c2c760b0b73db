import { Confirm } from '../../../app/dialogs/Confirm.js';
import { useRevokeToken } from './token-source.js';
import type { ListedToken, TokenSource } from './token-source.js';

interface RevokeTokenProps {
  source: TokenSource;
  token: ListedToken;
  onClose: () => void;
  onDone: () => void;
}

export function RevokeToken({ source, token, onClose, onDone }: RevokeTokenProps) {
  const revocation = useRevokeToken(source);
  return (
    <Confirm
      title={`Revoke “${token.name}”?`}
      does="Revoke"
      danger
      busy={revocation.isPending}
      problem={revocation.error}
      onConfirm={() => revocation.mutate(token, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>Programs that use it are refused from the next request on. This cannot be undone.</p>
    </Confirm>
  );
}
