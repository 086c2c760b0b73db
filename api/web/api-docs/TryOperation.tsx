import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { Confirm } from '../look/Confirm.js';
import { CopyButton } from '../look/CopyButton.js';
import { Field, Form } from '../look/Form.js';
import { Card, Section } from '../look/Page.js';
import { State } from '../look/State.js';
import { useSession } from '../session/session.js';
import styles from './ApiDocs.module.css';
import { Code } from './Code.js';
import { callOf, curlOf, firstFilled, send } from './call.js';
import type { Answered } from './call.js';
import { typeWords } from './description.js';
import type { Operation, Parameter } from './description.js';
import { Words } from './OperationView.js';

/** A form that sends the operation as the signed-in person, the same call as curl, and what was answered. */
export function TryOperation({ operation, base }: { operation: Operation; base: string }) {
  const [filled, setFilled] = useState(() => firstFilled(operation));
  const [asking, setAsking] = useState(false);
  const sent = useMutation({ mutationFn: send });
  const call = callOf(base, operation, filled);
  const curl = curlOf(call);
  const needed = operation.parameters.filter(({ required }) => required);
  const others = operation.parameters.filter(({ required }) => !required);
  const fill = (name: string, value: string) =>
    setFilled((before) => ({ ...before, values: { ...before.values, [name]: value } }));
  const fields = (parameters: readonly Parameter[]) =>
    parameters.map((parameter) => (
      <ParameterField
        key={parameter.name}
        parameter={parameter}
        value={filled.values[parameter.name] ?? ''}
        onFill={fill}
      />
    ));
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
          {fields(needed)}
          {operation.body && (
            <BodyField value={filled.body} onFill={(body) => setFilled((before) => ({ ...before, body }))} />
          )}
          {others.length > 0 && (
            <details>
              <summary className={styles.more}>Optional parameters ({others.length})</summary>
              <div className={styles.optional}>{fields(others)}</div>
            </details>
          )}
        </Form>
      </Card>
      {sent.data && <AnswerShown answered={sent.data} />}
      <div className={styles.code}>
        <Code label="The call as curl">{curl}</Code>
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
  if (person) return <>Sent as {person.name}</>;
  return (
    <>
      Sent as nobody: <Link to="/users/sign_in?redirect_to=%2F-%2Fapi-docs">sign in</Link>
    </>
  );
}

interface ParameterFieldProps {
  parameter: Parameter;
  value: string;
  onFill: (name: string, value: string) => void;
}

function ParameterField({ parameter, value, onFill }: ParameterFieldProps) {
  const { name, description, schema, required } = parameter;
  return (
    <Field
      label={required ? `${name} (required)` : name}
      name={name}
      hint={
        <>
          <Words>{description ?? ''}</Words> <span className={styles.type}>{typeWords(schema)}</span>
        </>
      }
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onFill(name, event.currentTarget.value)}
    />
  );
}

function BodyField({ value, onFill }: { value: string; onFill: (value: string) => void }) {
  const id = useId();
  return (
    <div className={styles.body}>
      <label htmlFor={id}>Body, as JSON</label>
      <textarea
        id={id}
        className={styles.text}
        rows={Math.min(12, value.split('\n').length + 1)}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onFill(event.currentTarget.value)}
      />
    </div>
  );
}

function AnswerShown({ answered: { status, statusText, headers, text, took } }: { answered: Answered }) {
  return (
    <div className={styles.shown}>
      <output>
        <State tone={status < 400 ? 'good' : 'bad'}>
          Answer {status} {statusText} after {took} ms
        </State>
      </output>
      {text !== '' && <Code label="Body of the answer">{text}</Code>}
      <details>
        <summary className={styles.more}>Headers ({headers.length})</summary>
        <Code label="Headers of the answer">{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</Code>
      </details>
    </div>
  );
}
