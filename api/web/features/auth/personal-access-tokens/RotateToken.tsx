import { useState } from 'react';
import { ConfirmChange } from '../../../app/dialogs/ConfirmChange.js';
import { dayFromNow } from '../../../ui/now.js';
import { Field, fieldProblem } from '../../../app/forms/Form.js';
import { useRotateToken } from './token-source.js';
import type { ListedToken, TokenSecret, TokenSource } from './token-source.js';

interface RotateTokenProps {
  source: TokenSource;
  token: ListedToken;
  onClose: () => void;
  onCreate: (token: TokenSecret) => void;
}

const USUAL_DAYS = 30;

/** Replaces a token that may be compromised by a new one. */
export function RotateToken({ source, token, onClose, onCreate }: RotateTokenProps) {
  const rotation = useRotateToken(source);
  const [expiresAt, setExpiresAt] = useState(() => dayFromNow(USUAL_DAYS));
  return (
    <ConfirmChange
      title={`Rotate “${token.name}”?`}
      does="Rotate"
      danger={false}
      change={rotation}
      variables={{ token, expiresAt }}
      onDone={onCreate}
      onClose={onClose}
    >
      <p>
        The token is revoked immediately and replaced by a new one with the same name and scopes. Programs that use it
        need the new token.
      </p>
      <Field
        label="Expiration date"
        name="expires_at"
        type="date"
        value={expiresAt}
        min={dayFromNow(1)}
        onChange={(event) => setExpiresAt(event.currentTarget.value)}
        short
        problem={fieldProblem(rotation.error, 'expires_at')}
      />
    </ConfirmChange>
  );
}
