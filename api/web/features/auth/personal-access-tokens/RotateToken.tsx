import { useState } from 'react';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { dayFromNow } from '../../../ui/now.js';
import { Field, fieldProblem } from '../../../app/forms/Form.js';
import { useRotateToken } from './token-source.js';
import type { ListedToken, TokenSource } from './token-source.js';
import type { TokenSecret } from './token-source.js';

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
    <Confirm
      title={`Rotate “${token.name}”?`}
      does="Rotate"
      busy={rotation.isPending}
      problem={rotation.error}
      onConfirm={() => rotation.mutate({ token, expiresAt }, { onSuccess: onCreate })}
      onClose={onClose}
    >
      <p>
        A new token with the same name and scopes takes its place, and the old one is refused at once. Give the new one
        to the program that uses it.
      </p>
      <Field
        label="The new token ends on"
        name="expires_at"
        type="date"
        value={expiresAt}
        min={dayFromNow(1)}
        onChange={(event) => setExpiresAt(event.currentTarget.value)}
        short
        problem={fieldProblem(rotation.error, 'expires_at')}
      />
    </Confirm>
  );
}
