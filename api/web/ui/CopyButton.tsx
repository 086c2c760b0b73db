import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './Button.js';

/** Duration of the "copied" label. */
const SAID_MS = 4000;

type State = 'idle' | 'copied' | 'failed';

const LABELS: Record<State, string> = {
  idle: '',
  copied: 'Copied',
  failed: 'Your browser blocked copying. Select the text and copy it.',
};

/** Copies a text to the clipboard and reports it, also to screen readers. */
export function CopyButton({ text, label, quiet = false }: { text: string; label?: string; quiet?: boolean }) {
  const [state, setState] = useState<State>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), SAID_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    // Without https there is no clipboard.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    written.then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <>
      <Button kind={quiet ? 'quiet' : 'plain'} aria-label={label} onClick={copy}>
        <Icon size={16} aria-hidden /> Copy
      </Button>
      <output>{LABELS[state]}</output>
    </>
  );
}
