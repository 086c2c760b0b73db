import { useState } from 'react';
import type { Token } from '../client/api.js';
import { Confirm } from '../look/Confirm.js';
import { dayFromNow } from '../look/days.js';
import { Field, fieldProblem } from '../look/Form.js';
import { useRotateToken } from './queries.js';

interface RotateTokenProps {
  token: Token;
  onClose: () => void;
  onMade: (made: { name: string; token: string }) => void;
}

const USUAL_DAYS = 30;

/** Puts a new token in the place of one that may have been seen. */
export function RotateToken({ token, onClose, onMade }: RotateTokenProps) {
  const rotation = useRotateToken();
  const [expiresAt, setExpiresAt] = useState(() => dayFromNow(USUAL_DAYS));
  return (
    <Confirm
      title={`Rotate “${token.name}”?`}
      does="Rotate"
      busy={rotation.isPending}
      problem={rotation.error}
      onConfirm={() => rotation.mutate({ token, expiresAt }, { onSuccess: onMade })}
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
