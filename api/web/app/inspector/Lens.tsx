import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../data/call.js';
import { useMutation } from '../../data/mutation.js';
import { sent, withoutSecrets } from '../../data/remembered.js';
import type { Sent } from '../../data/remembered.js';
import { Button } from '../../ui/Button.js';
import { Code } from '../../ui/Code.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { DialogActions, Dialog } from '../../ui/Dialog.js';
import { Problem } from '../problems/Problem.js';
import { State } from '../../ui/State.js';
import styles from './Lens.module.css';
import { isGraphql, getSnippets } from './snippets.js';

/** JSON for display: values that are, or may be, secrets are hidden. */
function formatJson(text: string): string {
  if (text === '') return 'Nothing';
  try {
    return JSON.stringify(JSON.parse(text, withoutSecrets), null, 2);
  } catch {
    return 'Not JSON, or too large to display.';
  }
}

const sameCall = (one: Sent, other: Sent) =>
  one.method === other.method && one.url === other.url && one.body === other.body;

/** The calls of the current page; repeated calls are listed once. */
function callsOfPage(): Sent[] {
  const calls = sent.filter(({ page }) => page === location.pathname);
  return calls.filter((call, index) => calls.findIndex((other) => sameCall(call, other)) === index);
}

const formatUrl = (call: Sent) => {
  const match = isGraphql(call) && /\b(?:query|mutation)\s+(\w+)|\{\s*(\w+)/.exec(call.body ?? '');
  return match ? `${call.url}: ${match[1] ?? match[2]}` : decodeURI(call.url);
};

/** The calls behind the current page, each as client code and with its response; reads can be sent again. */
export default function Lens({ onClose }: { onClose: () => void }) {
  const [calls] = useState(callsOfPage);
  const [at, choose] = useState(0);
  const call = calls[at];
  return (
    <Dialog title="API calls of this page" onClose={onClose}>
      {call ? (
        <>
          <label className={styles.choice}>
            <span>Call</span>
            <select value={at} onChange={(event) => choose(Number(event.currentTarget.value))}>
              {calls.map((one, index) => (
                <option key={index} value={index}>
                  {one.method} {formatUrl(one)}
                </option>
              ))}
            </select>
          </label>
          <CallView key={at} call={call} />
        </>
      ) : (
        <p>No API calls recorded for this page.</p>
      )}
      <p className={styles.quiet} data-wide>
        The last 30 calls of this window, without tokens, passwords, values of variables, and responses to changes.
      </p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

function CallView({ call }: { call: Sent }) {
  const snippets = getSnippets(call);
  const [language, speak] = useState(Object.keys(snippets)[0] ?? '');
  const { answer } = call;
  const first = useQuery({
    queryKey: ['lens', call.url, call.body, call.ms],
    queryFn: async () => formatJson((await answer?.clone().text()) ?? ''),
    enabled: answer !== null,
    staleTime: Infinity,
  });
  const again = useMutation({
    mutationFn: async () => {
      const answered = await send(call);
      return { ...answered, text: formatJson(answered.text), ms: answered.took };
    },
  });
  const { status, ms } = again.data ?? call;
  const text = again.data?.text ?? first.data;
  const snippet = snippets[language] ?? '';
  return (
    <>
      <fieldset className={styles.languages}>
        <legend className="hidden">Format</legend>
        {Object.keys(snippets).map((name) => (
          <label key={name}>
            <input type="radio" name="language" checked={name === language} onChange={() => speak(name)} /> {name}
          </label>
        ))}
      </fieldset>
      <Code label={`Call as ${language}`}>{snippet}</Code>
      <div className={styles.actions}>
        <CopyButton key={language} text={snippet} label={`Copy the call as ${language}`} />
        {answer !== null && (
          <Button busy={again.isPending} onClick={() => again.mutate()}>
            Resend
          </Button>
        )}
        <output>
          <State tone={status < 400 ? 'good' : 'bad'}>
            {again.data ? 'New response' : 'Response'} {status} after {ms} ms
          </State>
        </output>
      </div>
      {again.error && <Problem error={again.error} />}
      {text !== undefined && <Code label="Response">{text}</Code>}
    </>
  );
}
