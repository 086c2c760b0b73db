import type { Token } from '../client/api.js';
import { Confirm } from '../look/Confirm.js';
import { useRevokeToken } from './queries.js';

interface RevokeTokenProps {
  token: Token;
  onClose: () => void;
  onDone: () => void;
}

export function RevokeToken({ token, onClose, onDone }: RevokeTokenProps) {
  const revocation = useRevokeToken();
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
