import { getCurl, send } from '../../../data/call.js';
import type { Answered } from '../../../data/call.js';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useMutation } from '../../../data/mutation.js';
import { Code } from '../../../ui/Code.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { CopyButton } from '../../../ui/CopyButton.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { State } from '../../../ui/State.js';
import { useSession } from '../../../data/session.js';
import styles from './ApiDocs.module.css';
import { BodyFields } from './BodyFields.js';
import { getCall, firstFilled } from './call.js';
import type { Filled } from './call.js';
import type { Operation } from './description.js';
import { MoreFields, ValueFields } from './ValueField.js';
import type { Value } from './values.js';

/** A form that sends the operation as the signed-in person, the same call as curl, and what was answered. */
export function TryOperation({ operation, base }: { operation: Operation; base: string }) {
  const [filled, setFilled] = useState(() => firstFilled(operation));
  const [asking, setAsking] = useState(false);
  const sent = useMutation({ mutationFn: send });
  const call = getCall(base, operation, filled);
  const curl = getCurl(call);
  const needed = operation.parameters.filter(({ required }) => required);
  const others = operation.parameters.filter(({ required }) => !required);
  const change = (changed: Partial<Filled>) => setFilled((before) => ({ ...before, ...changed }));
  const fill = (name: string, value: Value) => change({ values: { ...filled.values, [name]: value } });
  return (
    <Section title="Try it" aside={<AsWhom />}>
      <Card>
        <Form
          submit="Execute"
          busy={sent.isPending}
          problem={sent.error}
          fields={[]}
          onSubmit={() => (operation.method === 'DELETE' ? setAsking(true) : sent.mutate(call))}
        >
          <ValueFields parameters={needed} values={filled.values} onFill={fill} />
          {operation.body && <BodyFields operation={operation} filled={filled} onFill={change} />}
          <MoreFields label="Optional parameters" parameters={others} values={filled.values} onFill={fill} />
        </Form>
      </Card>
      {sent.data && <AnswerView answered={sent.data} />}
      <div className={styles.code}>
        <Code label="Call as curl">{curl}</Code>
        <CopyButton text={curl} label="Copy the call as curl" quiet />
      </div>
      {asking && (
        <Confirm
          title={`${operation.summary}?`}
          does="Delete"
          danger
          busy={sent.isPending}
          problem={sent.error}
          onConfirm={() => sent.mutate(call, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>
            This sends <code>{`DELETE ${call.url}`}</code>
          </p>
        </Confirm>
      )}
    </Section>
  );
}

function AsWhom() {
  const person = useSession().data?.user;
  const { pathname, search, hash } = useLocation();
  if (person) return <>Sending as {person.name}</>;
  // Back to this operation.
  const back = new URLSearchParams({ redirect_to: pathname + search + hash });
  return (
    <>
      Sending without authentication: <Link to={`/users/sign_in?${back}`}>sign in</Link>
    </>
  );
}

function AnswerView({ answered: { status, statusText, headers, text, took } }: { answered: Answered }) {
  return (
    <div className={styles.shown}>
      <output>
        <State tone={status < 400 ? 'good' : 'bad'}>
          Response {status} {statusText} after {took} ms
        </State>
      </output>
      {text !== '' && <Code label="Response body">{text}</Code>}
      <details>
        <summary className={styles.more}>Headers ({headers.length})</summary>
        <Code label="Response headers">{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</Code>
      </details>
    </div>
  );
}
