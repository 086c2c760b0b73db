import { useState } from 'react';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/CopyButton.js';
import { Secret } from '../../ui/Secret.js';
import { UnbrokenText } from '../../ui/UnbrokenText.js';

interface NewSecret {
  title: string;
  value: string;
  /** What belongs to the secret, such as its user name. */
  with?: { label: string; value: string };
}

const startLower = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

/**
 * The secret of a record that was just created, displayed until the user has copied it.
 * @returns the secret, and what displays another one
 */
export function useNewSecret(): readonly [ReactNode, (secret: NewSecret) => void] {
  const [secret, show] = useState<NewSecret | null>(null);
  if (secret === null) return [null, show];
  const { title, value, with: other } = secret;
  const section = (
    <Secret key={value} title={title} value={value} onDone={() => show(null)}>
      {other && (
        <p>
          {other.label}:{' '}
          <code>
            <UnbrokenText>{other.value}</UnbrokenText>
          </code>{' '}
          <CopyButton text={other.value} label={`Copy ${startLower(other.label)}`} quiet />
        </p>
      )}
    </Secret>
  );
  return [section, show];
}
